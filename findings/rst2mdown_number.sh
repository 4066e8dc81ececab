#!/usr/bin/env bash
# rst2mdown takes a number at the beginning of a line for that of a list: "5 mg a day" becomes "1. mg a day".
#
# Expected: a number without a full stop or a bracket begins no list in reStructuredText; a simple table, between lines
# of "=", is a table of Markdown or keeps its words, and so does a note.
# Seen with rst2mdown 0.1.0 (Node 20): the number is gone, and each list begins with 1. It does the same with the first
# column of a table, of which no value is left where the columns are narrow, and makes a heading of its head; what
# stands in ".. note::" is gone.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error rst2mdown@0.1.0

cat > convert.js <<'END'
const convert = require('rst2mdown')
for (const text of ['Dose\n====\n\nTake 5 mg.\n', '====  ====\nDose  Unit\n====  ====\n5     mg\n10    drops\n====  ====\n', '=  ==\na  b\n=  ==\n5  10\n=  ==\n', '5 mg a day\n', 'Take it.\n\n.. note:: Not 10 mg.\n\nNow.\n', '3. Mix it.\n4. Take it.\n']) {
  console.log(`${JSON.stringify(text)}\n  ${JSON.stringify(convert(text).trim())}`)
}
END

node -p "'rst2mdown ' + JSON.parse(fs.readFileSync('node_modules/rst2mdown/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Dose\n====\n\nTake 5 mg.\n"
  "# Dose #\n\nTake 5 mg."
"====  ====\nDose  Unit\n====  ====\n5     mg\n10    drops\n====  ====\n"
  "====  ====\n# Dose  Unit #\n\n====\n1. mg\n   10    drops\n\n====  ===="
"=  ==\na  b\n=  ==\n5  10\n=  ==\n"
  "- ==\n- b\n\n- ==\n- 10\n\n- =="
"5 mg a day\n"
  "1. mg a day"
"Take it.\n\n.. note:: Not 10 mg.\n\nNow.\n"
  "Take it.\n\nNow."
"3. Mix it.\n4. Take it.\n"
  "1. Mix it.\n2. Take it."
END
