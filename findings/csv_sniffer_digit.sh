#!/usr/bin/env bash
# csv-sniffer finds that columns are parted by the digit 0: "Tea;10" is "Tea;1" and nothing.
#
# Expected: of all signs that a file could part its columns by, a semicolon, a comma or a tab comes before a digit or a
# letter; quotation marks around "Roe, Ann" keep a comma.
# Seen with csv-sniffer 0.1.1 (Node 20), which considers all of ASCII where it is not told what to consider: what comes as
# often in each line can be the one, digits and blanks before the semicolon, so that a file is read rightly or not by the
# numbers that happen to be in it. Where commas stand within quotation marks it finds one column. "warnings" is empty.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts csv-sniffer@0.1.1

cat > read.js <<'END'
const Sniffer = require('csv-sniffer')()
for (const text of ['Tea;10\nMilk;20\n', '08:00;20:00\n09:00;21:00\n', 'Ann Roe;5 mg\nJo Doe;10 mg\n', 'name,dose\n"Roe, Ann",5\n"Doe, Jo",10\n', 'name;dose\nTea;10\nMilk;20\n', 'Tea;10\nMilk;20\nSalt;5\n']) {
  const { delimiter, quoteChar, labels, records, warnings } = new Sniffer().sniff(text)
  console.log(`${JSON.stringify(text)}: delimiter ${JSON.stringify(delimiter)}, quotes ${quoteChar}, labels ${JSON.stringify(labels)}, warnings ${warnings.length}\n  ${JSON.stringify(records)}`)
}
END

node -p "'csv-sniffer ' + JSON.parse(fs.readFileSync('node_modules/csv-sniffer/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Tea;10\nMilk;20\n": delimiter "0", quotes null, labels null, warnings 0
  [["Tea;1",""],["Milk;2",""]]
"08:00;20:00\n09:00;21:00\n": delimiter "2", quotes null, labels null, warnings 0
  [["08:00;","0:00"],["09:00;","1:00"]]
"Ann Roe;5 mg\nJo Doe;10 mg\n": delimiter " ", quotes null, labels ["Ann","Roe;5","mg"], warnings 0
  [["Jo","Doe;10","mg"]]
"name,dose\n\"Roe, Ann\",5\n\"Doe, Jo\",10\n": delimiter null, quotes null, labels ["name,dose"], warnings 0
  [["\"Roe, Ann\",5"],["\"Doe, Jo\",10"]]
"name;dose\nTea;10\nMilk;20\n": delimiter ";", quotes null, labels ["name","dose"], warnings 0
  [["Tea","10"],["Milk","20"]]
"Tea;10\nMilk;20\nSalt;5\n": delimiter ";", quotes null, labels null, warnings 0
  [["Tea","10"],["Milk","20"],["Salt","5"]]
END
