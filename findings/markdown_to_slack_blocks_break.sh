#!/usr/bin/env bash
# markdown-to-slack-blocks joins what a line break parts: "Take 5" above "10 drops" becomes "Take 510 drops".
#
# Expected: a hard break of Markdown is a new line in Slack, and the second paragraph of a step or of a quotation is a
# line of its own; what Slack has no sign for is text at least.
# Seen with markdown-to-slack-blocks 1.5.0 (Node 20): two lines of a paragraph are one word, and so are two paragraphs
# of a step or a quotation for who joins the texts of its elements, as Slack shows them. A quotation, a block of code or
# a table within a step is gone, and so are a footnote and its mark. A list that begins with 3 begins with 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error markdown-to-slack-blocks@1.5.0

cat > convert.mjs <<'END'
import { markdownToBlocks } from 'markdown-to-slack-blocks'
// The texts of the blocks, those of a list or a quotation with their type and their order.
const shown = ({ type, text, elements, offset }) => {
  if (elements) return `${type}${offset === undefined ? '' : ` from ${offset}`}[${elements.map(shown).join('+')}]`
  return text?.text ?? text
}
for (const markdown of ['Take 5\n10 drops', 'Take 5  \n10 drops', 'Take 5\\\n10 drops', '> Take 5\n>\n> 10 drops', '- Take 5\n\n  10 drops', '- Dose\n\n  ```\n  5 mg\n  ```', '- Dose\n\n  > 5 mg', '3. Take 5', 'Take it.[^1]\n\n[^1]: With food.']) {
  console.log(`${JSON.stringify(markdown)}\n  ${JSON.stringify(markdownToBlocks(markdown).map(shown).join(' '))}`)
}
END

node -p "'markdown-to-slack-blocks ' + JSON.parse(fs.readFileSync('node_modules/markdown-to-slack-blocks/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5\n10 drops"
  "Take 5\n10 drops"
"Take 5  \n10 drops"
  "Take 510 drops"
"Take 5\\\n10 drops"
  "Take 510 drops"
"> Take 5\n>\n> 10 drops"
  "rich_text[rich_text_quote[Take 5+10 drops]]"
"- Take 5\n\n  10 drops"
  "rich_text[rich_text_list[rich_text_section[Take 5+10 drops]]]"
"- Dose\n\n  ```\n  5 mg\n  ```"
  "rich_text[rich_text_list[rich_text_section[Dose]]]"
"- Dose\n\n  > 5 mg"
  "rich_text[rich_text_list[rich_text_section[Dose]]]"
"3. Take 5"
  "rich_text[rich_text_list[rich_text_section[Take 5]]]"
"Take it.[^1]\n\n[^1]: With food."
  "Take it."
END
