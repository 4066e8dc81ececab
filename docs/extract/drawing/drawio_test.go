package drawing

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// packedPage returns a graph model compressed as draw.io does it.
func packedPage(t testing.TB, model string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(url.PathEscape(model))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func model(cells string) string {
	return `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" value="A layer" parent="0"/>` + cells + `</root></mxGraphModel>`
}

const (
	shopCells = `<mxCell id="b" value="&lt;b&gt;Web&lt;/b&gt; shop&lt;br&gt;80 %" style="rounded=1;html=1;" vertex="1" parent="1"><mxGeometry x="200" y="10" width="90" height="40" as="geometry"/></mxCell>` +
		`<mxCell id="a" value="&lt;Customer&gt;" style="shape=actor" vertex="1" parent="1"><mxGeometry y="10" width="90" height="40" as="geometry"/></mxCell>` +
		`<mxCell id="e" value="orders" style="edgeStyle=none;html=1;" edge="1" parent="1" source="a" target="b"><mxGeometry relative="1" as="geometry"/></mxCell>` +
		`<mxCell id="l" value="by phone" style="edgeLabel;html=1;" vertex="1" connectable="0" parent="e"><mxGeometry x="-0.2" relative="1" as="geometry"/></mxCell>`
	shopText = "<Customer>\n\nWeb shop\n80 %\n\n- <Customer> → Web shop: orders by phone\n"

	tableCells = `<mxCell id="t" value="Orders" style="swimlane;html=1;" vertex="1" parent="1"><mxGeometry x="9" y="300" width="200" height="90" as="geometry"/></mxCell>` +
		`<mxCell id="r" value="" style="shape=tableRow" vertex="1" parent="t"><mxGeometry y="60" width="200" height="30" as="geometry"/></mxCell>` +
		`<UserObject label="amount" tooltip="x" id="d"><mxCell style="html=1" vertex="1" parent="r"><mxGeometry x="100" width="90" height="30" as="geometry"/></mxCell></UserObject>` +
		`<object label="key" id="c"><mxCell vertex="1" parent="r"><mxGeometry width="90" height="30" as="geometry"/></mxCell></object>` +
		`<mxCell id="n" value="number" vertex="1" parent="t"><mxGeometry y="30" width="90" height="30" as="geometry"/></mxCell>`
	tableText = "Orders\n\nnumber\n\nkey\n\namount\n"
)

func TestDrawio(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"plain", `<mxfile><diagram name="Page-1">` + model(shopCells) + `</diagram></mxfile>`, shopText},
		{"packed", `<mxfile><diagram name="Shop &amp; more">` + "\n" + packedPage(t, model(shopCells)) + "\n</diagram></mxfile>", "## Shop & more\n\n" + shopText},
		{"escaped", `<mxfile><diagram>` + url.PathEscape(model(shopCells)) + `</diagram></mxfile>`, shopText},
		{"a model alone", model(shopCells), shopText},
		{"in a picture", `<svg content="&lt;mxfile&gt;&lt;diagram&gt;` + packedPage(t, model(shopCells)) + `&lt;/diagram&gt;&lt;/mxfile&gt;"><text>Customer</text></svg>`, shopText},
		{"a table in pages", `<mxfile><diagram name="第 1 页">` + model(shopCells) + `</diagram><diagram name="Blank">` + model("") + `</diagram><diagram>` + model(tableCells) + `</diagram></mxfile>`,
			shopText + "\n## Page 3\n\n### " + tableText},
		{"in themselves", model(`<mxCell id="a" value="One" vertex="1" parent="b"/><mxCell id="b" value="Two" vertex="1" parent="a"/>`), "## One\n\n## Two\n"},
	} {
		c, err := ReadDrawio([]byte(test.raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.want || c.ExtractionNote.String() != "" {
			t.Errorf("%s: note %q, %v\ngot  %q\nwant %q", test.name, c.ExtractionNote, err, c.Text, test.want)
		}
	}
}

func TestDrawioPages(t *testing.T) {
	c, err := ReadDrawio([]byte(`<mxfile><diagram name="Page-1">`+model(shopCells)+`</diagram><diagram>`+packedPage(t, model(tableCells))[:40]+
		`</diagram><diagram name="Stock">`+model(tableCells)+`</diagram></mxfile>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	want := []extract.Part{{Kind: extract.Page, Number: 1}, {Kind: extract.Page, Number: 3, Name: "Stock", StartByte: strings.Index(c.Text, "## Stock")}}
	if err != nil || c.ExtractionNote.String() != "page 2 could not be read completely" || len(c.Parts) != 2 || c.Parts[0] != want[0] || c.Parts[1] != want[1] {
		t.Errorf("parts %+v, note %q, %v", c.Parts, c.ExtractionNote, err)
	}
}

func TestDrawioDamaged(t *testing.T) {
	for _, test := range []struct{ name, raw, reason string }{
		{"nothing", "<mxfile/>", errDamaged.Error()},
		{"other XML", "<note>words</note>", errDamaged.Error()},
		{"no XML", "words", errDamaged.Error()},
		{"no labels", model(""), extract.ErrNoText.Error()},
		{"a bomb", `<mxfile><diagram>` + packedPage(t, strings.Repeat("A", 40<<20)+model("")) + `</diagram></mxfile>`, extract.ErrTooMuchText.Error()},
		{"many cells", model(strings.Repeat(`<mxCell vertex="1"/>`, maxFigures+1)), errTooManyFigures.Error()},
		{"deep", strings.Repeat("<mxfile>", 1000), extract.ErrNestedTooDeeply.Error()},
	} {
		_, err := ReadDrawio([]byte(test.raw), extract.NoProgress)
		t.Log(test.name)
		extracttest.WantSkip(t, err, test.reason)
	}
	d := diagramFile{remainingBytes: 1000}
	if err := d.readDiagrams(strings.NewReader(`<mxfile><diagram>`+packedPage(t, model(strings.Repeat(" ", 2000)))+`</diagram></mxfile>`), true); err != extract.ErrUnpackedTooLarge {
		t.Errorf("above what may be unpacked: %v", err)
	}
}

func FuzzDrawio(f *testing.F) {
	f.Add(model(shopCells), "")
	f.Add(`<mxfile><diagram name="x">`+model(tableCells), "%3CmxGraphModel%3E%")
	f.Add(`<svg content="&lt;mxGraphModel/&gt;"/>`, packedPage(f, model(tableCells)))
	f.Fuzz(func(t *testing.T, raw, packed string) {
		c, err := ReadDrawio([]byte(raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		c, err = ReadDrawio([]byte("<mxfile><diagram>"+packed+"</diagram><diagram>"+packedPage(t, packed)), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
