#!/usr/bin/env bash
# html-to-epub takes the width and the height of a cell away, so that the values of a table move to other columns.
#
# Expected: rowspan and colspan, which EPUB has as HTML has them, are in the book, as the class of an element is.
# Seen with @lesjoursfr/html-to-epub 6.2.0 (Node 20): attributes that are not on a list of its own (allowedAttributes)
# are dropped without a word, these two among them: the dose of the second row stands below "Day". The numbers at which
# a list and an item begin go the same way.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @lesjoursfr/html-to-epub@6.2.0

cat > read.mjs <<'END'
import { EPub } from '@lesjoursfr/html-to-epub'
import { execFileSync } from 'node:child_process'
const table = '<table class="doses"><tr><th>Day</th><th>Dose</th></tr><tr><td rowspan="2">Monday</td><td>5 mg</td></tr><tr><td>10 mg</td></tr><tr><td colspan="2">Rest.</td></tr></table>'
const list = '<ol start="3"><li>Boil</li><li value="7">Pour</li></ol>'
const book = new EPub({ title: 'Plan', author: 'Ann Roe', content: [{ title: 'Doses', data: table + list }] }, 'plan.epub')
await book.render()
const page = execFileSync('unzip', ['-p', 'plan.epub', 'OEBPS/0_doses.xhtml'], { encoding: 'utf8' })
console.log(page.match(/<table[^]*<\/ol>/)[0].replace(/<\/tr>|<\/table>/g, '$&\n').trim())
END

node -p "'@lesjoursfr/html-to-epub ' + JSON.parse(fs.readFileSync('node_modules/@lesjoursfr/html-to-epub/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<table class="doses"><tbody><tr><th>Day</th><th>Dose</th></tr>
<tr><td>Monday</td><td>5 mg</td></tr>
<tr><td>10 mg</td></tr>
<tr><td>Rest.</td></tr>
</tbody></table>
<ol><li>Boil</li><li>Pour</li></ol>
END
