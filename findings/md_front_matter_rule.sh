#!/usr/bin/env bash
# md-front-matter ends a note at its first horizontal rule, and takes what stands between two rules for its front matter.
#
# Expected: front matter is what stands between the first line of a file, "---", and the next such line; all below it is
# the note, as six other readers have it, rules included.
# Seen with md-front-matter 1.0.4 (Node 20): it cuts the file at each such line and takes the second piece for the front
# matter and the third one for the note, so that what follows a rule is gone, and of a note without front matter what
# stands above the first rule. An indented line of dashes within a block of YAML counts, too. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts md-front-matter@1.0.4

cat > read.js <<'END'
const matter = require('md-front-matter')
const texts = {
  'a rule below': '---\ntitle: Plan\n---\nTake 5 mg.\n\n---\n\nNot with milk.\n',
  'two rules': '---\ntitle: Plan\n---\nTake 5 mg.\n\n---\n\nNot with milk.\n\n---\n\nEnds in May.\n',
  'no front matter': 'Take 5 mg.\n\n---\nAsk: first\n---\n\nNot with milk.\n',
  'a block with a line': '---\nplan: |\n  Take 5 mg.\n  ---\n  Rest.\n---\nNot with milk.\n'
}
for (const [name, text] of Object.entries(texts)) console.log(`${name}: ${JSON.stringify((matter.matter || matter.default || matter)(text))}`)
END

node -p "'md-front-matter ' + JSON.parse(fs.readFileSync('node_modules/md-front-matter/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
a rule below: {"data":{"title":"Plan"},"content":"Take 5 mg.\n\n"}
two rules: {"data":{"title":"Plan"},"content":"Take 5 mg.\n\n"}
no front matter: {"data":{"Ask":"first"},"content":"\nNot with milk.\n"}
a block with a line: {"data":{"plan":"Take 5 mg.\n"},"content":"  Rest.\n"}
END
