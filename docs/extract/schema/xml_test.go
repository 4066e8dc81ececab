package schema

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const clinicalDocument = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="CDA.xsl"?><!-- made by hand -->
<ClinicalDocument xmlns="urn:hl7-org:v3"><typeId root="2.16.840.1.113883.1.3"/><code code="18842-5" displayName="Discharge Summary"/><title>Discharge of a lighthouse keeper</title>
<effectiveTime value="20240305101500+0100"/><recordTarget><patientRole><patient><name><given>Ada</given><family>Seaborn</family></name></patient></patientRole></recordTarget>
<author><assignedAuthor><assignedPerson><name>Dr. Hidden</name></assignedPerson></assignedAuthor></author>
<component><structuredBody>
<component><section><templateId root="2.16.840.1"/><title>Allergies</title><text><table><thead><tr><th>Substance</th><th>Reaction</th></tr></thead><tbody><tr><td ID="a1">Kelp</td><td>Hives<sup>2</sup></td></tr></tbody></table>
<list listType="ordered"><item>No shell<content>fish</content></item></list><paragraph>5 mg<content revised="delete"> 7 mg</content></paragraph></text>
<entry><observation><code displayName="Allergy to kelp"/></observation></entry></section></component>
<component><section><title>Results</title><text/><entry><organizer><component><observation><templateId root="1.2.3"/><code code="718-7" displayName="Hemoglobin"/><statusCode code="completed"/><effectiveTime value="20240304"/><value value="13.2" unit="g/dL"/></observation></component>
<component><observation><code displayName="Culture"/><value>No growth</value></observation></component>
<component><observation><code displayName="Troponin"/><value><high value="5" unit="ng/L" inclusive="false"/></value></observation></component>
<component><observation><code displayName="INR"/><value value="2.5"/><referenceRange><low value="0.9"/><high value="1.1" unit="1"/></referenceRange></observation></component>
<component><procedure negationInd="true"><code displayName="Biopsy"/><statusCode code="aborted"/></procedure></component></organizer></entry></section></component>
</structuredBody></component></ClinicalDocument>`

const drugLabel = `<document xmlns="urn:hl7-org:v3"><title>KELPOSAN tablets</title><effectiveTime value="20230102"/><author><name>A firm</name></author>
<component><structuredBody><component><section><code displayName="INDICATIONS"/><title>1 INDICATIONS</title><text><paragraph>For calm seas.</paragraph></text><excerpt><highlight><text><paragraph>Calm seas (1)</paragraph></text></highlight></excerpt>
<component><section><title>1.1 Storms</title><text><paragraph>Not for <content styleCode="bold">st</content>orms.</paragraph></text></section></component></section></component>
<component><section><title>PRODUCT</title><subject><manufacturedProduct><name>Kelposan</name><ingredient><ingredientSubstance><name>KELP</name></ingredientSubstance><quantity><numerator value="5" unit="mg"/></quantity></ingredient></manufacturedProduct></subject></section></component></structuredBody></component></document>`

const article = `<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" "JATS.dtd">
<article article-type="research-article"><front><journal-meta><journal-title>Hidden Journal</journal-title></journal-meta><article-meta><article-id pub-id-type="doi">10.1/hidden</article-id>
<title-group><article-title>Gulls count to 10<sup>9</sup></article-title></title-group>
<contrib-group><contrib><name><surname>Seaborn</surname><given-names>Ada</given-names></name><xref ref-type="aff">1</xref></contrib> <contrib><name><surname>Quay</surname><given-names>Bo</given-names></name></contrib></contrib-group>
<pub-date><day>5</day><month>3</month><year>2024</year></pub-date><abstract><p>Gulls were counted.</p></abstract><kwd-group><kwd>gull</kwd><kwd>count</kwd></kwd-group></article-meta></front>
<body><sec><label>1</label><title>Methods</title><p>We watch<italic>ed</italic> <strike>two</strike> them<xref>3</xref>.</p><sec><title>Place <strike>one</strike> two</title><p>A <bold>pier</bold>.</p>
<fig><label>Figure 1.</label><caption><title>The pier.</title><p>At low tide.</p></caption><graphic href="hidden.png"/></fig></sec></sec>
<sec><title>Results</title><table-wrap><label>Table 1</label><caption><p>Counts</p></caption><table><tr><th>Day</th><th>Gulls</th></tr><tr><td>1</td><td>40</td></tr></table></table-wrap>
<disp-formula><alternatives><tex-math>\hidden</tex-math><math><mi>n</mi><mo>=</mo><mn>40</mn></math></alternatives></disp-formula></sec></body>
<back><ack><p>To the gulls.</p></ack><ref-list><ref><label>3.</label><element-citation><person-group><name><surname>Tern</surname><given-names>C</given-names></name></person-group><year>1999</year><article-title>On terns</article-title><pub-id>hidden</pub-id></element-citation></ref></ref-list></back></article>`

const tomboy = `<?xml version="1.0" encoding="utf-8"?><note version="0.3" xmlns:link="http://beatniksoftware.com/tomboy/link" xmlns:size="http://beatniksoftware.com/tomboy/size" xmlns="http://beatniksoftware.com/tomboy"><title>Knots &amp; rope</title>
<text xml:space="preserve"><note-content version="0.1">Knots &amp; rope

