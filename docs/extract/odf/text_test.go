package odf

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const (
	odtStyles = `<office:document-styles><office:styles><style:style style:family="paragraph" style:name="Title"/>` +
		`<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>` +
		`<office:master-styles><style:master-page><style:header><text:p>Header <text:page-number>1</text:page-number></text:p></style:header>` +
		`<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`
	odtLists = `<office:automatic-styles><style:style style:family="paragraph" style:name="P1" style:parent-style-name="Title"/>` +
		`<style:style style:family="text" style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:family="text" style:name="T2"><style:text-properties style:text-position="33% 58%"/></style:style>` +
		`<style:style style:family="text" style:name="T3"><style:text-properties style:text-position="-33% 58%"/></style:style><style:style style:family="text" style:name="T5"><style:text-properties style:text-line-through-type="single"/></style:style><style:style style:family="text" style:name="T4"><style:text-properties fo:color="#000"/></style:style>` +
		`<style:style style:family="paragraph" style:name="P3" style:parent-style-name="P2"/><style:style style:family="paragraph" style:name="P2"><style:text-properties style:text-line-through-style="solid"/></style:style>` +
		`<style:style style:family="text" style:name="T6" style:parent-style-name="T5"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:family="text" style:name="T7" style:parent-style-name="T5"/>` +
		`<style:style style:family="text" style:name="T8"><style:text-properties style:text-line-through-style="none"/></style:style>` +
		`<style:style style:family="text" style:name="T9"><style:text-properties text:display="none"/></style:style><style:style style:family="paragraph" style:name="P4"><style:text-properties text:display="none"/></style:style>` +
		`<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>` +
		`<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style></office:automatic-styles>`
)

// odtOf returns a text document with the given body, and other files, given as alternating names
// and contents.
func odtOf(t testing.TB, body string, files ...string) []byte {
	t.Helper()
	return extracttest.Zip(t, append([]string{
		"mimetype", "application/vnd.oasis.opendocument.text", "styles.xml", odtStyles,
		"content.xml", `<?xml version="1.0"?><office:document-content>` + odtLists + `<office:body><office:text>` + body + `</office:text></office:body></office:document-content>`,
		"meta.xml", `<office:document-meta><office:meta><dc:title>A title</dc:title></office:meta></office:document-meta>`,
	}, files...)...)
}

