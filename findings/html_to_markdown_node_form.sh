#!/usr/bin/env bash
# Kreuzberg's html-to-markdown leaves out all that stands in a form: of a page that is one form, nothing is left.
#
# Expected: a form is a part of its page as any other; programs that make pages with ASP.NET put all of a page into one.
# Seen with @kreuzberg/html-to-markdown-node 3.7.2 (Node 20), without options: headings and paragraphs within <form> are
# gone, without a word, while those of <aside> and <header> are kept. A table without headings whose rows differ in
# length, as one with rowspan, becomes a list, in which 10 mg belongs to no day; and "Take 5" is joined with the
# paragraph below it in a quotation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @kreuzberg/html-to-markdown-node@3.7.2

cat > read.mjs <<'END'
import kreuzberg from '@kreuzberg/html-to-markdown-node'
const pages = ['<header><p>Head.</p></header><form><h1>Dose</h1><p>Take 5 mg.</p></form><aside><p>Aside.</p></aside>', '<body><form id="aspnetForm"><h1>Dose</h1><p>Take 5 mg.</p></form></body>',
  '<table><tr><td rowspan="2">Monday</td><td>5 mg</td></tr><tr><td>10 mg</td></tr></table>', '<blockquote>Take 5<p>10 drops</p></blockquote>']
for (const page of pages) {
  const result = kreuzberg.convert(page)
  console.log(`${page}\n  ${JSON.stringify(result.content)} warnings: ${result.warnings?.length ?? 'none'}`)
}
END

node -p "'@kreuzberg/html-to-markdown-node ' + JSON.parse(fs.readFileSync('node_modules/@kreuzberg/html-to-markdown-node/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<header><p>Head.</p></header><form><h1>Dose</h1><p>Take 5 mg.</p></form><aside><p>Aside.</p></aside>
  "Head.\n\nAside.\n" warnings: 0
<body><form id="aspnetForm"><h1>Dose</h1><p>Take 5 mg.</p></form></body>
  "" warnings: 0
<table><tr><td rowspan="2">Monday</td><td>5 mg</td></tr><tr><td>10 mg</td></tr></table>
  "- Monday 5 mg\n- 10 mg\n" warnings: 0
<blockquote>Take 5<p>10 drops</p></blockquote>
  "> Take 510 drops\n" warnings: 0
END
