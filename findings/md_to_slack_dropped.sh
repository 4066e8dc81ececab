#!/usr/bin/env bash
# md-to-slack leaves out tables, and joins the lines of a paragraph: "Room 1" above "2 floors up" is "Room 12 floors
# up".
#
# Expected: a table comes as text, as other converters for Slack have it, a line break as a new line.
# Seen with md-to-slack 1.1.7 (Node 20): of a table nothing is left and nothing is said, nor is anything between
# lines that a line break parts. "&lt;" is shown as it is written.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error md-to-slack@1.1.7

cat > convert.js <<'END'
import { markdownToSlack } from 'md-to-slack'
for (const markdown of ['Plan:\n\n| Day | mg |\n|---|---|\n| Monday | 5 |\n\nEnd.', 'Room 1  \n2 floors up', 'Dose &lt; 5 mg']) {
  console.log(JSON.stringify(markdownToSlack(markdown)))
}
END

node -p "'md-to-slack ' + JSON.parse(fs.readFileSync('node_modules/md-to-slack/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Plan:\n\nEnd."
"Room 12 floors up"
"Dose &amp;lt; 5 mg"
END
