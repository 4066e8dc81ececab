#!/usr/bin/env bash
# parse-price makes 510 of "5-10 $", and 1.234 of 1,234.
#
# Expected: the first price of a text, or none: a text has other numbers, too, and three digits follow a comma that
# parts thousands, as it reads in 1,234.50.
# Seen with parse-price 1.1.8 (Node 20): all digits of a text are one number, whatever stands between them, so that "5
# for 10" is 510 and "Save 20% now 5.99" is 205.99. A minus and brackets, which make an amount negative, count for
# nothing, and so does the M of 1.5M. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error parse-price@1.1.8

cat > read.mjs <<'END'
import parsePrice from 'parse-price'
for (const text of ['1,234.50', '1.234,50 €', '1,234', '5-10 $', '5 for 10', 'Save 20% now 5.99', '4.5 stars, $20', '-5', '(5.00)', '$1.5M']) console.log(text, '->', parsePrice(text))
END

node -p "'parse-price ' + JSON.parse(fs.readFileSync('node_modules/parse-price/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1,234.50 -> 1234.5
1.234,50 € -> 1234.5
1,234 -> 1.234
5-10 $ -> 510
5 for 10 -> 510
Save 20% now 5.99 -> 205.99
4.5 stars, $20 -> 45.2
-5 -> 5
(5.00) -> 5
$1.5M -> 1.5
END
