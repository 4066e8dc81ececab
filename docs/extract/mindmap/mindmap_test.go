package mindmap

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// A map of a garden as XMind 2024 writes it, without its visual properties.
const gardenJSON = `[{"id":"s1","revisionId":"r","class":"sheet","rootTopic":{"id":"root","class":"topic","structureClass":"org.xmind.ui.map.unbalanced",
"children":{"attached":[
 {"id":"a","title":"Beds","labels":["spring","south side"],"children":{"attached":[
   {"id":"a1","title":"Tomatoes","notes":{"plain":{"content":"Not before\nthe ice saints.\n"},"realHTML":{"content":"<div>Not before</div>"}},"markers":[{"markerId":"flag-red"}]},
   {"id":"a2","title":"Beans","children":{"attached":[{"id":"a21","title":"poles of hazel"}]}},
   {"id":"a3","title":"Herbs"}],
  "summary":[{"id":"sum","title":"needs full sun"}]},"summaries":[{"id":"x","range":"(0,1)","topicId":"sum"}],"boundaries":[{"range":"master","title":"Behind the shed"}]},
 {"id":"b","title":"Water","href":"https://example.org/barrel","children":{"attached":[{"id":"b1","title":"rain\nbarrel","href":"xmind:#a1"}]}}],
"detached":[{"id":"f","title":"Order seeds","notes":{"realHTML":{"content":"<ul><li>by <b>January</b></li></ul>"}}}]},"title":"花园 Garden"},
"title":"画布 1","relationships":[{"id":"l","end1Id":"b1","end2Id":"a1","title":"waters"},{"id":"m","end1Id":"b1","end2Id":"a2"}],"theme":{"map":{"id":"t","properties":{"svg:fill":"#fff"}}}}%s]`

const gardenText = `# 花园 Garden

- rain barrel → Tomatoes: waters

## Beds

Labels: spring, south side
Behind the shed

- Tomatoes
  Not before
  the ice saints.
- Beans
  - poles of hazel
- needs full sun
- Herbs

## Water

https://example.org/barrel

- rain barrel

## Order seeds

- by January
`

// The same map as XMind 8 writes it.
const gardenXML = `<?xml version="1.0" encoding="UTF-8" standalone="no"?><xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0" xmlns:fo="http://www.w3.org/1999/XSL/Format" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink" version="2.0">
<sheet id="s1" theme="t"><topic id="root"><title>花园 Garden</title><children><topics type="attached">
<topic id="a"><title svg:width="80">Beds</title><labels><label>spring</label><label>south side</label></labels><children><topics type="attached">
<topic id="a1"><title>Tomatoes</title><notes><html><xhtml:p>Not before</xhtml:p></html><plain>Not before
the ice saints.</plain></notes><marker-refs><marker-ref marker-id="flag-red"/></marker-refs></topic>
<topic id="a2"><title>Beans</title><children><topics type="attached"><topic id="a21"><title>poles of hazel</title></topic></topics></children></topic>
<topic id="a3"><title>Herbs</title></topic></topics><topics type="summary"><topic id="sum"><title>needs full sun</title></topic></topics></children>
<boundaries><boundary range="master"><title>Behind the shed</title></boundary></boundaries><summaries><summary range="(0,1)" topic-id="sum"/></summaries></topic>
<topic id="b" xlink:href="https://example.org/barrel"><title>Water</title><children><topics type="attached"><topic id="b1" xlink:href="xmind:#a1"><title>rain
barrel</title></topic></topics></children></topic></topics>
<topics type="detached"><topic id="f"><title>Order seeds</title><notes><html><xhtml:p>- by <xhtml:span>January</xhtml:span></xhtml:p></html></notes></topic></topics></children></topic>
<title>Sheet 1</title><relationships><relationship end1="b1" end2="a1" id="l"><title>waters</title></relationship><relationship end1="b1" end2="a2" id="m"/></relationships></sheet></xmap-content>`

