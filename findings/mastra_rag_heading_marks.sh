#!/usr/bin/env bash
# Mastra's splitter for Markdown writes a regular expression in the place of heading marks: "## Dose" is "#{1,6} Dose".
#
# Expected: the pieces of a document are its text, cut where a heading begins; the marks say which heading it is.
# Seen with @mastra/rag 2.6.4 and @mastra/core 1.71.0 (Node 20), with the strategy "markdown" and a size: short parts are
# put together by the pattern that finds a heading, not by what it found, so that all levels are alike and a model reads
# "#{1,6}". A piece that begins with a heading has it without its marks. The strategy "latex" drops \section{ and leaves
# the brace that closes it; "recursive" keeps all.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @mastra/rag@2.6.4 @mastra/core@1.71.0 zod@4.6.7

cat > split.mjs <<'END'
import { MDocument } from '@mastra/rag'
const markdown = '# Tea\n\nPour hot water over the leaves.\n\n## Dose\n\nOne spoon.\n\n### Children\n\nHalf a spoon.\n'
const latex = '\\section{Tea} Pour hot water over the leaves. \\subsection{Dose} One spoon.'
for (const [strategy, text] of [['markdown', markdown], ['recursive', markdown], ['latex', latex]]) {
  const chunks = await MDocument.fromText(text).chunk({ strategy, maxSize: 60, overlap: 0 })
  console.log(strategy, JSON.stringify(chunks.map(({ text }) => text)))
}
END

for package in @mastra/rag @mastra/core; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node split.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
markdown ["# Tea\n\nPour hot water over the leaves.","Dose\n\nOne spoon.\n\n#{1,6} Children\n\nHalf a spoon."]
recursive ["# Tea\n\nPour hot water over the leaves.\n\n## Dose\n\nOne spoon.","### Children\n\nHalf a spoon."]
latex ["Tea} Pour hot water over the leaves.","Dose} One spoon."]
END
