#!/usr/bin/env bash
# Chatwoot's markdown-to-txt joins paragraphs and items, which the library that it was made from does not.
#
# Expected: a fork of markdown-to-txt, with the same readme, parts blocks of text by a blank line, too.
# Seen with @chatwoot/markdown-to-txt 2.0.4 and markdown-to-txt 2.0.1 (Node 20): nothing stands between a heading, a
# paragraph, an item or a row of a table and the next one: "Take 5" above "10 drops" is "Take 510 drops".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @chatwoot/markdown-to-txt@2.0.4 markdown-to-txt@2.0.1 lodash@4.17.21

cat > read.js <<'END'
const texts = ['# Dose\n\nTake 5\n\n10 drops\n', '- 5\n- 7\n', '| a | b |\n|---|---|\n| 5 | 10 |\n| 1 | 2 |\n']
for (const name of ['@chatwoot/markdown-to-txt', 'markdown-to-txt']) {
  for (const text of texts) console.log(`${name}: ${JSON.stringify(require(name).default(text))}`)
}
END

for package in @chatwoot/markdown-to-txt markdown-to-txt; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
@chatwoot/markdown-to-txt: "DoseTake 510 drops"
@chatwoot/markdown-to-txt: "57"
@chatwoot/markdown-to-txt: "a b5 101 2"
markdown-to-txt: "Dose\n\nTake 5\n\n10 drops"
markdown-to-txt: "5\n7"
markdown-to-txt: "a b\n5 10\n1 2"
END
