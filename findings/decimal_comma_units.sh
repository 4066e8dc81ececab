#!/usr/bin/env bash
# Two libraries that read quantities make 15 of 1,5, as it is written from Lisbon to Moscow: ten times the dose.
#
# Expected: 1.5, or an error: three digits follow a comma that parts thousands, as in 1,500.
# Seen with python3-pint 0.19.2 (Debian 12) and timestring 7.0.0 (Node 20): commas are taken out before the number is
# read, wherever they stand. "1,5 mg" is 15 milligrams, "0,5 mg" none at all, and "1,5 hours" 15 hours. timestring also
# reads "-5m", five minutes before, as five minutes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-pint=0.19.2-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error timestring@7.0.0

cat > read.py <<'END'
import pint

units = pint.UnitRegistry()
for text in ['1,500 mg', '1.5 mg', '1,5 mg', '0,5 mg']:
    print('pint', text, '=>', units(text))
END
cat > read.js <<'END'
const timestring = require('timestring')
for (const text of ['1.5 hours', '1,5 hours', '-5m']) console.log('timestring', text, '=>', timestring(text, 'm'), 'minutes')
END

dpkg-query -W python3-pint
node -p "'timestring ' + JSON.parse(fs.readFileSync('node_modules/timestring/package.json')).version"
{ /usr/bin/python3 -W ignore read.py; node read.js; } > seen.txt
cat seen.txt
diff seen.txt - <<'END'
pint 1,500 mg => 1500 milligram
pint 1.5 mg => 1.5 milligram
pint 1,5 mg => 15 milligram
pint 0,5 mg => 0 milligram
timestring 1.5 hours => 90 minutes
timestring 1,5 hours => 900 minutes
timestring -5m => 5 minutes
END
