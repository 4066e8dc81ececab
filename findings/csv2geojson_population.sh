#!/usr/bin/env bash
# csv2geojson puts a country at the latitude of its population, because of the three letters "lat" in it, and reads
# 47,5 as 47.
#
# Expected: without a column for a latitude or longitude there is no place, and the readme has it that names like "lat"
# are found; a coordinate with a decimal comma, as it stands in a table with semicolons, is read or is an error, as
# "n/a" is; "47 22 30 S" is south.
# Seen with csv2geojson 5.1.2 (Node 20): "lat" counts anywhere in a name ("Population", "Translation") and "lon" or
# "lng" does, too ("Longest river", "Salon"); both values are taken out of the table. What follows a comma or the first
# number is left out without a word, with the sign of the south.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error csv2geojson@5.1.2

cat > read.mjs <<'END'
import csv2geojson from 'csv2geojson'
const read = (name, text, delimiter) => csv2geojson.csv2geojson(text, { delimiter }, (errors, { features }) => {
  for (const { geometry, properties } of features) console.log(`${name}:`, JSON.stringify(geometry?.coordinates ?? null), JSON.stringify(properties))
  for (const { message } of errors ?? []) console.log(`${name}:`, message)
})
read('rivers', 'Country,Population,Longest river\nA,5,10\n', ',')
read('cities', 'City,Inhabitants,Longest river\nA,5,10\n', ',')
read('comma', 'name;lat;lon\nA;47,5;8,5\nB;47.5;8.5\nC;n/a;8.5\n', ';')
read('south', 'name,lat,lon\nA,47 22 30 S,8 30 0 W\nB,"47°22\'30""S","8°30\'0""W"\n', ',')
END

node -p "'csv2geojson ' + JSON.parse(fs.readFileSync('node_modules/csv2geojson/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
rivers: [10,5] {"Country":"A"}
cities: null {"City":"A","Inhabitants":"5","Longest river":"10"}
comma: [8,47] {"name":"A"}
comma: [8.5,47.5] {"name":"B"}
comma: A row contained an invalid value for latitude or longitude
south: [8,47] {"name":"A"}
south: [-8.5,-47.375] {"name":"B"}
END
