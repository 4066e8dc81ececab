#!/usr/bin/env bash
# Djot's own writer makes a list of a sentence that begins with a year, and moves a dose to another column.
#
# Expected: what is escaped in a text ("2019\. It was", "5 \| 6" in a cell) is escaped again where it is written, as the
# writer does it with "*", "_" and "#": a document that is read and written says the same.
# Seen with @djot/djot 0.3.2 (Node 20): at the beginning of a paragraph the marks of lists, of terms and of tables are
# written bare, and so is the bar in a cell, so that the next reader finds a list, a table, or a row with a cell more
# than its head has. A minus becomes a bullet: "- 5 mg" is 5 mg.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @djot/djot@0.3.2

cat > write.mjs <<'END'
import { parse, renderDjot, renderHTML } from '@djot/djot'
const html = (text) => renderHTML(parse(text)).replace(/>\n</g, '><').trim().replaceAll('\n', ' ')
for (const text of ['\\# 5 mg', '5\\*10', '2019\\. It was.', '\\- 5 mg', '5\\) mg', '\\: 5 mg', '| Dose | Unit |\n|---|---|\n| 5 \\| 6 | mg |']) {
  const written = renderDjot(parse(text))
  console.log(JSON.stringify(text), '=>', JSON.stringify(written.trim()))
  if (html(text) !== html(written)) console.log(`  ${html(text)}\n  ${html(written)}`)
}
END

node -p "'@djot/djot ' + JSON.parse(fs.readFileSync('node_modules/@djot/djot/package.json')).version"
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"\\# 5 mg" => "\\# 5 mg"
"5\\*10" => "5\\*10"
"2019\\. It was." => "2019. It was."
  <p>2019. It was.</p>
  <ol start="2019"><li> It was. </li></ol>
"\\- 5 mg" => "- 5 mg"
  <p>- 5 mg</p>
  <ul><li> 5 mg </li></ul>
"5\\) mg" => "5) mg"
  <p>5) mg</p>
  <ol start="5"><li> mg </li></ol>
"\\: 5 mg" => ": 5 mg"
  <p>: 5 mg</p>
  <dl><dt>5 mg</dt><dd></dd></dl>
"| Dose | Unit |\n|---|---|\n| 5 \\| 6 | mg |" => "|Dose|Unit|\n|---|---|\n|5 | 6|mg|"
  <table><tr><th>Dose</th><th>Unit</th></tr><tr><td>5 | 6</td><td>mg</td></tr></table>
  <table><tr><th>Dose</th><th>Unit</th></tr><tr><td>5</td><td>6</td><td>mg</td></tr></table>
END
