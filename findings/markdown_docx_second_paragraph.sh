#!/usr/bin/env bash
# markdown-docx gives the second paragraph of a numbered step a number of its own.
#
# Expected: a paragraph that is indented below "1. Mix it." belongs to step 1 and has no number.
# Seen with markdown-docx 1.7.0 and mammoth 1.13.0 (Node 20): it is step 2, and step 2 is step 3. The names of
# characters are not read: "&lt;" is shown in Word as it is written in Markdown.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error markdown-docx@1.7.0 mammoth@1.13.0

cat > write.js <<'END'
import markdownDocx, { Packer } from 'markdown-docx'
import mammoth from 'mammoth'

for (const text of ['1. Mix it.\n\n   Wait a while.\n\n2. Heat it.\n', 'Dose &lt; 5 mg\n']) {
  const buffer = await Packer.toBuffer(await markdownDocx(text))
  console.log((await mammoth.convertToHtml({ buffer })).value)
}
END

for package in markdown-docx mammoth; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<ol><li>Mix it.</li><li>Wait a while.</li><li>Heat it.</li></ol>
<p>Dose &amp;lt; 5 mg</p>
END
