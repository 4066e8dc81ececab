#!/usr/bin/env bash
# markdown-it-plain-text joins the lines of a paragraph: "Take 5" and "10 drops" in the next line become "Take 510 drops".
#
# Expected: a line that ends within a paragraph parts words in Markdown, as a blank does, and two blanks at its end are a
# line break; markdown-it itself writes a line break for both.
# Seen with markdown-it-plain-text 0.3.0 and markdown-it 14.1.0 (Node 20): nothing stands in the place of either, so that
# in every note whose lines are broken at a width the last word of each line is joined with the first of the next one;
# paragraphs are apart. Steps have no numbers, and tags of HTML are text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts markdown-it@14.1.0 markdown-it-plain-text@0.3.0

cat > read.mjs <<'END'
import MarkdownIt from 'markdown-it'
import plainText from 'markdown-it-plain-text'
const md = new MarkdownIt().use(plainText.default || plainText)
for (const text of ['Take 5\n10 drops at night', 'Take 5  \n10 drops', 'Take 5\n\n10 drops', '> room 1\n> 2 floors up', '3. Mix\n4. Rest', '<b>5</b> mg', 'He lost 2019. It\nwas a year.']) {
  md.render(text)
  console.log(`${JSON.stringify(text)} -> ${JSON.stringify(md.plainText)}`)
}
END

for package in markdown-it markdown-it-plain-text; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5\n10 drops at night" -> "Take 510 drops at night "
"Take 5  \n10 drops" -> "Take 510 drops "
"Take 5\n\n10 drops" -> "Take 5 10 drops "
"> room 1\n> 2 floors up" -> "room 12 floors up "
"3. Mix\n4. Rest" -> "Mix Rest "
"<b>5</b> mg" -> "<b>5</b> mg "
"He lost 2019. It\nwas a year." -> "He lost 2019. Itwas a year. "
END
