#!/usr/bin/env bash
# wtf_wikipedia gives the text of a section in another order than it is written: paragraphs first, then lists.
#
# Expected: plain text has what stands below a list below it, as the page has.
# Seen with wtf_wikipedia 10.4.1 (Node 20): "Then rest." comes before the steps that it follows.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error wtf_wikipedia@10.4.1

cat > read.js <<'END'
const wtf = require('wtf_wikipedia')
console.log(wtf('First do this:\n# Mix it.\n# Heat it.\n\nThen rest.\n\n# Cool it.\n').text())
END

node -p "'wtf_wikipedia ' + JSON.parse(fs.readFileSync('node_modules/wtf_wikipedia/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
END
