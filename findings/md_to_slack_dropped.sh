#!/usr/bin/env bash
# md-to-slack leaves out tables and line breaks, and joins an item with the list below it.
#
# Expected: a table comes as text, as other converters for Slack have it, a line break as a new line.
# Seen with md-to-slack 1.1.7 (Node 20): of a table nothing is left, "Vitamin B" with a line break before "12 tablets" is
# "Vitamin B12 tablets", and the first step of a list below an item is glued to it. "&lt;" is shown as it is written.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error md-to-slack@1.1.7

cat > convert.js <<'END'
import { markdownToSlack } from 'md-to-slack'
for (const markdown of ['Plan:\n\n| Day | mg |\n|---|---|\n| Monday | 5 |\n\nEnd.', 'Vitamin B  \n12 tablets', '- Tea\n  1. Boil\n  2. Pour', 'Dose &lt; 5 mg']) {
  console.log(JSON.stringify(markdownToSlack(markdown)))
}
END

node -p "'md-to-slack ' + JSON.parse(fs.readFileSync('node_modules/md-to-slack/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Plan:\n\nEnd."
"Vitamin B12 tablets"
"- Tea1. Boil\n2. Pour"
"Dose &amp;lt; 5 mg"
END
