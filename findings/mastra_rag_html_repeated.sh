#!/usr/bin/env bash
# Mastra's splitter for HTML gives the words of a section several times, and once without anything between them.
#
# Expected: what stands below a heading is in its piece once, paragraphs and cells apart by a blank or a line.
# Seen with @mastra/rag 2.6.4 and @mastra/core 1.71.0 (Node 20), with the strategy "html" and headers: an element counts
# with all that is in it, and so does each element within it, so that a word in bold is there three times and a cell
# four times. "5" beside "10" is also 510, and "5 mg" above "10 drops" is "5 mg10 drops".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @mastra/rag@2.6.4 @mastra/core@1.71.0 zod@4.6.7

cat > split.mjs <<'END'
import { MDocument } from '@mastra/rag'
for (const body of ['<p>Rest.</p>', '<p>Take <b>5</b> mg.</p>', '<p>5 mg<br>10 drops</p>', '<table><tr><td>5</td><td>10</td></tr></table>', '<ul><li>Mix.</li><li>Drink.</li></ul>']) {
  const chunks = await MDocument.fromHTML(`<h2>Dose</h2>${body}`).chunk({ strategy: 'html', headers: [['h2', 'Heading']] })
  console.log(body, '=>', JSON.stringify(chunks.map(({ text }) => text)))
}
END

for package in @mastra/rag @mastra/core; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node split.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<p>Rest.</p> => ["Rest. Rest."]
<p>Take <b>5</b> mg.</p> => ["Take 5 mg. Take  5 5  mg."]
<p>5 mg<br>10 drops</p> => ["5 mg10 drops 5 mg 10 drops"]
<table><tr><td>5</td><td>10</td></tr></table> => ["510 510 5 5 10 10"]
<ul><li>Mix.</li><li>Drink.</li></ul> => ["Mix.Drink. Mix. Mix. Drink. Drink."]
END