A <bold>bow</bold>line <strikethrough>never</strikethrough> holds.
See <link:internal>Anchors</link:internal>.
<list><list-item dir="ltr">hemp
</list-item><list-item dir="ltr">nylon</list-item></list></note-content></text><last-change-date>2024-03-05T10:15:00.0+01:00</last-change-date><width>450</width><tags><tag>system:notebook:Hidden</tag></tags></note>`

const cherryTree = `<?xml version="1.0"?><cherrytree><bookmarks list="1"/><node name="Knots" unique_id="7" prog_lang="custom-colors"><rich_text scale="h1">Loops</rich_text><rich_text>
Tie </rich_text><rich_text weight="heavy">bow</rich_text><rich_text>lines </rich_text><rich_text strikethrough="true">x</rich_text><rich_text>:
</rich_text><rich_text>
Done.</rich_text><table char_offset="21"><row><cell>hemp</cell><cell>3</cell></row><row><cell>Rope</cell><cell>Metres</cell></row></table><encoded_png char_offset="24" filename="knots.pdf">aGlkZGVu</encoded_png>
<node name="Code" prog_lang="python3"><rich_text>def tie():
    pass</rich_text></node></node></cherrytree>`

var xmlTests = []struct{ name, raw, title, date, text string }{
	{"C-CDA", clinicalDocument, "Discharge of a lighthouse keeper: Ada Seaborn", "2024-03-05",
		"# Discharge of a lighthouse keeper: Ada Seaborn\n\n## Allergies\n\n| Substance | Reaction |\n| --- | --- |\n| Kelp | Hives² |\n\n1. No shellfish\n\n5 mg\n\n## Results\n\nHemoglobin, 2024-03-04, 13.2 g/dL\n\nCulture, No growth\n\nTroponin, < 5 ng/L\n\nINR, 2.5, ≥ 0.9, ≤ 1.1\n\nnegated, Biopsy, aborted\n"},
	{"a section of C-CDA", `<section><templateId root="2.16.840.1.113883.10.20.22.2.6.1"/><title>Plan</title><text>Rest.</text></section>`, "", "", "## Plan\n\nRest.\n"},
	{"an entry of C-CDA", `<act classCode="ACT"><templateId root="2.16.840.1.113883.10.20.22.4.30"/><code displayName="Concern"/><performer><assignedPerson><name><given>Henry</given><family>Seven</family></name></assignedPerson></performer></act>`, "", "", "Concern, Henry Seven\n"},
	{"a part of C-CDA without identifiers", `<informant><!-- example --><assignedEntity><assignedPerson><name><given>Henry</given><family>Seven</family></name></assignedPerson></assignedEntity></informant>`, "", "", "Henry Seven\n"},
	{"SPL", drugLabel, "KELPOSAN tablets", "2023-01-02",
		"# KELPOSAN tablets\n\n## 1 INDICATIONS\n\nFor calm seas.\n\nCalm seas (1)\n\n### 1.1 Storms\n\nNot for storms.\n\n## PRODUCT\n\nKelposan, KELP, 5 mg\n"},
	{"JATS", article, "Gulls count to 10⁹", "2024-03-05",
		"# Gulls count to 10⁹\n\nAda Seaborn · Bo Quay\n\n## Abstract\n\nGulls were counted.\n\ngull · count\n\n## 1 Methods\n\nWe watched ~~two~~ them3.\n\n### Place ~~one~~ two\n\nA pier.\n\nFigure 1. The pier.\n\nAt low tide.\n\n" +
			"## Results\n\nTable 1 Counts\n\n| Day | Gulls |\n| --- | --- |\n| 1 | 40 |\n\nn=40\n\n## Acknowledgements\n\nTo the gulls.\n\n## References\n\n3. Tern C 1999 On terns\n"},
	{"JATS lists with labels, as Pandoc 2.17 writes them", `<article article-type="other"><front><article-meta></article-meta></front><body><sec><title>Steps</title>