// The same map as Freeplane writes it.
const gardenMM = `<map version="freeplane 1.11.5">
<!--To view this file, download free mind mapping software Freeplane from https://www.freeplane.org -->
<node TEXT="&#x82b1;&#x56ed; Garden" ID="root"><hook NAME="MapStyle"><map_styles><stylenode LOCALIZED_TEXT="styles.root_node"/></map_styles></hook>
<node TEXT="Beds" POSITION="right" ID="a"><attribute_layout NAME_WIDTH="9"/><attribute NAME="Labels" VALUE="spring, south side"/><richcontent TYPE="DETAILS" CONTENT-TYPE="xml/">
<html>
  <head>
    <style>p { margin: 0 }</style>
  </head>
  <body>
    <p>
      Behind the
      shed
    </p>
  </body>
</html></richcontent>
<node TEXT="Tomatoes" ID="a1"><richcontent TYPE="NOTE"><html><body><p>Not before<br/>the ice saints.</p></body></html></richcontent><icon BUILTIN="flag"/></node>
<node ID="a2"><richcontent TYPE="NODE"><html><head></head><body><p><b>Be</b>ans</p></body></html></richcontent><node TEXT="poles of hazel"/></node>
<node TEXT="needs full sun"><hook NAME="SummaryNode"/></node><node TEXT="Herbs"/></node>
<node TEXT="Water" POSITION="left" LINK="https://example.org/barrel"><node TEXT="rain&#xa;barrel" ID="b1" LINK="#a1"><arrowlink DESTINATION="a1" MIDDLE_LABEL="waters"/><arrowlink DESTINATION="a2"/></node></node>
<node TEXT="Order seeds"><hook NAME="accessories/plugins/NodeNote.properties"><text>- by January</text></hook></node></node></map>`

const gardenOPML = `<?xml version="1.0" encoding="ISO-8859-1"?><opml version="2.0"><head><title>Garden</title><ownerName>Ann</ownerName></head><body>
<outline text="Beds"><outline text="Tomatoes" _note="Not before&#10;the ice saints."/><outline text="K&uuml;rbis &lt;b&gt;Hokkaido&lt;/b&gt;"><outline text="vector&lt;int>"/></outline></outline>
<outline text="Reading"><outline type="rss" text="Seeds" title="Seeds!" xmlUrl="https://example.org/feed" htmlUrl="https://example.org/"/></outline></body></opml>`

const gardenOutline = `# Garden

## Beds

- Tomatoes
  Not before
  the ice saints.
- Kürbis Hokkaido
  - vector<int>

## Reading

- Seeds
  https://example.org/
`

func xmind(t testing.TB, json string) []byte {
	return extracttest.Zip(t, "content.json", json, "content.xml", "<xmap-content><sheet><topic><title>Warning</title></topic></sheet></xmap-content>", "manifest.json", `{"file-entries":{"content.json":{}}}`)
}

