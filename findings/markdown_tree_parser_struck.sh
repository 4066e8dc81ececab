#!/usr/bin/env bash
# markdown-tree-parser takes the line through a struck-out dose away where it begins a paragraph, and the boxes from tasks.
#
# Expected: a section that is taken out of a document says what it says there, as tables and footnotes do.
# Seen with @kayvan/markdown-tree-parser 1.6.1 and marked 18.0.0 (Node 20): it knows neither what GitHub strikes out nor
# its lists of tasks, takes "~~" at the beginning of a line for that of code and "[" for that of a link, and escapes both.
# So "~~5 mg~~ 10 mg" becomes "\~~5 mg~~ 10 mg", which is not struck out any more; in the middle of a line it is. What was
# done and what was not are items with brackets.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @kayvan/markdown-tree-parser@1.6.1 marked@18.0.0

cat > read.mjs <<'END'
import { MarkdownTreeParser } from '@kayvan/markdown-tree-parser'
import { marked } from 'marked'
const parser = new MarkdownTreeParser()
for (const text of ['# Plan\n\n~~5 mg~~ 10 mg\n', '# Plan\n\nTake ~~5 mg~~ 10 mg\n', '# Plan\n\n- [x] rest\n- [ ] tea\n', '# Plan\n\n| a | b |\n| - | - |\n| ~~5~~ | 10 |\n']) {
  const section = await parser.stringify(parser.extractSection(await parser.parse(text), 'Plan'))
  const html = (markdown) => marked(markdown).replace(/<h1>.*<\/h1>|\s*\n\s*/g, '')
  console.log(`${JSON.stringify(section)}\n  before: ${html(text)}\n  now: ${html(section)}`)
}
END

for package in @kayvan/markdown-tree-parser marked; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"# Plan\n\n\\~~5 mg~~ 10 mg\n"
  before: <p><del>5 mg</del> 10 mg</p>
  now: <p>~~5 mg~~ 10 mg</p>
"# Plan\n\nTake ~~5 mg~~ 10 mg\n"
  before: <p>Take <del>5 mg</del> 10 mg</p>
  now: <p>Take <del>5 mg</del> 10 mg</p>
"# Plan\n\n* \\[x] rest\n* \\[ ] tea\n"
  before: <ul><li><input checked="" disabled="" type="checkbox"> rest</li><li><input disabled="" type="checkbox"> tea</li></ul>
  now: <ul><li>[x] rest</li><li>[ ] tea</li></ul>
"# Plan\n\n| a | b |\n| - | - |\n| ~~5~~ | 10 |\n"
  before: <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><del>5</del></td><td>10</td></tr></tbody></table>
  now: <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><del>5</del></td><td>10</td></tr></tbody></table>
END