<list list-type="order"><list-item>
  <label>3.</label>
  <p>Boil</p></list-item><list-item><label>4.</label><p>Rest</p></list-item></list><p>Then</p>
<list list-type="order"><list-item><label>(a)</label><p>eat</p></list-item></list><p>or</p>
<list list-type="bullet"><list-item><label>•</label><p>drink</p></list-item><list-item><p>plain</p></list-item></list><p>and</p>
<list list-type="simple"><list-item><label>1.</label><p>wash</p></list-item></list></sec></body></article>`, "", "",
		"## Steps\n\n3. Boil\n4. Rest\n\nThen\n\n1. (a) eat\n\nor\n\n- drink\n- plain\n\nand\n\n- 1. wash\n"},
	{"Tomboy", tomboy, "Knots & rope", "2024-03-05", "# Knots & rope\n\nA bowline ~~never~~ holds.\nSee Anchors.\n\n- hemp\n- nylon\n"},
	{"CherryTree", cherryTree, "", "", "## Knots\n\n### Loops\n\nTie bowlines ~~x~~:\n\n| Rope | Metres |\n| --- | --- |\n| hemp | 3 |\n\nDone.\n\n### Code\n\n```\ndef tie():\n    pass\n```\n"},
	{"FHIR", `<?xml version="1.0"?><Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><resource><Condition><id value="hidden"/><code><coding><code value="1"/><display value="Sea legs"/></coding></code><onsetDateTime value="2024-03-05T10:15:00Z"/><recurrentBoolean value="false"/></Condition></resource></entry>
