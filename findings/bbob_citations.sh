#!/usr/bin/env bash
# BBob makes elements of HTML of what a text has in square brackets: [1] and [Roe 2020] are not to be seen.
#
# Expected: brackets around what is no tag of BBCode stay as they were typed, as forums show them.
# Seen with @bbob/html 4.4.1 and @bbob/preset-html5 4.4.1, which knows its tags (Node 20): [1] becomes <1></1>, which
# shows nothing or is shown as it is, [Roe 2020] an element "Roe", and list[0] loses its index. An author in a
# quotation (quote="Ann Roe") is left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @bbob/html@4.4.1 @bbob/preset-html5@4.4.1

cat > convert.js <<'END'
const { default: bbobHTML } = require('@bbob/html')
const { default: presetHTML5 } = require('@bbob/preset-html5')
for (const text of ['It helps [b]adults[/b] [1].', 'See [Roe 2020], p. 5.', 'Take list[0].', '[quote="Ann Roe"]5 mg[/quote]']) console.log(text, '->', bbobHTML(text, presetHTML5()))
END

for package in @bbob/html @bbob/preset-html5; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
It helps [b]adults[/b] [1]. -> It helps <span style="font-weight: bold;">adults</span> <1></1>.
See [Roe 2020], p. 5. -> See <Roe 2020></Roe 2020>, p. 5.
Take list[0]. -> Take list<0></0>.
[quote="Ann Roe"]5 mg[/quote] -> <blockquote><p>5 mg</p></blockquote>
END
