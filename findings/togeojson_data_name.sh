#!/usr/bin/env bash
# @tmcw/togeojson gives a place of a KML file the name and description that a field of its data has.
#
# Expected: <name> is the name of the place, and what stands in <ExtendedData> are values of its own, which tables made
# into maps often have by the same names; where both do not fit into one object, the place's own ones stay.
# Seen with @tmcw/togeojson 7.1.3 (Node 20): "Clinic" with a field "name" that holds the name of its owner is called by
# that, and a field "description" takes the place of the text. Nothing of the place's own is left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @tmcw/togeojson@7.1.3 @xmldom/xmldom@0.9.12

cat > read.mjs <<'END'
import { kml } from '@tmcw/togeojson'
import { DOMParser } from '@xmldom/xmldom'
for (const [name, text] of [['owner', 'note'], ['name', 'description']]) {
  const file = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark>
<name>Clinic</name><description>Open at 8.</description><ExtendedData>
<Data name="${name}"><value>Ann Roe</value></Data><Data name="${text}"><value>closed</value></Data></ExtendedData>
<Point><coordinates>8.5,47.5</coordinates></Point></Placemark></Document></kml>`
  console.log(JSON.stringify(kml(new DOMParser().parseFromString(file, 'text/xml')).features[0].properties))
}
END

node -p "'@tmcw/togeojson ' + JSON.parse(fs.readFileSync('node_modules/@tmcw/togeojson/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"name":"Clinic","description":"Open at 8.","owner":"Ann Roe","note":"closed"}
{"name":"Ann Roe","description":"closed"}
END