<entry><resource><Observation><text><status value="generated"/><div xmlns="http://www.w3.org/1999/xhtml"><p>Pulse <b>6</b>0</p></div></text><code><text value="hidden"/></code></Observation></resource></entry></Bundle>`, "", "2024-03-05",
		"## Condition, 2024-03-05\n\nSea legs\nRecurrent: no\n\n## Observation\n\nPulse 60\n"},
}

func TestReadXML(t *testing.T) {
	for _, test := range xmlTests {
		if !IsKnownXML([]byte(test.raw)) {
			t.Errorf("%s is not recognised", test.name)
		}
		c, err := ReadXML([]byte(test.raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.text || c.Title != test.title || c.Date != test.date || c.ExtractionNote != "" {
			t.Errorf("%s: title %q, date %q, note %q, %v\ngot  %q\nwant %q", test.name, c.Title, c.Date, c.ExtractionNote, err, c.Text, test.text)
		}
	}
}

// TestXMLParts checks that a bundle has a part for each resource, and that other files have no
// parts.
func TestXMLParts(t *testing.T) {
	bundle := xmlTests[len(xmlTests)-1].raw
	c, err := ReadXML([]byte(bundle), extract.NoProgress)
	if err != nil || len(c.Parts) != 2 || c.Parts[0].Name != "Condition, 2024-03-05" || !strings.HasPrefix(c.Text[c.Parts[1].StartByte:], "## Observation") {
		t.Errorf("%+v, %v", c.Parts, err)
	}
}

// TestXMLAttachments checks that attachments that are not read are named.
func TestXMLAttachments(t *testing.T) {
	const start = `<ClinicalDocument xmlns="urn:hl7-org:v3"><title>A letter</title><component><nonXMLBody><text mediaType="`
	for _, test := range []struct{ rest, text, attached string }{
		{`application/pdf" representation="B64">JVBERi0=</text></nonXMLBody></component></ClinicalDocument>`, "# A letter\n", "document.pdf"},
		{`text/plain" representation="B64">RGVhciBBbm4s</text></nonXMLBody></component></ClinicalDocument>`, "# A letter\n\nDear Ann,\n", ""},
		{`text/plain">Dear Bo,</text></nonXMLBody></component></ClinicalDocument>`, "# A letter\n\nDear Bo,\n", ""},
	} {
		c, err := ReadXML([]byte(start+test.rest), extract.NoProgress)
		if err != nil || c.Text != test.text || strings.Join(c.UnreadAttachments, " ") != test.attached {
			t.Errorf("%q, %q, %v", c.Text, c.UnreadAttachments, err)
		}
	}
}

// TestOtherXML checks that XML of other schemas, and web pages about known ones, are not
// recognised.
func TestOtherXML(t *testing.T) {
	for _, raw := range []string{
		`<article xmlns="http://docbook.org/ns/docbook"><title>A book</title></article>`, `<note><title>plain</title></note>`, `<document><title>plain</title></document>`,
		`<section><title>plain</title></section>`, `<component name="Jobs"><entry key="a" value="b"/></component>`, `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://hl7.org/fhir"/>`, `words`, ``, `<`,
	} {
		if IsKnownXML([]byte(raw)) {
			t.Errorf("%s is recognised", raw)
		}
	}
}

func TestDamagedXML(t *testing.T) {
	c, err := ReadXML([]byte(article[:strings.Index(article, "<bold>")]), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.Contains(c.Text, "### Place ~~one~~ two\n") || c.ExtractionNote.String() != "the rest could not be read: damaged XML" {
		t.Errorf("a half: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	const head = `<ClinicalDocument xmlns="urn:hl7-org:v3"><title>`
	_, err = ReadXML([]byte(`<ClinicalDocument xmlns="urn:hl7-org:v3"><component><section>`), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
	_, err = ReadXML([]byte(head+"x</title>"+strings.Repeat("<component>", 10_000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
	_, err = ReadXML([]byte(`<Bundle xmlns="http://hl7.org/fhir">`+strings.Repeat("<entry><resource><Group>", 10_000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
	bomb := `<!DOCTYPE ClinicalDocument [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>` + head + "&b;</title></ClinicalDocument>"
	if IsKnownXML([]byte(bomb)) {
		t.Error("what defines entities is recognised")
	}
	many := `<Bundle xmlns="http://hl7.org/fhir">` + strings.Repeat(`<entry><resource><Group><x value="y"/></Group></resource></entry>`, extract.MaxArchiveEntries+5) + "</Bundle>"
	if c, err := ReadXML([]byte(many), extract.NoProgress); err != nil || len(c.Parts) != extract.MaxArchiveEntries {
		t.Errorf("%d parts, %v", len(c.Parts), err)
	}
}

func FuzzReadXML(f *testing.F) {
	for _, test := range xmlTests {
		f.Add([]byte(test.raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadXML(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