func TestODT(t *testing.T) {
	item := func(text string) string { return "<text:list-item><text:p>" + text + "</text:p></text:list-item>" }
	cell := func(text string) string { return "<table:table-cell><text:p>" + text + "</text:p></table:table-cell>" }
	for _, test := range []struct{ name, body, want string }{
		{"superscript", `<text:p>10<text:span text:style-name="T1">−7</text:span>, b<text:span text:style-name="T2">2</text:span> H<text:span text:style-name="T3">2</text:span>` +
			`O<text:span text:style-name="T1">1st</text:span><text:span text:style-name="T4">3</text:span></text:p>`, "10⁻⁷, b² H2O1st3\n"},
		{"headings", `<text:h text:outline-level="1">One</text:h><text:h text:outline-level="2">Two</text:h><text:h text:outline-level="1" text:is-list-header="true">Three</text:h><text:p text:style-name="P1">Four</text:p>`,
			"# 1 One\n\n## 1.1 Two\n\n# Three\n\n# Four\n"},
		{"white space", "<text:p>  a\n\t b<text:s text:c=\"2\"/>c<text:tab/>d<text:line-break/>e<text:span> f</text:span></text:p>", "a b  c\td\ne f\n"},
		{"lists", `<text:list text:style-name="L1">` + item("a") + `<text:list-item><text:p>b</text:p><text:p>more</text:p><text:list>` + item("c") + item("d") + `</text:list></text:list-item></text:list>` +
			`<text:list text:style-name="L1" text:continue-numbering="true">` + item("e") + `</text:list><text:list text:style-name="L1">` + item("f") + `</text:list><text:list>` + item("g") + `</text:list>`,
			"1. a\n2. b\n\nmore\n\n  (a) c\n  (b) d\n3. e\n1. f\n- g\n"},
		{"cells over several rows", `<table:table><table:table-row>` + cell("a") + cell("b") + `</table:table-row><table:table-row>` + strings.Replace(cell("A"), "<table:table-cell", `<table:table-cell table:number-rows-spanned="2"`, 1) + cell("1") + `</table:table-row><table:table-row><table:covered-table-cell/>` + cell("2") + `</table:table-row><table:table-row><table:covered-table-cell/>` + cell("3") + `</table:table-row></table:table>`,
			"| a | b |\n| --- | --- |\n| A | 1 |\n| A | 2 |\n|  | 3 |\n"},
		{"table", `<table:table><table:table-header-rows><table:table-row>` + cell("a") + cell("b") + `</table:table-row></table:table-header-rows><table:table-row>` + cell("c") + `<table:covered-table-cell/></table:table-row></table:table>`,
			"| a | b |\n| --- | --- |\n| c |  |\n"},
		{"notes", `<text:p>One<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Foot.</text:p></text:note-body></text:note> two<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020</dc:date><text:p>Why?</text:p></office:annotation>.</text:p>`,
			"One[^1] two.\n\n[^1]: Foot.\n\nComment: Ann: Why?\n"},
		{"struck out", `<text:p><text:span text:style-name="T5">5 <text:span text:style-name="T4">mg</text:span></text:span>10 mg, colo<text:span text:style-name="T5">u</text:span>r</text:p>`, "~~5 mg~~ 10 mg, colour\n"},
		{"struck out by a paragraph or a parent, and raised", `<text:p text:style-name="P3">All <text:span text:style-name="T4">of</text:span> it<text:note><text:note-body><text:p>Foot.</text:p></text:note-body></text:note></text:p>` +
			`<text:p text:style-name="P3">not <text:span text:style-name="T8">this</text:span></text:p><text:p>10<text:span text:style-name="T6">2</text:span><text:span text:style-name="T7"> a</text:span> b</text:p>`,
			"~~All of it[^1]~~\n\n[^1]: Foot.\n\n~~not~~ this\n\n10~~² a~~ b\n"},
		{"hidden", `<text:p>Give<text:span text:style-name="T9"> not<text:tab/><draw:frame><svg:desc>secret</svg:desc></draw:frame></text:span> 5 mg<text:hidden-text text:is-hidden="true" text:string-value="x">x</text:hidden-text>` +
			`<text:hidden-text text:is-hidden="false">, shown</text:hidden-text></text:p><text:p text:style-name="P4">gone</text:p><text:p>gone<text:hidden-paragraph text:is-hidden="true"/></text:p><text:p>kept<text:hidden-paragraph text:is-hidden="false"/></text:p>` +
			`<text:section text:display="none"><text:p>gone</text:p></text:section><text:section text:display="condition" text:condition="x" text:is-hidden="true"><text:p>gone</text:p></text:section><text:section text:name="a"><text:p>end</text:p></text:section>`,
			"Give 5 mg, shown\n\nkept\n\nend\n"},
		{"changes", `<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>a<text:change text:change-id="x"/>b</text:p>`, "ab\n"},
		{"frames", `<text:p>Body<draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box><svg:title>Picture</svg:title><svg:desc>Of a cat</svg:desc></draw:frame></text:p>`,
			"Body\n\nIn the box\n\nPicture\n\nOf a cat\n"},
		{"formula", `<text:p>As <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> says</text:p>`, "As a^2 says\n"},
		{"formula without its source", `<text:p>As <draw:frame><draw:object><math:math><math:mfrac><math:mrow><math:mi>a</math:mi><math:mo>+</math:mo><math:mi>b</math:mi></math:mrow>` +
			`<math:msup><math:mn>10</math:mn><math:mn>9</math:mn></math:msup></math:mfrac></math:math></draw:object></draw:frame> says</text:p>`, "As (a+b)/10⁹ says\n"},
		{"ruby", `<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>`, "漢字\n"},
	} {
		c, err := ReadText(odtOf(t, test.body, "Object 1/content.xml", `<math><semantics><mi>a</mi><annotation encoding="StarMath 5.0">a^2</annotation></semantics></math>`), extract.NoProgress)
		if want := test.want + "\nHeader\n"; err != nil || c.Text != want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", test.name, err, c.Text, want)
		}
		if c.Title != "A title" {
			t.Errorf("title %q", c.Title)
		}
	}
}

