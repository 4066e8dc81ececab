#!/usr/bin/env bash
# fhir, which converts FHIR between XML and JSON, gives the next name the extension of a name that has no value.
#
# Expected: where one of several values has only an extension, as "unknown" for a middle name, FHIR's JSON has null in
# its place, so that both lists are of the same length; a decimal is a number.
# Seen with fhir 4.12.0 (Node 20): the null is missing, so that the second name that is known, May, is the unknown one,
# also on the way from JSON to XML and back. A decimal is a text ("0.50"), which keeps its zeros and is no FHIR; an
# integer is a number.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error fhir@4.12.0

cat > convert.js <<'END'
const { Fhir } = require('fhir')
const fhir = new Fhir()
const given = ['Ann', null, 'May']
const unknown = { extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }] }
const patient = { resourceType: 'Patient', name: [{ given, _given: [null, unknown, null], family: 'Roe' }] }
const xml = fhir.objToXml(patient)
console.log(xml.match(/<given.*<\/given>|<given.*\/>/)[0])
const [name] = fhir.xmlToObj(xml).name
console.log('given', JSON.stringify(name.given))
console.log('_given', JSON.stringify(name._given.map(value => value && value.extension[0].valueCode)))
const observation = `<Observation xmlns="http://hl7.org/fhir"><status value="final"/><code><text value="Dose"/></code>
<valueQuantity><value value="0.50"/><unit value="mg"/></valueQuantity><component><code><text value="Day"/></code><valueInteger value="3"/></component></Observation>`
const { valueQuantity, component } = fhir.xmlToObj(observation)
console.log(JSON.stringify(valueQuantity), JSON.stringify(component[0].valueInteger))
END

node -p "'fhir ' + JSON.parse(fs.readFileSync('node_modules/fhir/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<given value="Ann"/><given><extension url="http://hl7.org/fhir/StructureDefinition/data-absent-reason"><valueCode value="unknown"/></extension></given>
given ["Ann","May"]
_given [null,"unknown"]
{"value":"0.50","unit":"mg"} 3
END
