#!/usr/bin/env bash
# epub-gen-memory numbers a list from 1 that the page numbers from another number.
#
# Expected: the HTML of a chapter is in the book as it was given, <ol start="3"> and <li value="7"> included, which
# EPUB has.
# Seen with epub-gen-memory 1.1.2 (Node 20): attributes that are not on a list of its own are dropped without a
# word, these two among them: step 3 becomes step 1. Those that join cells (rowspan) are kept.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error epub-gen-memory@1.1.2 jszip@3.10.1

cat > write.js <<'END'
const JSZip = require('jszip')
const epub = require('epub-gen-memory').default

async function main() {
  const content = '<ol start="3"><li>Mix.</li><li value="7">Heat.</li></ol><table><tr><td rowspan="2">a</td></tr></table>'
  const zip = await JSZip.loadAsync(await epub({ title: 'Steps', author: 'Ann Roe' }, [{ title: 'One', content }]))
  const [name] = Object.keys(zip.files).filter((file) => /\.xhtml$/.test(file) && !/toc/.test(file))
  const page = await zip.file(name).async('string')
  console.log(page.match(/<ol[^]*<\/table>/)[0].replace(/\s*\n\s*/g, ''))
}
main()
END

node -p "'epub-gen-memory ' + JSON.parse(fs.readFileSync('node_modules/epub-gen-memory/package.json')).version"
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<ol><li>Mix.</li><li>Heat.</li></ol><table><tr><td rowspan="2">a</td></tr></table>
END
