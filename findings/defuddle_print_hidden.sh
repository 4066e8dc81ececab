#!/usr/bin/env bash
# Defuddle leaves out what a page hides only on paper, in the dark or on a wide screen.
#
# Expected: it removes what readers do not see. Of the classes of Tailwind, `hidden` alone hides; `print:hidden` is seen on
# every screen and `dark:hidden` by day, as `hidden md:block` is seen on a computer.
# Seen with defuddle 0.19.4 and linkedom 0.18.15 (Node 20): paragraphs with print:hidden, dark:hidden, hover:hidden,
# md:hidden and lg:invisible are gone without a word; "hidden md:block" is kept.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error defuddle@0.19.4 linkedom@0.18.15

cat > read.mjs <<'END'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'

const rest = `<p>${'The dose depends on the kidneys, the weight and the age, as several trials have shown. '.repeat(8)}</p>`
for (const classes of ['', 'hidden', 'print:hidden', 'dark:hidden', 'hover:hidden', 'md:hidden', 'lg:invisible', 'hidden md:block']) {
  const page = `<!doctype html><html><head><title>Doses</title></head><body><article><h1>Doses</h1>${rest}<p class="${classes}">Children get 5 mg.</p>${rest}</article></body></html>`
  const { content } = await Defuddle(parseHTML(page).document, 'https://example.org/')
  console.log(`${classes || 'no class'}: ${content.includes('5 mg') ? 'kept' : 'gone'}`)
}
END

node -p "['defuddle', 'linkedom'].map(name => name + ' ' + JSON.parse(fs.readFileSync('node_modules/' + name + '/package.json')).version).join(', ')"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
no class: kept
hidden: gone
print:hidden: gone
dark:hidden: gone
hover:hidden: gone
md:hidden: gone
lg:invisible: gone
hidden md:block: kept
END
