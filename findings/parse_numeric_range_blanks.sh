#!/usr/bin/env bash
# parse-numeric-range leaves pages out of a list without a word: of "12, 5 - 7, 20" it gives 12 and 20.
#
# Expected: 5 - 7 is a range as 5-7 is, and what is not understood is an error, as multi-integer-range 6.1.0 has both. It
# lets blanks be around a comma, and reads two and three points between numbers.
# Seen with parse-numeric-range 1.3.0 (Node 20): a part with a blank around its hyphen, with the dash that books write
# between pages (5–7), or with a word is passed over, and the rest is the list. The pages of a citation, or the lines to be
# shown of a note, are then fewer than were asked for.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts parse-numeric-range@1.3.0 multi-integer-range@6.1.0

cat > read.mjs <<'END'
import range from 'parse-numeric-range'
import { flatten, parse } from 'multi-integer-range'
for (const text of ['12, 5-7', '12, 5 - 7, 20', '12, 5–7, 20', '5-7 and 9, 20', '7-5', '1,000-1,002']) {
  let second
  try { second = flatten(parse(text)).join(' ') } catch (error) { second = error.message }
  console.log(`${text} -> ${range(text).join(' ') || 'nothing'} | multi-integer-range: ${second}`)
}
END

for package in parse-numeric-range multi-integer-range; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
12, 5-7 -> 12 5 6 7 | multi-integer-range: 5 6 7 12
12, 5 - 7, 20 -> 12 20 | multi-integer-range: 5 6 7 12 20
12, 5–7, 20 -> 12 20 | multi-integer-range: Invalid input
5-7 and 9, 20 -> 20 | multi-integer-range: Invalid input
7-5 -> 7 6 5 | multi-integer-range: 5 6 7
1,000-1,002 -> 1 0 1 2 | multi-integer-range: 0 1 2
END
