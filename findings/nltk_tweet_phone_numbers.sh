#!/usr/bin/env bash
# NLTK's TweetTokenizer makes one word of the values 120 180 2400, as a telephone number, and cuts days before their
# last part.
#
# Expected: each number of a row is a word, as in "10 000 000" and in NLTK's other tokenizers, which also leave a date
# in one piece.
# Seen with python3-nltk 3.8 (Debian 12): three or two groups of digits of which the last has four are a telephone
# number, whatever stands around them; an option turns that off (match_phone_numbers). 2026-03-05 is "2026-03-" and 05,
# and 05-03-2026 has the year alone, with the option or without.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-nltk=3.8-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > cut.py <<'END'
from nltk.tokenize import NLTKWordTokenizer, TweetTokenizer

for text in ['120 180 240 mg', '120 180 2400 mg', 'room 101, 1000 ml', '100 2000 people', '10 000 000', '2026/03/05', '2026-03-05', '05-03-2026']:
    print(text, '->', ' | '.join(TweetTokenizer().tokenize(text)), '; off:', ' | '.join(TweetTokenizer(match_phone_numbers=False).tokenize(text)),
          '; by words:', ' | '.join(NLTKWordTokenizer().tokenize(text)))
END
dpkg-query -W python3-nltk
/usr/bin/python3 cut.py 2> log.txt > seen.txt || { cat log.txt; exit 1; }
cat seen.txt
diff seen.txt - <<'END'
120 180 240 mg -> 120 | 180 | 240 | mg ; off: 120 | 180 | 240 | mg ; by words: 120 | 180 | 240 | mg
120 180 2400 mg -> 120 180 2400 | mg ; off: 120 | 180 | 2400 | mg ; by words: 120 | 180 | 2400 | mg
room 101, 1000 ml -> room | 101 | , | 1000 | ml ; off: room | 101 | , | 1000 | ml ; by words: room | 101 | , | 1000 | ml
100 2000 people -> 100 2000 | people ; off: 100 | 2000 | people ; by words: 100 | 2000 | people
10 000 000 -> 10 | 000 | 000 ; off: 10 | 000 | 000 ; by words: 10 | 000 | 000
2026/03/05 -> 2026/03 | / | 05 ; off: 2026/03 | / | 05 ; by words: 2026/03/05
2026-03-05 -> 2026-03- | 05 ; off: 2026-03- | 05 ; by words: 2026-03-05
05-03-2026 -> 05-03- | 2026 ; off: 05-03- | 2026 ; by words: 05-03-2026
END