func TestMaps(t *testing.T) {
	for _, test := range []struct {
		name string
		read extract.Reader
		raw  []byte
		text string
	}{
		{"XMind", ReadXMind, xmind(t, fmt.Sprintf(gardenJSON, "")), gardenText},
		{"XMind 8", ReadXMind, extracttest.Zip(t, "content.xml", gardenXML), gardenText},
		{"Freeplane", ReadFreeMind, []byte(gardenMM), gardenText},
		{"OPML", ReadOPML, []byte(gardenOPML), gardenOutline},
		{"OPML with a root", ReadOPML, []byte(`<opml><body><outline text="Trip"><outline text="Packing"><outline text="Socks"/></outline><outline text="Tickets"/></outline></body></opml>`),
			"# Trip\n\n## Packing\n\n- Socks\n\n## Tickets\n"},
		{"a flat list", ReadOPML, []byte(`<opml><head><title>Shopping</title></head><body><outline text="Milk"/><outline text=""/><outline text="Bread"/></body></opml>`),
			"# Shopping\n\n- Milk\n- Bread\n"},
		{"topics without words", ReadFreeMind, []byte(`<map><node TEXT="A"><node TEXT="B"><node><node TEXT="C"><node TEXT="D"/></node></node></node></node></map>`),
			"# A\n\n## B\n\n- C\n  - D\n"},
		{"a root alone", ReadXMind, xmind(t, `[{"rootTopic":{"title":"Idea"}}]`), "# Idea\n"},
		{"values of other types", ReadXMind, xmind(t, `[{"title":3,"rootTopic":{"title":"Idea","notes":null,"labels":null,"children":{"attached":null},"href":{"a":[1]}},"relationships":7}]`), "# Idea\n"},
	} {
		c, err := test.read(test.raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.text || c.ExtractionNote != "" || c.Parts != nil {
			t.Errorf("%s: note %q, %d parts, %v\ngot\n%s\nwant\n%s", test.name, c.ExtractionNote, len(c.Parts), err, c.Text, test.text)
		}
	}
}

func TestSheets(t *testing.T) {
	c, err := ReadXMind(xmind(t, fmt.Sprintf(gardenJSON, `,{"title":"Costs","rootTopic":{"title":"Money","children":{"attached":[{"title":"seeds"}]}}}`)), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	want := []extract.Part{{Kind: extract.Page, Number: 1}, {Kind: extract.Page, Number: 2, Name: "Costs", StartByte: len(gardenText) + 1}}
	if err != nil || c.Title != "花园 Garden" || len(c.Parts) != 2 || c.Parts[0] != want[0] || c.Parts[1] != want[1] || !strings.HasSuffix(c.Text, "\n\n# Money\n\n- seeds\n") {
		t.Errorf("title %q, parts %+v, %v in %q", c.Title, c.Parts, err, c.Text)
	}
}

func TestLocked(t *testing.T) {
	c, err := ReadFreeMind([]byte(`<map><node TEXT="Diary"><node TEXT="Secret" ENCRYPTED_CONTENT="x"/><node TEXT="More" ENCRYPTED_CONTENT="y"/></node></map>`), extract.NoProgress)
	if err != nil || c.ExtractionNote.String() != "2 topics are encrypted" {
		t.Errorf("note %q, %v", c.ExtractionNote, err)
	}
	locked := extracttest.Zip(t, "content.json", "\x8f\x01\x02", "manifest.json", `{"file-entries":{"content.json":{"encryption-data":{"checksum":"x"}}}}`)
	_, err = ReadXMind(locked, extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
}

func TestDamagedMaps(t *testing.T) {
	whole := fmt.Sprintf(gardenJSON, "")
	c, err := ReadXMind(xmind(t, whole[:strings.Index(whole, `{"id":"a3"`)]), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.ExtractionNote.String() != "the rest could not be read: damaged JSON" || !strings.Contains(c.Text, "poles of hazel") {
		t.Errorf("a half in JSON: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	c, err = ReadFreeMind([]byte(gardenMM[:strings.Index(gardenMM, `<node TEXT="Herbs"`)]), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.ExtractionNote.String() != "the rest could not be read: damaged XML" || !strings.Contains(c.Text, "poles of hazel") {
		t.Errorf("a half in XML: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	deepJSON := `[{"rootTopic":` + strings.Repeat(`{"children":{"attached":[`, 100_000)
	manyJSON := `[{"rootTopic":{"children":{"attached":[{}` + strings.Repeat(`,{}`, 1_000_000) + `]}}}]`
	for _, test := range []struct {
		name   string
		read   extract.Reader
		raw    []byte
		reason string
	}{
		{"no map in the archive", ReadXMind, extracttest.Zip(t, "a.txt", "x"), errDamaged.Error()},
		{"no zip", ReadXMind, []byte("words"), extract.ErrDamagedZip.Error()},
		{"no JSON", ReadXMind, extracttest.Zip(t, "content.json", "words"), errDamaged.Error()},
		{"no words", ReadXMind, xmind(t, `[{"rootTopic":{"title":" "}}]`), extract.ErrNoText.Error()},
		{"no sheet", ReadXMind, xmind(t, `[]`), extract.ErrNoText.Error()},
		{"deep JSON", ReadXMind, xmind(t, deepJSON), extract.ErrNestedTooDeeply.Error()},
		{"deep arrays", ReadXMind, xmind(t, `[{"x":`+strings.Repeat("[", 100_000)), errBroken.Error()},
		{"many topics in JSON", ReadXMind, xmind(t, manyJSON), errTooManyTopics.Error()},
		{"many sheets", ReadXMind, xmind(t, "[{}"+strings.Repeat(",{}", maxTopics)+"]"), errTooManyTopics.Error()},
		{"deep XML", ReadXMind, extracttest.Zip(t, "content.xml", "<sheet>"+strings.Repeat("<topic><children><topics>", 100_000)), extract.ErrNestedTooDeeply.Error()},
		{"a bomb", ReadXMind, xmind(t, `[{"rootTopic":{"title":"`+strings.Repeat("A", extract.MaxTextBytes+1)+`"}}]`), extract.ErrTooMuchText.Error()},
		{"other XML", ReadFreeMind, []byte("<note>words</note>"), errDamaged.Error()},
		{"Objective-C++", ReadFreeMind, []byte("#import <Foundation/Foundation.h>\n"), errDamaged.Error()},
		{"deep nodes", ReadFreeMind, []byte("<map>" + strings.Repeat("<node>", 100_000)), extract.ErrNestedTooDeeply.Error()},
		{"many nodes", ReadFreeMind, []byte("<map><node>" + strings.Repeat("<node/>", 1_000_000)), errTooManyTopics.Error()},
		{"encrypted", ReadFreeMind, []byte(`<map><node ENCRYPTED_CONTENT="x"/></map>`), extract.ErrPasswordProtected.Error()},
		{"other XML", ReadOPML, []byte("<note>words</note>"), errOutline.Error()},
		{"no outline", ReadOPML, []byte("<opml><body/></opml>"), extract.ErrNoText.Error()},
		{"deep outlines", ReadOPML, []byte("<opml><body>" + strings.Repeat(`<outline text="x">`, 100_000)), extract.ErrNestedTooDeeply.Error()},
	} {
		t.Log(test.name)
		_, err := test.read(test.raw, extract.NoProgress)
		extracttest.WantSkip(t, err, test.reason)
	}
}

// TestManyRelations checks that the time for arrows and summaries is proportional to their number.
func TestManyRelations(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`[{"rootTopic":{"title":"A","summaries":[{}`)
	for i := range 40_000 {
		fmt.Fprintf(&b, `,{"range":"(0,%d)","topicId":"s%d"}`, i, i)
	}
	b.WriteString(`],"children":{"attached":[{}` + strings.Repeat(`,{"id":"a","title":"t"}`, 40_000) + `],"summary":[{}`)
	for i := range 40_000 {
		fmt.Fprintf(&b, `,{"id":"s%d","title":"s"}`, i)
	}
	b.WriteString(`]}},"relationships":[{}` + strings.Repeat(`,{"end1Id":"a","end2Id":"a","title":"l"}`, 40_000) + `]}]`)
	c, err := ReadXMind(xmind(t, b.String()), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || strings.Count(c.Text, "\n") < 120_000 {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}

func FuzzMaps(f *testing.F) {
	f.Add(xmind(f, fmt.Sprintf(gardenJSON, "")))
	f.Add(extracttest.Zip(f, "content.xml", gardenXML))
	f.Add([]byte(gardenMM))
	f.Add([]byte(gardenOPML))
	f.Add([]byte(fmt.Sprintf(gardenJSON, "")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		readers := []extract.Reader{ReadXMind, ReadFreeMind, ReadOPML}
		for _, read := range readers {
			c, err := read(raw, extract.NoProgress)
			extracttest.CheckContent(t, c, err)
		}
		var json mapFile
		c, err := json.contentUntilError(json.readSheets(bytes.NewReader(raw)))
		extracttest.CheckContent(t, c, err)
	})
}
