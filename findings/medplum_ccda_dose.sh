#!/usr/bin/env bash
# Medplum's converter makes a dose of 0.5 mg in a C-CDA document 0.5 international units in FHIR.
#
# Expected: a dose keeps its unit, or has none, as its value stays.
# Seen with @medplum/ccda 5.1.10 (Node 20, where it has to be told of a WebSocket that it does not open): every dose of a
# medication is in [IU], whatever its unit, as a dose of insulin happens to be; that of an immunization is left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @medplum/ccda@5.1.10

cat > convert.mjs <<'END'
globalThis.WebSocket ??= class {}
const { convertCcdaToFhir, convertXmlToCcda } = await import('@medplum/ccda')
const entry = (template, dose, product) => `<entry><substanceAdministration classCode="SBADM" moodCode="EVN">
<templateId root="2.16.840.1.113883.10.20.22.4.${template}"/><id root="1.2.3.4"/><statusCode code="active"/>
<effectiveTime value="20260306"/>${dose}<consumable><manufacturedProduct classCode="MANU">
<templateId root="2.16.840.1.113883.10.20.22.4.${product}"/><manufacturedMaterial><code code="1" displayName="Tea"/></manufacturedMaterial>
</manufacturedProduct></consumable></substanceAdministration></entry>`
const section = (template, code, entry) => `<component><section><templateId root="2.16.840.1.113883.10.20.22.2.${template}"/>
<code code="${code}" codeSystem="2.16.840.1.113883.6.1"/><title>Doses</title><text>Doses</text>${entry}</section></component>`
for (const dose of ['<doseQuantity value="0.5" unit="mg"/>', '<doseQuantity value="20" unit="[IU]"/>', '<doseQuantity value="2" unit="mL"/>', '<doseQuantity value="1"/>']) {
  const text = `<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><templateId root="2.16.840.1.113883.10.20.22.1.1"/>
<id root="1.2.3"/><code code="34133-9" codeSystem="2.16.840.1.113883.6.1"/><title>Doses</title><effectiveTime value="202603060800+0000"/>
<recordTarget><patientRole><id extension="1" root="1.2"/><patient><name><given>Ann</given><family>Roe</family></name></patient></patientRole></recordTarget>
<component><structuredBody>${section('1.1', '10160-0', entry(16, dose, 23))}${section('2.1', '11369-6', entry(52, dose, 54))}</structuredBody></component></ClinicalDocument>`
  const { entry: all } = convertCcdaToFhir(convertXmlToCcda(text))
  const of = (type) => all.find(({ resource }) => resource.resourceType === type).resource
  const shown = (quantity) => quantity && `${quantity.value} ${quantity.unit}`
  console.log(`${dose}: ${shown(of('MedicationRequest').dosageInstruction[0].doseAndRate?.[0].doseQuantity)}, of an immunization ${shown(of('Immunization').doseQuantity)}`)
}
END

node -p "'@medplum/ccda ' + JSON.parse(fs.readFileSync('node_modules/@medplum/ccda/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<doseQuantity value="0.5" unit="mg"/>: 0.5 [IU], of an immunization undefined
<doseQuantity value="20" unit="[IU]"/>: 20 [IU], of an immunization undefined
<doseQuantity value="2" unit="mL"/>: 2 [IU], of an immunization undefined
<doseQuantity value="1"/>: 1 [IU], of an immunization undefined
END
