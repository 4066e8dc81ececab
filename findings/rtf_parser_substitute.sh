#!/usr/bin/env bash
# rtf-parser shows a character and also what stands after it for programs that do not know Unicode.
#
# Expected: in "\u20013?" the question mark is skipped, as \uc1 says and as is so where \uc is not written.
# Seen with rtf2text 1.0.1 and @iarna/rtf-to-html 1.1.0, which both read with rtf-parser 1.3.3 (Node 20): every
# Chinese character is followed by a question mark, and é by the e that stands in for it. It follows \uc0 rightly,
# where nothing is to be skipped. A picture ({\pict ...}) is text, too: its bytes in hexadecimal.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error rtf-parser@1.3.3 rtf2text@1.0.1 @iarna/rtf-to-html@1.1.0

cat > read.js <<'END'
const { string: readText } = require('rtf2text')
const { fromString: readPage } = require('@iarna/rtf-to-html')
const call = (read, file) => new Promise((resolve, reject) => read(file, (error, result) => error ? reject(error) : resolve(result)))

async function main() {
  for (const text of ['\\uc1\\u20013?\\u25991?', '\\u20013?\\u25991?', "caf\\u233\\'65", 'caf\\u233e', '\\uc0\\u20013\\u25991', 'a {\\pict\\pngblip 89504e47} b']) {
    const file = `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}\\f0 ${text}\\par}`
    const page = await call(readPage, file)
    console.log(text, JSON.stringify((await call(readText, file)).trim()), JSON.stringify(/<p>(.*?)<\/p>/s.exec(page)[1]))
  }
}
main()
END

for package in rtf-parser rtf2text @iarna/rtf-to-html; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
\uc1\u20013?\u25991? "中?文?" "中?文?"
\u20013?\u25991? "中?文?" "中?文?"
caf\u233\'65 "cafée" "cafée"
caf\u233e "cafée" "cafée"
\uc0\u20013\u25991 "中文" "中文"
a {\pict\pngblip 89504e47} b "a 89504e47 b" "a 89504e47 b"
END
