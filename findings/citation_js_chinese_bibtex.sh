#!/usr/bin/env bash
# Citation.js writes no Chinese into BibTeX: titles, journals and names are empty.
#
# Expected: BibTeX with the characters as they are, which every program of today reads, or an error.
# Seen with citation-js 0.7.22 and its BibTeX plugin 0.7.21 (Node 20): what has no command in LaTeX is left out,
# without a word, so that an author is ", " and a title is empty; accents become commands, as a setting of the
# plugin (asciiOnly) has it by default. The same item as RIS has every character, and so have names that stand in
# one piece (`literal`) in BibTeX.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error citation-js@0.7.22 @citation-js/plugin-bibtex@0.7.21 @citation-js/core@0.7.21

cat > cite.js <<'END'
const Cite = require('citation-js')
const cite = new Cite({
  id: 'a',
  type: 'article-journal',
  title: '血压的测量',
  author: [{ family: '王', given: '伟' }, { family: 'Müller', given: 'Jo' }, { literal: '世界卫生组织' }],
  'container-title': '家庭医学',
})
const lines = (format) => cite.format(format).split('\n').map((line) => line.trim())
console.log(lines('ris').filter((line) => /^(AU|TI|T2)/.test(line)).join('\n'))
console.log(lines('bibtex').filter((line) => /^(author|title|journal)/.test(line)).join('\n'))
END

for package in citation-js @citation-js/plugin-bibtex; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node cite.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
AU  - 王, 伟
AU  - Müller, Jo
AU  - 世界卫生组织
T2  - 家庭医学
TI  - 血压的测量
author = {,  and M{\" u}ller, Jo and {世界卫生组织}},
journal = {},
title = {},
END
