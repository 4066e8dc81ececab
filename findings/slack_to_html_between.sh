#!/usr/bin/env bash
# slack-to-html strikes out the dose that stands between two struck-out ones.
#
# Expected: of "~5 mg~; 10 mg; ~7 mg~" 10 mg is valid: what is struck out ends at the next tilde that can end it, as it
# does where a comma follows.
# Seen with @clearfeed-ai/slack-to-html 1.2.7 (Node 20): a semicolon, a bracket or the full stop of Chinese behind the mark
# does not end it, so that all up to the next one is struck out, and likewise bold. Of two struck-out words next to each
# other, the second is left with its tildes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @clearfeed-ai/slack-to-html@1.2.7

cat > convert.js <<'END'
const { escapeForSlackWithMarkdown } = require('@clearfeed-ai/slack-to-html')
for (const text of ['~5 mg~, 10 mg, ~7 mg~', '~5 mg~; 10 mg; ~7 mg~', '*Ann*; Bob; *Eve*', '~5毫克~。每天10毫克。 ~7毫克~', '~5 mg~ ~7 mg~ 10 mg']) {
  console.log(escapeForSlackWithMarkdown(text).replace(/ class="[a-z_]*"/g, ''))
}
END

node -p "'@clearfeed-ai/slack-to-html ' + JSON.parse(fs.readFileSync('node_modules/@clearfeed-ai/slack-to-html/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<s>5 mg</s>, 10 mg, <s>7 mg</s>
<s>5 mg~; 10 mg; ~7 mg</s>
<strong>Ann*; Bob; *Eve</strong>
<s>5毫克~。每天10毫克。 ~7毫克</s>
<s>5 mg</s> ~7 mg~ 10 mg
END
