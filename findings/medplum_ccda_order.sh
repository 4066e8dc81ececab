#!/usr/bin/env bash
# Medplum's converter makes "Take 5 mg, not 10." of a C-CDA document "510Takemg, not." in FHIR.
#
# Expected: the narrative of a section, which is what people read of it, has its words in their order.
# Seen with @medplum/ccda 5.1.10 (Node 20, where it has to be told of a WebSocket that it does not open): all elements of
# a paragraph come before all of its text, which loses its blanks, and all paragraphs before all lists. The elements of
# C-CDA, such as <paragraph> and <list>, are put into XHTML, which does not know them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @medplum/ccda@5.1.10

cat > convert.mjs <<'END'
globalThis.WebSocket ??= class {}
const { convertCcdaToFhir, convertXmlToCcda } = await import('@medplum/ccda')
const bold = (text) => `<content styleCode="Bold">${text}</content>`
for (const narrative of ['<paragraph>Take 5 mg, not 10.</paragraph>', `<paragraph>Take ${bold(5)} mg, not ${bold(10)}.</paragraph>`, '<paragraph>5 mg<br/>10 mg</paragraph>', '<list><item>5 mg</item><item>10 mg</item></list>', '<paragraph>First.</paragraph><list><item>5 mg</item></list><paragraph>Last.</paragraph>']) {
  const text = `<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><templateId root="2.16.840.1.113883.10.20.22.1.1"/>
<id root="1.2.3"/><code code="34133-9" codeSystem="2.16.840.1.113883.6.1"/><title>Doses</title><effectiveTime value="202603060800+0000"/>
<recordTarget><patientRole><id extension="1" root="1.2"/><patient><name><given>Ann</given><family>Roe</family></name></patient></patientRole></recordTarget>
<component><structuredBody><component><section><templateId root="2.16.840.1.113883.10.20.22.2.65"/><code code="11506-3" codeSystem="2.16.840.1.113883.6.1"/>
<title>Doses</title><text>${narrative}</text></section></component></structuredBody></component></ClinicalDocument>`
  const { entry } = convertCcdaToFhir(convertXmlToCcda(text))
  const { section } = entry.find(({ resource }) => resource.resourceType === 'Composition').resource
  console.log(`${narrative}\n  ${section[0].text.div.replace(/^<div [^>]*>|<\/div>$/g, '')}`)
}
END

node -p "'@medplum/ccda ' + JSON.parse(fs.readFileSync('node_modules/@medplum/ccda/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<paragraph>Take 5 mg, not 10.</paragraph>
  <paragraph>Take 5 mg, not 10.</paragraph>
<paragraph>Take <content styleCode="Bold">5</content> mg, not <content styleCode="Bold">10</content>.</paragraph>
  <paragraph><content styleCode="Bold">5</content><content styleCode="Bold">10</content>Takemg, not.</paragraph>
<paragraph>5 mg<br/>10 mg</paragraph>
  <paragraph><br/>5 mg10 mg</paragraph>
<list><item>5 mg</item><item>10 mg</item></list>
  <list><item>5 mg</item><item>10 mg</item></list>
<paragraph>First.</paragraph><list><item>5 mg</item></list><paragraph>Last.</paragraph>
  <paragraph>First.</paragraph><paragraph>Last.</paragraph><list><item>5 mg</item></list>
END