func TestODTDamaged(t *testing.T) {
	_, err := ReadText(odtOf(t, "", "META-INF/manifest.xml", `<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
	_, err = ReadText(extracttest.Zip(t, "mimetype", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, "a part is missing")
	_, err = ReadText(odtOf(t, strings.Repeat("<text:section>", 1000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
	c, err := ReadText(odtOf(t, "<text:p>kept</text:p><text:p <<"), extract.NoProgress)
	if err != nil || !strings.HasPrefix(c.Text, "kept\n") || c.ExtractionNote.String() == "" {
		t.Errorf("broken end: %q, %q, %v", c.Text, c.ExtractionNote, err)
	}
}

func TestODTObjectInItself(t *testing.T) {
	object := `<office:body><text:p>in<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p></office:body>`
	c, err := ReadText(odtOf(t, `<text:p>a<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>`, "Object 1/content.xml", object), extract.NoProgress)
	if err != nil || c.Text != "a\n\nin\n\nin\n\nHeader\n" {
		t.Errorf("%q, %v", c.Text, err)
	}
}

func FuzzODT(f *testing.F) {
	f.Add(`<text:list text:style-name="L1"><text:list-item><text:p>a</text:p></text:list-item></text:list>`, odtStyles)
	f.Add(`<table:table><table:table-row><table:table-cell><text:p>a<text:note><text:note-body/></text:note></text:p></table:table-cell></table:table-row></table:table>`, odtLists)
	f.Add(`<text:p><draw:frame><draw:object xlink:href="x"/></draw:frame><draw:object><math><mi>x</mi></math></draw:object></text:p>`, "")
	f.Fuzz(func(t *testing.T, body, styles string) {
		c, err := ReadText(odtOf(t, body, "x/content.xml", styles), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		c, err = ReadText(extracttest.Zip(t, "content.xml", body, "styles.xml", styles), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestFlat checks that a document in a single XML file is read like an archive, with its styles and
// with its own title rather than that of a picture.
func TestFlat(t *testing.T) {
	flat := func(kind, body string) []byte {
		return []byte(`<?xml version="1.0" encoding="UTF-8"?><office:document office:mimetype="application/vnd.oasis.opendocument.` + kind + `">` +
			`<office:meta><dc:title>Flat</dc:title></office:meta><office:styles><style:style style:family="text" style:name="T9"><style:text-properties style:text-position="super 58%"/></style:style></office:styles>` + body + `</office:document>`)
	}
	for what, test := range map[string]struct {
		read extract.Reader
		raw  []byte
		want string
	}{
		"text": {ReadText, flat("text", `<office:body><office:text><text:h text:outline-level="1">One</text:h><text:p>word<text:span text:style-name="T9">12</text:span><draw:frame><draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image>`+
			`<svg:title>Picture</svg:title></draw:frame></text:p></office:text></office:body>`), "# One\n\nword¹²\n\nPicture\n"},
		"sheets": {ReadSheets, flat("spreadsheet", `<office:body><office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>`),
			"## S\n\n| a |\n| --- |\n"},
		"slides": {ReadSlides, flat("presentation", `<office:body><office:presentation><draw:page><draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body>`), "## Slide 1\n\nb\n"},
	} {
		c, err := test.read(test.raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.want || c.Title != "Flat" {
			t.Errorf("%s: title %q, %v\ngot  %q\nwant %q", what, c.Title, err, c.Text, test.want)
		}
	}
	for _, raw := range []string{"<", "<office:document", string(flat("text", "<office:body>")), string(flat("text", strings.Repeat("<text:section>", 10_000)))} {
		c, err := ReadText([]byte(raw), extract.NoProgress)
		if extracttest.CheckContent(t, c, err); err == nil {
			t.Errorf("%.50s: %q", raw, c.Text)
		}
	}
}
