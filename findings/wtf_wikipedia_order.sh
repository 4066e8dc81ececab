#!/usr/bin/env bash
# wtf_wikipedia puts a line that follows a list before the list, into the sentence that introduces it.
#
# Expected: plain text has what stands below a list below it, as the page has: the line begins a paragraph there.
# Seen with wtf_wikipedia 10.4.2 (Node 20): "Then rest." comes before the steps that it follows, and so does what
# follows a table. With a blank line after the list the order is right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error wtf_wikipedia@10.4.2

cat > read.js <<'END'
const wtf = require('wtf_wikipedia')
for (const text of ['Do this:\n# Mix it.\n# Heat it.\nThen rest.', 'Do this:\n# Mix it.\n# Heat it.\n\nThen rest.']) {
  console.log(wtf(text).text().split(/\s*\n\s*/).join(' / '))
}
END

node -p "'wtf_wikipedia ' + JSON.parse(fs.readFileSync('node_modules/wtf_wikipedia/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Do this: Then rest. / * 1) Mix it. / * 2) Heat it.
Do this: / * 1) Mix it. / * 2) Heat it. / Then rest.
END
