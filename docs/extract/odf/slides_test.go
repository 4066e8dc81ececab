package odf

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// odpOf returns a presentation with the given pages, and other files, given as alternating names
// and contents.
func odpOf(t testing.TB, pages string, files ...string) []byte {
	t.Helper()
	return extracttest.Zip(t, append([]string{
		"mimetype", "application/vnd.oasis.opendocument.presentation",
		"content.xml", `<?xml version="1.0"?><office:document-content><office:body><office:presentation>` + pages + `</office:presentation></office:body></office:document-content>`,
	}, files...)...)
}

func frameOf(class, text string) string {
	return `<draw:frame presentation:class="` + class + `"><draw:text-box>` + text + `</draw:text-box></draw:frame>`
}

func TestODP(t *testing.T) {
	c, err := ReadSlides(odpOf(t, `<presentation:footer-decl presentation:name="f">Internal</presentation:footer-decl>`+
		`<draw:page draw:name="page1">`+frameOf("title", "<text:p>Sleep<text:line-break/>well</text:p>")+
		frameOf("outline", `<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Under</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Two</text:p></text:list-item></text:list>`)+
		`<anim:par><text:p>no</text:p></anim:par><officeooo:annotation><dc:creator>Ann</dc:creator><text:p>Shorter?</text:p></officeooo:annotation>`+
		`<presentation:notes><draw:page-thumbnail/>`+frameOf("notes", "<text:p>Say this.</text:p><text:p>And that.</text:p>")+frameOf("page-number", "<text:p>1</text:p>")+`</presentation:notes></draw:page>`+
		`<draw:page><draw:frame presentation:class="title" presentation:placeholder="true"><draw:text-box><text:p>Click</text:p></draw:text-box></draw:frame>`+
		`<draw:custom-shape><text:p>In a shape</text:p></draw:custom-shape><draw:g><draw:frame><draw:image/><svg:title>A cat</svg:title></draw:frame></draw:g>`+
		`<draw:frame><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></draw:frame></draw:page>`),
		extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = "## Sleep well\n\n- One\n  - Under\n- Two\n\nInternal\n\nNotes: Say this.\n\nAnd that.\n\nComment: Ann: Shorter?\n\n" +
		"## Slide 2\n\nIn a shape\n\nA cat\n\n| a | b |\n| --- | --- |\n"
	if err != nil || c.Text != want || c.ExtractionNote.String() != "" {
		t.Errorf("note %q, %v\ngot  %q\nwant %q", c.ExtractionNote, err, c.Text, want)
	}
	if len(c.Parts) != 2 || c.Parts[1] != (extract.Part{Kind: extract.Slide, Number: 2, StartByte: strings.Index(want, "## Slide 2")}) {
		t.Errorf("parts %+v", c.Parts)
	}
}

// TestODPHiddenSlide checks that the heading of a slide that a show leaves out says so.
func TestODPHiddenSlide(t *testing.T) {
	const styles = `<office:automatic-styles><style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>` +
		`<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="visible"/></style:style></office:automatic-styles>`
	c, err := ReadSlides(odpOf(t, styles+`<draw:page draw:style-name="dp1">`+frameOf("title", "<text:p>Old</text:p>")+`</draw:page><draw:page draw:style-name="dp2">`+frameOf("title", "<text:p>New</text:p>")+`</draw:page>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## Old (hidden slide)\n\n## New\n"; c.Text != want {
		t.Errorf("%v: %q, want %q", err, c.Text, want)
	}
}

func TestODPDamaged(t *testing.T) {
	c, err := ReadSlides(odpOf(t, `<draw:page>`+frameOf("title", "<text:p>Kept</text:p>")+`<draw:frame <<`), extract.NoProgress)
	if err != nil || c.Text != "## Kept\n" || c.ExtractionNote.String() == "" {
		t.Errorf("%q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	_, err = ReadSlides(odpOf(t, ""), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	for picture, want := range map[string]*extract.SkipError{"Pictures/1000.jpg": extract.ErrOnlyPictures, "Thumbnails/thumbnail.png": extract.ErrNoText} {
		raw := extracttest.Zip(t, "content.xml", "<office:document-content><office:body/></office:document-content>", picture, "x")
		for _, read := range []extract.Reader{ReadText, ReadSlides, ReadSheets} {
			_, err = read(raw, extract.NoProgress)
			extracttest.WantSkip(t, err, want.Error())
		}
	}
	_, err = ReadSlides(odpOf(t, strings.Repeat("<draw:g>", 1000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
}

func FuzzODP(f *testing.F) {
	f.Add(`<draw:page>` + frameOf("title", "<text:p>x</text:p>") + `<presentation:notes>` + frameOf("notes", "<text:p>y</text:p>") + `</presentation:notes></draw:page>`)
	f.Add(`<presentation:footer-decl>x</presentation:footer-decl><draw:page/><draw:page><draw:frame><table:table/></draw:frame>`)
	f.Fuzz(func(t *testing.T, pages string) {
		c, err := ReadSlides(odpOf(t, pages), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
