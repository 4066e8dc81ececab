#!/usr/bin/env bash
# jcampconverter moves the values of a spectrum to other wavenumbers where one value is missing.
#
# Expected: "?" in a table of JCAMP-DX stands for a value that is not valid: its place is counted, and the value is
# none.
# Seen with jcampconverter 12.5.3 (Node 20): it is left out, and each value after it on the line stands one place too
# early, so that the value of 402 is that of 401; a line says where it begins, and the next one does not mend it. There
# is one point less than the file says that it has, and no error.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error jcampconverter@12.5.3

cat > read.mjs <<'END'
import { convert } from 'jcampconverter'
for (const second of ['22', '?']) {
  const file = ['##TITLE=Test', '##JCAMP-DX=4.24', '##DATA TYPE=INFRARED SPECTRUM', '##XUNITS=1/CM', '##YUNITS=ABSORBANCE', '##XFACTOR=1', '##YFACTOR=0.5', '##FIRSTX=400', '##LASTX=404', '##NPOINTS=5', '##FIRSTY=10', '##XYDATA=(X++(Y..Y))', `400 20 ${second} 24`, '403 26 28', '##END='].join('\n')
  const { x, y } = convert(file).flatten[0].spectra[0].data
  console.log(second, JSON.stringify(x), JSON.stringify(y))
}
END

node -p "'jcampconverter ' + JSON.parse(fs.readFileSync('node_modules/jcampconverter/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
22 [400,401,402,403,404] [10,11,12,13,14]
? [400,401,402,403] [10,12,13,14]
END
