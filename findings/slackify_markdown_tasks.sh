#!/usr/bin/env bash
# slackify-markdown makes tasks that are done and those that are not look the same.
#
# Expected: "[x]" and "[ ]" stay as they are, since messages of Slack have no boxes, or become signs.
# Seen with slackify-markdown 4.5.0 (Node 20): both become a bullet and the text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error slackify-markdown@4.5.0

cat > convert.mjs <<'END'
import * as all from 'slackify-markdown'
const convert = all.slackifyMarkdown || all.default
console.log(convert('- [ ] Call the ward\n- [x] Take the pills\n').trim())
END

node -p "'slackify-markdown ' + JSON.parse(fs.readFileSync('node_modules/slackify-markdown/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
•   Call the ward
•   Take the pills
END
