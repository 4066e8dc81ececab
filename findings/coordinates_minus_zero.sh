#!/usr/bin/env bash
# Two readers of coordinates lose the minus of zero degrees: half a degree west of Greenwich is half a degree east.
#
# Expected: -0 30 0 is -0.5, as -1 30 0 is -1.5.
# Seen with @openaip/coordinate-parser 0.31.1 and @mapbox/sexagesimal 1.2.0 (Node 20): the sign is that of the number of
# degrees, and zero has none, so that the place, in the west of London, lies 70 km off. With W instead of the minus
# it is read.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @openaip/coordinate-parser@0.31.1 @mapbox/sexagesimal@1.2.0

cat > read.mjs <<'END'
import { Parser } from '@openaip/coordinate-parser'
import sexagesimal from '@mapbox/sexagesimal'
for (const text of ['51 30 0, -1 30 0', '51 30 0, -0 30 0']) console.log('coordinate-parser', text, '->', new Parser().parse(text).longitude)
for (const text of ["-1°30'", "-0°30'", "0°30' W"]) console.log('sexagesimal', text, '->', sexagesimal(text))
END

for package in @openaip/coordinate-parser @mapbox/sexagesimal; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
coordinate-parser 51 30 0, -1 30 0 -> -1.5
coordinate-parser 51 30 0, -0 30 0 -> 0.5
sexagesimal -1°30' -> -1.5
sexagesimal -0°30' -> 0.5
sexagesimal 0°30' W -> -0.5
END
