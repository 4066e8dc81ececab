#!/usr/bin/env bash
# dom-anchor-text-quote finds a quotation of another dose: "Take 7 mg at night" is found at "Take 5 mg at night".
#
# Expected: the selector of the Web Annotation Data Model names the exact text; a quotation that the page does not have
# is not found (null), as it is with "banana", or the answer says how far it is from the text.
# Seen with dom-anchor-text-quote 4.0.2 (Node 20): a text that is nearly the same is the range, with nothing that tells
# it from an exact one, so that a note on 20 mg stands at 10 mg after the page was mended, and a check of quotations by
# it passes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error dom-anchor-text-quote@4.0.2 jsdom@29.1.1

cat > read.mjs <<'END'
import { toRange } from 'dom-anchor-text-quote'
import { JSDOM } from 'jsdom'
const { window } = new JSDOM('<body><p>Take 5 mg at night, not in the morning.</p><p>每天服用5毫克，不要超过10毫克。</p></body>')
Object.assign(globalThis, { document: window.document, Node: window.Node, NodeFilter: window.NodeFilter })
for (const exact of ['Take 5 mg at night', 'Take 7 mg at night', 'Take 5 mg at noon', '不要超过20毫克', 'banana']) console.log(exact, '->', toRange(window.document.body, { exact })?.toString() ?? null)
END

node -p "'dom-anchor-text-quote ' + JSON.parse(fs.readFileSync('node_modules/dom-anchor-text-quote/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Take 5 mg at night -> Take 5 mg at night
Take 7 mg at night -> Take 5 mg at night
Take 5 mg at noon -> Take 5 mg at nigh
不要超过20毫克 -> 不要超过10毫克
banana -> null
END
