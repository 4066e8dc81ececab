#!/usr/bin/env bash
# jira2md takes an underline within a name for the beginning of emphasis, which Jira does not.
#
# Expected: a name such as max_dose_mg stays as it is: Jira emphasises only what stands between blanks or signs, and
# Markdown does the same with underlines.
# Seen with jira2md 3.0.1 (Node 20): emphasis begins within the name and ends in the next word that is emphasised, and
# the name lost its first underline.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error jira2md@3.0.1 marked@18.0.0

cat > convert.mjs <<'END'
import jira2md from 'jira2md'
import { marked } from 'marked'
const markdown = jira2md.to_markdown('Set max_dose_mg to 5, _not_ more.')
console.log(markdown)
console.log(marked.parse(markdown).trim())
END

node -p "'jira2md ' + JSON.parse(fs.readFileSync('node_modules/jira2md/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Set max*dose_mg to 5, _not* more.
<p>Set max<em>dose_mg to 5, _not</em> more.</p>
END
