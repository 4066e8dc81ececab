#!/usr/bin/env bash
# org2json joins the lines of a section of Org: "Take 5" above "10 drops" becomes "Take 510 drops".
#
# Expected: the text of a section is its lines, with what parts paragraphs and items; what stands above the first
# heading is a part of the file.
# Seen with org2json 3.2.2 (Node 20): all lines of a section follow one another with nothing between, items of lists and
# rows of tables, too, so that no reader can tell them apart again. The text above the first heading is gone.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error org2json@3.2.2

cat > read.js <<'END'
const { orgToJson } = require('org2json')
const main = async () => {
  for (const text of ['* Dose\nTake 5\n10 drops\n', '* Dose\nTake 5\n\n10 drops\n', '* Dose\n- Take 5\n- 10 drops\n', '* Dose\n| 5 | mg |\n| 10 | drops |\n', 'With food.\n* Dose\n5 mg\n']) {
    const { notes } = await orgToJson(text)
    console.log(JSON.stringify(text), '=>', notes.map(({ title, description }) => JSON.stringify([title, description])).join(' '))
  }
}
main()
END

node -p "'org2json ' + JSON.parse(fs.readFileSync('node_modules/org2json/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"* Dose\nTake 5\n10 drops\n" => ["Dose","Take 510 drops"]
"* Dose\nTake 5\n\n10 drops\n" => ["Dose","Take 510 drops"]
"* Dose\n- Take 5\n- 10 drops\n" => ["Dose","- Take 5- 10 drops"]
"* Dose\n| 5 | mg |\n| 10 | drops |\n" => ["Dose","| 5 | mg || 10 | drops |"]
"With food.\n* Dose\n5 mg\n" => ["Dose","5 mg"]
END
