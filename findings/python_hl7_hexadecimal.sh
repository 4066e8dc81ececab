#!/usr/bin/env bash
# hl7 for Python reads the Chinese that it has escaped itself as other characters: "≥ 5" becomes a quotation mark and e.
#
# Expected: unescape takes back what escape has made: \X...\ holds bytes of a character in the character set of the
# message, or the text is left as it is where that is UTF-8.
# Seen with python3-hl7 0.4.5 (Debian 12): escape writes the number of a character, \X2265\ for ≥, and unescape reads
# each pair of digits as a character of its own. What is below U+0100, as µ and °, comes back. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-hl7=0.4.5-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > round.py <<'END'
import hl7

message = hl7.parse('MSH|^~\\&|LAB|A|EHR|B|20260305||ORU^R01|1|P|2.5.1\r')
for text in ['5 µg', '50 °C', 'A|B', '≥ 5', '高血压', 'Dvořák']:
    escaped = message.escape(text)
    print(text, '|', escaped, '|', repr(message.unescape(escaped)))
END
dpkg-query -W python3-hl7
PYTHONIOENCODING=utf-8 /usr/bin/python3 round.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5 µg | 5 \Xb5\g | '5 µg'
50 °C | 50 \Xb0\C | '50 °C'
A|B | A\F\B | 'A|B'
≥ 5 | \X2265\ 5 | '"e 5'
高血压 | \X9ad8\\X8840\\X538b\ | '\x9aØ\x88@S\x8b'
Dvořák | Dvo\X159\\Xe1\k | 'Dvo\x15\ták'
END
