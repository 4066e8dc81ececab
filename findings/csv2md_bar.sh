#!/usr/bin/env bash
# csv2md moves a dose out of its table where a name has a bar, and ends the table at a cell of two lines.
#
# Expected: a bar within a cell is written as \| and a line break as <br>, so that each row of a CSV file is one of the
# table.
# Seen with csv2md 1.1.0 and marked 18.0.0 (Node 20): both are written as they are. "A|B" is two cells, and the dose, then
# the third one of two columns, is not shown; what follows the line break in a cell is a row of its own.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error csv2md@1.1.0 marked@18.0.0

cat > convert.mjs <<'END'
import { csv2md } from 'csv2md'
import { marked } from 'marked'
const table = await csv2md('Drug,Dose\nA|B,5 mg\nC,"7 mg\nat night"\n')
console.log(table)
for (const [row] of marked(table).matchAll(/<tr>[^]*?<\/tr>/g)) console.log(row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim())
END

for package in csv2md marked; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Drug | Dose
---|---
A|B | 5 mg
C | 7 mg
at night

Drug Dose
A B
C 7 mg
at night
END
