#!/usr/bin/env bash
# three-way-merge brings back a line that one side deleted, and tells of no conflict.
#
# Expected: where one side deletes "Take 5 mg" and the other adds a line elsewhere, the line is gone and the other one
# there, as git merge-file has it; where both change the same place, there is a conflict. The readme says it works like
# git merge, and shows a deleted line.
# Seen with three-way-merge 0.1.0 (Node 20) and git's merge-file: as soon as the other side adds something behind it, the
# deletion is lost without a word (conflict is false), so that a dose that was struck from a note on one device is in the
# merged note. Two different changes of one line are a conflict.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts three-way-merge@0.1.0

cat > read.js <<'END'
const { execFileSync } = require('child_process')
const { writeFileSync } = require('fs')
const merge = require('three-way-merge').default

const git = (...texts) => {
  const files = ['left', 'base', 'right']
  texts.forEach((text, i) => writeFileSync(files[i], text + '\n'))
  try {
    return JSON.stringify(execFileSync('git', ['merge-file', '-p', ...files]).toString().trim())
  } catch {
    return 'conflict'
  }
}
for (const [base, left, right] of [
  ['one\nTake 5 mg\nthree', 'one\nthree', 'one\nTake 5 mg\nthree\nfour'],
  ['one\nTake 5 mg', 'one', 'one\nTake 5 mg\nthree'],
  ['Take 5 mg at night\nRest', 'Rest', 'Take 5 mg at night\nRest well'],
  ['Take 5 mg at night', 'Take 5 mg', 'Take 5 mg at night with food'],
  ['Take 5 mg', 'Take 10 mg', 'Take 5 ml']
]) {
  const merged = merge(base, left, right)
  console.log(`${JSON.stringify([base, left, right])}: ${merged.conflict ? 'conflict' : JSON.stringify(merged.joinedResults())} | git: ${git(left, base, right)}`)
}
END

node -p "'three-way-merge ' + JSON.parse(fs.readFileSync('node_modules/three-way-merge/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
["one\nTake 5 mg\nthree","one\nthree","one\nTake 5 mg\nthree\nfour"]: "one\nTake 5 mg\nthree\nfour" | git: "one\nthree\nfour"
["one\nTake 5 mg","one","one\nTake 5 mg\nthree"]: "one\nTake 5 mg\nthree" | git: conflict
["Take 5 mg at night\nRest","Rest","Take 5 mg at night\nRest well"]: "Take 5 mg at night\nRest well" | git: conflict
["Take 5 mg at night","Take 5 mg","Take 5 mg at night with food"]: "Take 5 mg at night with food" | git: conflict
["Take 5 mg","Take 10 mg","Take 5 ml"]: conflict | git: conflict
END
