#!/usr/bin/env bash
# @atomic-ehr/ucum makes 1 joule per degree Celsius 1273.15 joules per kelvin, and refuses the unit of kidney function.
#
# Expected: the same number, or an error: UCUM does not let such a unit be a part of another one, and
# @lhncbc/ucum-lhc 7.1.10 refuses it. mL/min/{1.73_m2} and g% are units of UCUM, kg/m^2 is none.
# Seen with @atomic-ehr/ucum 0.2.5 (Node 20): the 273.15 of the zero of Celsius is added to whatever has a degree in it,
# and 2 degrees in an hour are 48 in a day, nearly. The readme has annotations and special units among what it knows.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @atomic-ehr/ucum@0.2.5 @lhncbc/ucum-lhc@7.1.10

cat > read.mjs <<'END'
import { ucum } from '@atomic-ehr/ucum'
import { UcumLhcUtils } from '@lhncbc/ucum-lhc'
const other = UcumLhcUtils.getInstance()
const tried = (convert) => {
  try {
    return convert()
  } catch (error) {
    return error.message
  }
}
for (const [value, from, to] of [[37, 'Cel', '[degF]'], [1, 'J/Cel', 'J/K'], [1, 'W/m2/Cel', 'W/m2/K'], [1, 'Cel/d', '[degF]/d'], [2, 'Cel/h', 'Cel/d'], [90, 'mL/min/{1.73_m2}', 'L/h'], [14, 'g%', 'g/dL'], [25, 'kg/m^2', 'kg/m2']]) {
  const { status, toVal } = other.convertUnitTo(from, value, to)
  console.log(`${value} ${from}: ${tried(() => Number(ucum.convert(value, from, to).toFixed(4)))} ${to}, ucum-lhc ${status === 'succeeded' ? Number(toVal.toFixed(4)) : status}`)
}
END

for package in @atomic-ehr/ucum @lhncbc/ucum-lhc; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs 2> log.txt > seen.txt
cat seen.txt
diff seen.txt - <<'END'
37 Cel: 98.6 [degF], ucum-lhc 98.6
1 J/Cel: 1273.15 J/K, ucum-lhc failed
1 W/m2/Cel: 1273.15 W/m2/K, ucum-lhc failed
1 Cel/d: 32 [degF]/d, ucum-lhc failed
2 Cel/h: 48 Cel/d, ucum-lhc failed
90 mL/min/{1.73_m2}: Invalid source unit: mL/min/{1.73_m2} L/h, ucum-lhc 5.4
14 g%: Invalid source unit: g% g/dL, ucum-lhc 14
25 kg/m^2: 25 kg/m2, ucum-lhc failed
END
