#!/usr/bin/env bash
# textdistance finds that "5 mg" is not at all like "5 mg at night", by the measure that looks for the best common
# piece.
#
# Expected: the algorithm of Smith and Waterman aligns a piece of one text with a piece of the other: a text that
# stands in another as it is has the best value there is, 1, wherever it stands.
# Seen with python3-textdistance 4.5.0 (Debian 12): only the last corner of its matrix is read, not the greatest value
# in it, so that the common piece has to end both texts: "5 mg" is at the end of "take 5 mg" with 1 and at the
# beginning of "5 mg at night" with 0. A check of quotations by it passes those at the end of a page.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-textdistance=4.5.0-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > compare.py <<'END'
import textdistance

for quote, text in [('5 mg', '5 mg'), ('5 mg', 'take 5 mg'), ('5 mg', '5 mg at night'), ('take 5 mg', 'now take 5 mg at night'),
                    ('5', '5 mg'), ('5', 'take 5 mg')]:
    value = textdistance.smith_waterman.normalized_similarity(quote, text)
    print(f'{quote!r} in {text!r}: {value:.2f}')
END
dpkg-query -W python3-textdistance
/usr/bin/python3 compare.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
'5 mg' in '5 mg': 1.00
'5 mg' in 'take 5 mg': 1.00
'5 mg' in '5 mg at night': 0.00
'take 5 mg' in 'now take 5 mg at night': 0.11
'5' in '5 mg': 0.00
'5' in 'take 5 mg': 0.00
END
