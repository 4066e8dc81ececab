#!/usr/bin/env bash
# martian leaves out of a Notion page what stands in a block of HTML, and makes 106 cells of 10⁶.
#
# Expected: Markdown allows HTML, as its writers use it for what it has no sign for: Notion has toggles for <details> and
# lines within a paragraph for <br>, and text without a form of its own is text at least.
# Seen with @tryfabric/martian 1.2.4 (Node 20): of <p> and <details> nothing is left, and nothing is said; a line break
# is nothing, be it <br> or Markdown's own, so that 5 above 10 mg is 510 mg. A picture in a sentence stands
# behind it, without its text: "Press the red button twice" is "Press twice".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @tryfabric/martian@1.2.4

cat > convert.mjs <<'END'
import { markdownToBlocks } from '@tryfabric/martian'
// Each block by its type, with its text, or its caption where it is a picture.
const show = block => {
  const { rich_text: text = [], caption = [] } = block[block.type]
  return `${block.type}(${[...text, ...caption].map(({ text }) => text.content).join('')})`
}
for (const text of ['10<sup>6</sup> cells', '5<br>10 mg', '5  \n10 mg', '<details><summary>Dose</summary>5 mg</details>', '<p>Not with milk.</p>',
  'Press ![the red button](https://example.org/red.png) twice.']) {
  console.log(JSON.stringify(text), '=>', markdownToBlocks(text).map(show).join(' ') || 'nothing')
}
END

node -p "'@tryfabric/martian ' + JSON.parse(fs.readFileSync('node_modules/@tryfabric/martian/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"10<sup>6</sup> cells" => paragraph(106 cells)
"5<br>10 mg" => paragraph(510 mg)
"5  \n10 mg" => paragraph(510 mg)
"<details><summary>Dose</summary>5 mg</details>" => nothing
"<p>Not with milk.</p>" => nothing
"Press ![the red button](https://example.org/red.png) twice." => paragraph(Press  twice.) image()
END
