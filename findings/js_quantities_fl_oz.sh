#!/usr/bin/env bash
# Two libraries for units take "3 fl oz" for femtolitres times ounces, and one of them a pH for an inductance.
#
# Expected: fluid ounces, which both know as floz, or an error: no word of a unit is a prefix with another unit. The
# examples of both readmes part units by signs.
# Seen with js-quantities 1.8.0 and unitmath 0.8.8 (Node 20): "3 fl oz" is 3 fl*oz, 8.5e-20 kg m³, without an error, and
# "3 cu ft" is cups times feet in js-quantities; "7.4 pH" is 7.4 picohenries. Its table has "gr" for grains (64.8 mg) and
# for gross: "5 gr" is 720.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error js-quantities@1.8.0 unitmath@0.8.8

cat > read.mjs <<'END'
import Qty from 'js-quantities'
import unit from 'unitmath'
for (const text of ['3 floz', '3 fl oz', '3 cu ft', '7.4 pH', '5 gr']) {
  const read = Qty.parse(text)
  console.log(`js-quantities ${text}: ${read}, ${read.toBase()}, ${read.kind()}`)
}
for (const text of ['3 floz', '3 fl oz']) console.log(`unitmath ${text}: ${unit(text)}, ${unit(text).simplify()}`)
END

for package in js-quantities unitmath; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
js-quantities 3 floz: 3 floz, 0.0000887205891 m3, volume
js-quantities 3 fl oz: 3 fl*oz, 8.504856930000001e-20 m3*kg, undefined
js-quantities 3 cu ft: 3 cu*ft, 0.0002163362848272 m4, undefined
js-quantities 7.4 pH: 7.4 pH, 7.4e-12 m2*kg/s2*A2, inductance
js-quantities 5 gr: 5 gr, 720 doz2, unitless
unitmath 3 floz: 3 floz, 88.7205886875 cm^3
unitmath 3 fl oz: 3 fl oz, 8.5048569375e-20 kg m^3
END
