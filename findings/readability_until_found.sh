#!/usr/bin/env bash
# Readability and Defuddle leave out the sections of a page that are folded up until they are found.
#
# Expected: hidden="until-found" is no hidden text: the HTML Standard has it for sections that are folded up, which the
# search of a browser finds and opens, as <details> is. Both libraries keep what is in a closed <details>.
# Seen with @mozilla/readability 0.6.0, defuddle 0.19.4 and linkedom 0.18.15 (Node 20): the section is gone with its
# heading, so that a saved article says less than a person finds in the page.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @mozilla/readability@0.6.0 defuddle@0.19.4 linkedom@0.18.15

cat > read.mjs <<'END'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'

const rest = `<p>${'The dose depends on the kidneys, the weight and the age, as several trials have shown. '.repeat(8)}</p>`
const page = (section) => parseHTML(`<!doctype html><html><head><title>Doses</title></head><body><article><h1>Doses</h1>${rest}${section}${rest}</article></body></html>`).document
for (const [name, section] of [
  ['open', '<h2>Children</h2><section><p>They get 5 mg.</p></section>'],
  ['details', '<details><summary>Children</summary><p>They get 5 mg.</p></details>'],
  ['until-found', '<h2>Children</h2><section hidden="until-found"><p>They get 5 mg.</p></section>'],
]) {
  const said = (text) => (text.includes('5 mg') ? 'kept' : 'gone')
  const { content } = await Defuddle(page(section), 'https://example.org/')
  console.log(`${name}: Readability ${said(new Readability(page(section)).parse().textContent)}, Defuddle ${said(content)}`)
}
END

node -p "['@mozilla/readability', 'defuddle', 'linkedom'].map(name => name + ' ' + JSON.parse(fs.readFileSync('node_modules/' + name + '/package.json')).version).join(', ')"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
open: Readability kept, Defuddle kept
details: Readability kept, Defuddle kept
until-found: Readability gone, Defuddle gone
END
