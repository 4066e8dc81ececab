#!/usr/bin/env bash
# humanparser takes the Chinese name Ma for a degree: Jo Ma has no last name, and the suffix "Ma".
#
# Expected: a degree follows a last name, as MA in "Ann Roe, MA"; of two words the last is the last name.
# Seen with humanparser 2.7.0 and parse-full-name 1.2.7 (Node 20): the last name is empty, also for "Ma, Jo".
# parse-full-name reads that one, and has no first name for Bin Li, Du Fu and Van Morrison, as it takes the first word
# for a part of the last name, like "van" in van Gogh. Both are silent.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error humanparser@2.7.0 parse-full-name@1.2.7

cat > read.mjs <<'END'
import humanparser from 'humanparser'
import { parseFullName } from 'parse-full-name'
for (const name of ['Ann Roe, MA', 'Jo Ma', 'Ma, Jo', 'Jo Li', 'Bin Li', 'Du Fu', 'Van Morrison', 'Vincent van Gogh']) {
  const one = humanparser.parseName(name)
  const other = parseFullName(name)
  console.log(name)
  console.log(`  humanparser: first "${one.firstName}", last "${one.lastName}", suffix "${one.suffix ?? ''}"`)
  console.log(`  parse-full-name: first "${other.first}", last "${other.last}", suffix "${other.suffix}"`)
}
END

for package in humanparser parse-full-name; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Ann Roe, MA
  humanparser: first "Ann", last "Roe", suffix "MA"
  parse-full-name: first "Ann", last "Roe", suffix "MA"
Jo Ma
  humanparser: first "Jo", last "", suffix "Ma"
  parse-full-name: first "Jo", last "Ma", suffix ""
Ma, Jo
  humanparser: first "Jo", last "", suffix "Ma"
  parse-full-name: first "Jo", last "Ma", suffix ""
Jo Li
  humanparser: first "Jo", last "Li", suffix ""
  parse-full-name: first "Jo", last "Li", suffix ""
Bin Li
  humanparser: first "Bin", last "Li", suffix ""
  parse-full-name: first "", last "Bin Li", suffix ""
Du Fu
  humanparser: first "Du", last "Fu", suffix ""
  parse-full-name: first "", last "Du Fu", suffix ""
Van Morrison
  humanparser: first "Van", last "Morrison", suffix ""
  parse-full-name: first "", last "Van Morrison", suffix ""
Vincent van Gogh
  humanparser: first "Vincent", last "van Gogh", suffix ""
  parse-full-name: first "Vincent", last "van Gogh", suffix ""
END
