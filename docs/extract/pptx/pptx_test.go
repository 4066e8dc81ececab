package pptx

import (
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// shapeOf returns a shape with paragraphs in the placeholder holder, which may be "".
func shapeOf(holder string, paragraphs ...string) string {
	s := `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>` + holder + `</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>`
	for _, p := range paragraphs {
		s += "<a:p>" + p + "</a:p>"
	}
	return s + "</p:txBody></p:sp>"
}

func run(text string) string { return "<a:r><a:rPr/><a:t>" + text + "</a:t></a:r>" }

// pptxOf returns a presentation of two slides, of which the second file is the first slide.
func pptxOf(t testing.TB, first, second string, parts ...string) []byte {
	t.Helper()
	slide := func(shapes string) string {
		return "<p:sld><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>"
	}
	files := []string{
		"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r9"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/><Relationship Id="r2" Type="x/slide" Target="/ppt/slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide2.xml", slide(first), "ppt/slides/slide1.xml", slide(second),
	}
	return extracttest.Zip(t, append(files, parts...)...)
}

// TestHiddenSlide checks that the heading of a slide that a show leaves out says so, and that a shape
// that nobody sees is not read.
func TestHiddenSlide(t *testing.T) {
	shown := shapeOf(`<p:ph type="title"/>`, run("New")) + shapeOf("", run("10 mg")) + strings.Replace(shapeOf("", run("5 mg")), `name="x"`, `name="x" hidden="1"`, 1)
	raw := extracttest.Zip(t,
		"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/><Relationship Id="r2" Type="x/slide" Target="slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", "<p:sld><p:cSld><p:spTree>"+shown+"</p:spTree></p:cSld></p:sld>",
		"ppt/slides/slide2.xml", `<p:sld show="0"><p:cSld><p:spTree>`+shapeOf(`<p:ph type="title"/>`, run("Old"))+"</p:spTree></p:cSld></p:sld>")
	c, err := Read(raw, extract.NoProgress)
	if want := "## New\n\n10 mg\n\n## Old (hidden slide)\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

func TestPPTX(t *testing.T) {
	first := shapeOf(`<p:ph idx="1"/>`, run("one"), `<a:pPr lvl="1"/>`+run("deeper"), `<a:pPr><a:buNone/></a:pPr>`+run("no bullet")) +
		shapeOf(`<p:ph type="sldNum"/>`, run("1")) + shapeOf(`<p:ph type="ftr"/>`, run("Footer")) +
		shapeOf(`<p:ph type="title"/>`, run("The")+"<a:br/>"+run("title")) +
		`<p:pic><p:nvPicPr><p:cNvPr descr="A chart of sales"/></p:nvPicPr></p:pic>`
	second := `<p:grpSp>` + shapeOf("", run("in a ")+run("group")) + `</p:grpSp>` + shapeOf(`<p:ph type="ftr"/>`, run("Footer")) +
		`<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p>` + run("a") + `</a:p></a:txBody></a:tc><a:tc><a:txBody><a:p>` + run("b") + `</a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>` +
		`<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>` +
		shapeOf("", `<a:pPr><a:buAutoNum type="alphaLcParenR" startAt="2"/></a:pPr>`+run("x"), `<a:pPr><a:buAutoNum type="alphaLcParenR" startAt="2"/></a:pPr>`+run("y")) +
		`<mc:AlternateContent><mc:Choice>` + shapeOf("", `<a14:m><m:oMath><m:r><m:t>e=1</m:t></m:r></m:oMath></a14:m>`) + `</mc:Choice><mc:Fallback>` + shapeOf("", run("picture")) + `</mc:Fallback></mc:AlternateContent>`
	raw := pptxOf(t, first, second,
		"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/><Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/n1.xml"/><Relationship Id="c" Type="x/comments" Target="../comments/c1.xml"/></Relationships>`,
		"ppt/diagrams/data1.xml", `<dgm:dataModel><dgm:pt><dgm:t><a:p>`+run("node")+`</a:p></dgm:t></dgm:pt><dgm:pt type="pres"/></dgm:dataModel>`,
		"ppt/notesSlides/n1.xml", `<p:notes>`+shapeOf(`<p:ph type="sldImg"/>`)+shapeOf(`<p:ph type="body"/>`, run("Say this"), run("and that"))+shapeOf(`<p:ph type="sldNum"/>`, run("2"))+`</p:notes>`,
		"ppt/comments/c1.xml", `<p:cmLst><p:cm><p:text>Really?</p:text></p:cm></p:cmLst>`)
	c, err := Read(raw, extract.NoProgress)
	want := "## The title\n\n- one\n  - deeper\n\nno bullet\n\nFooter\n\nA chart of sales\n\n" +
		"## Slide 2\n\nin a group\n\n| a | b |\n| --- | --- |\n\n- node\nb) x\nc) y\n\ne=1\n\nNotes: Say this\n\nand that\n\nComment: Really?\n"
	if err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
	if parts := []extract.Part{{Kind: extract.Slide, Number: 1}, {Kind: extract.Slide, Number: 2, StartByte: strings.Index(want, "## Slide 2")}}; !slices.Equal(c.Parts, parts) {
		t.Errorf("parts %+v, want %+v", c.Parts, parts)
	}
}

// TestPPTXFormulaObjects checks that a formula of Equation Editor is shown once, although a slide
// stores it twice, and that of another object the name of its picture is shown.
func TestPPTXFormulaObjects(t *testing.T) {
	object := func(id string) string {
		inner := `<p:oleObj r:id="` + id + `" progId="Equation.3"><p:embed/><p:pic><p:nvPicPr><p:cNvPr descr="Tide tables"/></p:nvPicPr></p:pic></p:oleObj>`
		return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1"/></p:nvGraphicFramePr><a:graphic><a:graphicData><mc:AlternateContent><mc:Choice>` + inner + `</mc:Choice><mc:Fallback>` + inner +
			`</mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>`
	}
	c, err := Read(pptxOf(t, shapeOf("", run("Speed"))+object("o1"), object("o2"), "ppt/slides/_rels/slide2.xml.rels", `<Relationships><Relationship Id="o1" Type="x/oleObject" Target="../embeddings/a.bin"/></Relationships>`,
		"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="o2" Type="x/oleObject" Target="../embeddings/b.bin"/></Relationships>`,
		"ppt/embeddings/a.bin", extracttest.FormulaObject("v=st"), "ppt/embeddings/b.bin", "no object"), extract.NoProgress)
	if want := "## Slide 1\n\nSpeed\n\nv=st\n\n## Slide 2\n\nTide tables\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestPPTXFields checks that fields which PowerPoint fills in are left out, and a slide without
// other text as well.
func TestPPTXFields(t *testing.T) {
	date := shapeOf(`<p:ph type="dt"/>`, run("Oslo, May 2026"))
	number := shapeOf("", run("of 9: ")+`<a:fld type="slidenum"><a:t>77</a:t></a:fld><a:fld type="datetime1"><a:t>13/05/14</a:t></a:fld><a:fld type="TxLink"><a:t>kept</a:t></a:fld>`)
	c, err := Read(pptxOf(t, date+number, date), extract.NoProgress)
	if want := "## Slide 1\n\nOslo, May 2026\n\nof 9: kept\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestPPTXStruckOut checks that struck-out text has marks and is separated from its replacement.
func TestPPTXStruckOut(t *testing.T) {
	struck := func(kind, text string) string {
		return `<a:r><a:rPr strike="` + kind + `"/><a:t>` + text + `</a:t></a:r>`
	}
	c, err := Read(pptxOf(t, shapeOf("", struck("sngStrike", "5 mg")+run("10 mg, ")+struck("noStrike", "5 ")+run("mg")), ""), extract.NoProgress)
	if want := "## Slide 1\n\n~~5 mg~~ 10 mg, 5 mg\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestPPTXSuperscript checks that a raised number, which may consist of several runs, does not
// become part of the word before it.
func TestPPTXSuperscript(t *testing.T) {
	at := func(baseline, text string) string {
		return `<a:r><a:rPr baseline="` + baseline + `"/><a:t>` + text + `</a:t></a:r>`
	}
	c, err := Read(pptxOf(t, shapeOf("", run("hypoglycaemia")+at("30000", "1")+at("30%", "2,3")+"<a:r><a:t>4</a:t></a:r>"+at("-25000", "5")+at("0", "6")+at("30000", "st")), ""), extract.NoProgress)
	if want := "## Slide 1\n\nhypoglycaemia¹²,³456st\n"; err != nil || c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

func TestPPTXDamaged(t *testing.T) {
	c, err := Read(pptxOf(t, shapeOf("", run("kept"))+"<<", shapeOf("", run("whole"))), extract.NoProgress)
	if err != nil || c.Text != "## Slide 1\n\nkept\n\n## Slide 2\n\nwhole\n" || c.ExtractionNote.String() != "slide 1 could not be read completely" {
		t.Errorf("%q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	_, err = Read(extracttest.Zip(t, "ppt/presentation.xml", "<p:presentation/>"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = Read(pptxOf(t, "<p:pic/>", "", "ppt/media/image1.jpeg", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrOnlyPictures.Error())
	_, err = Read(pptxOf(t, strings.Repeat("<p:grpSp>", 1000), ""), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
}

func FuzzPPTX(f *testing.F) {
	f.Add(shapeOf(`<p:ph type="title"/>`, run("title")), `<a:tbl><a:tr><a:tc><a:txBody><a:p/></a:txBody></a:tc></a:tr></a:tbl>`, "<c:chart><c:ser><c:tx/></c:ser></c:chart>")
	f.Add(shapeOf(`<p:ph/>`, `<a:pPr lvl="3"><a:buAutoNum type="romanUcPeriod"/></a:pPr>`+run("x")), `<p:graphicFrame><c:chart r:id="c"/><dgm:relIds r:dm="c"/></p:graphicFrame>`, "<dgm:pt><a:p><a:t>x</a:t></a:p></dgm:pt>")
	f.Fuzz(func(t *testing.T, first, second, part string) {
		c, err := Read(pptxOf(t, first, second, "ppt/part.xml", part,
			"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="c" Type="x/comments" Target="../part.xml"/><Relationship Id="n" Type="x/notesSlide" Target="../part.xml"/></Relationships>`), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
