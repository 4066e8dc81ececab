#!/usr/bin/env bash
# unitsnet-js makes 5 kilograms of 10 mg divided by 2 mg, and 298.15 °C of 20 °C and 5 °C.
#
# Expected: 5, a number without a unit, and 25 °C, or an error, as two temperatures are not added and a mass by a mass
# is no mass: each kind of quantity has a type of its own so that this cannot be mixed up.
# Seen with unitsnet-js 3.0.45 (Node 20): what is reckoned with two quantities is done with both in the base unit, and
# the result is of the same kind, in that unit: 5 cm by 2 cm are a length, 0.1 cm, and would be 10 in centimetres. 25
# °C less 20 °C are -268.15 °C. The readme divides one length by another, and has a length.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error unitsnet-js@3.0.45

cat > reckon.mjs <<'END'
import { Length, Mass, Temperature } from 'unitsnet-js'
const celsius = Temperature.FromDegreesCelsius
const round = (value) => Number(value.toPrecision(10))
console.log('10 mg + 2 mg:', round(Mass.FromMilligrams(10).add(Mass.FromMilligrams(2)).Milligrams), 'mg')
const ratio = Mass.FromMilligrams(10).divide(Mass.FromMilligrams(2))
console.log('10 mg / 2 mg:', ratio.constructor.name, round(ratio.Kilograms), 'kg')
const area = Length.FromCentimeters(5).multiply(Length.FromCentimeters(2))
console.log('5 cm * 2 cm:', area.constructor.name, round(area.Centimeters), 'cm')
console.log('20 °C + 5 °C:', round(celsius(20).add(celsius(5)).DegreesCelsius), '°C')
console.log('25 °C - 20 °C:', round(celsius(25).subtract(celsius(20)).DegreesCelsius), '°C')
END

node -p "'unitsnet-js ' + JSON.parse(fs.readFileSync('node_modules/unitsnet-js/package.json')).version"
node reckon.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
10 mg + 2 mg: 12 mg
10 mg / 2 mg: Mass 5 kg
5 cm * 2 cm: Length 0.1 cm
20 °C + 5 °C: 298.15 °C
25 °C - 20 °C: -268.15 °C
END
