#!/usr/bin/env bash
# slackdown writes the dates of Slack in a form that Markdown hides, and takes the underlines from names.
#
# Expected: <!date^...|18 March> is the text behind the bar where it cannot show the time, and max_dose_mg is a name:
# Slack has emphasis only around whole words.
# Seen with @bpinternal/slackdown 0.1.0 and commonmark 0.31.2 (Node 20): the date stays as it is, which is an element of
# HTML in Markdown, so that no reader of the page sees it, nor <!here>. The name is "max*dose*mg", which is shown as
# maxdosemg. A list within a list is one list.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @bpinternal/slackdown@0.1.0 commonmark@0.31.2

cat > read.mjs <<'END'
import { slackToMarkdown } from '@bpinternal/slackdown'
import { HtmlRenderer, Parser } from 'commonmark'
for (const text of ['Given on <!date^1773824400^{date}|18 March>, not before.', 'see max_dose_mg', 'see _max_ dose', '- a\n    - b\n- c']) {
  const markdown = slackToMarkdown(text)
  console.log(JSON.stringify(text), '->', JSON.stringify(markdown))
  console.log('  ' + new HtmlRenderer().render(new Parser().parse(markdown)).replace(/\n/g, ''))
}
END

node -p "'@bpinternal/slackdown ' + JSON.parse(fs.readFileSync('node_modules/@bpinternal/slackdown/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Given on <!date^1773824400^{date}|18 March>, not before." -> "Given on <!date^1773824400^{date}|18 March>, not before."
  <p>Given on <!date^1773824400^{date}|18 March>, not before.</p>
"see max_dose_mg" -> "see max*dose*mg"
  <p>see max<em>dose</em>mg</p>
"see _max_ dose" -> "see *max* dose"
  <p>see <em>max</em> dose</p>
"- a\n    - b\n- c" -> "* a\n\n * b\n* c"
  <ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul>
END
