#!/usr/bin/env bash
# Microsoft's recognizers read ½ as 0, and two and a half hours as half an hour.
#
# Expected: a sign that is found as a number has its value, 0.5, as "1/2" and "half" have; what is not understood is not
# found. 两个半小时 is two and a half hours, as 两小时半 is.
# Seen with @microsoft/recognizers-text-suite 1.3.1 (Node 20): ½, ¼ and ¾ are numbers with the value 0, "1½ tablets" has
# no number, and "2½ hours" is a time of 1800 seconds; so is 两个半小时. The fifteenth day of the eighth month of the lunar
# calendar (农历) is 15 August.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @microsoft/recognizers-text-suite@1.3.1

cat > read.js <<'END'
const { recognizeDateTime, recognizeNumber } = require('@microsoft/recognizers-text-suite')
const number = (culture, text) => console.log(`${text}: ${recognizeNumber(text, culture).map(({ text, resolution }) => `${text} is ${resolution.value}`).join(', ')}`)
const time = (culture, text) => console.log(`${text}: ${recognizeDateTime(text, culture, undefined, new Date(2026, 2, 5)).map(({ text, resolution }) => `${text} is ${resolution.values.map(({ value }) => value)}`).join(', ')}`)
for (const text of ['1/2 tablet', '½ tablet', '¾ litre', '1½ tablets']) number('en-us', text)
for (const text of ['2.5 hours', '2½ hours']) time('en-us', text)
for (const text of ['两小时半', '两个半小时', '农历八月十五']) time('zh-cn', text)
END

node -p "'@microsoft/recognizers-text-suite ' + JSON.parse(fs.readFileSync('node_modules/@microsoft/recognizers-text-suite/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1/2 tablet: 1/2 is 0.5
½ tablet: ½ is 0
¾ litre: ¾ is 0
1½ tablets: 
2.5 hours: 2.5 hours is 9000
2½ hours: ½ hours is 1800
两小时半: 两小时半 is 9000
两个半小时: 半小时 is 1800
农历八月十五: 农历八月十五 is 2025-08-15,2026-08-15
END
