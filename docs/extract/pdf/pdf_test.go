package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

// A testPDF describes a small PDF: one content stream for each page, all with the same fonts F1
// (Helvetica), F2 (Chinese, with two-byte codes that a table maps to Unicode) and F3 (two-byte
// codes without such a table), and an image Im.
type testPDF struct {
	pages  []string
	title  string
	author string
	extra  []string // further objects, numbered from 10; the pages, each followed by its content, come after them
	root   string   // further entries of the catalog
	page   string   // further entries of each page
	locked bool     // whether the file has a password
}

const testUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
4 beginbfchar <0001> <9AD8> <0002> <8840> <0003> <538B> <0004> <D840DC0B> endbfchar
endcmap end end`

func (p testPDF) bytes() []byte {
	objects := []string{
		"", // set below
		"", // set below
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		"<</Type/Font/Subtype/Type0/BaseFont/T/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[5 0 R]>>",
		"<</Type/Font/Subtype/CIDFontType2/BaseFont/T/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000>>",
		testStream("", testUnicode),
		"<</Type/Font/Subtype/Type0/BaseFont/U/Encoding/Identity-H/DescendantFonts[5 0 R]>>",
		testStream("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", "x"),
		fmt.Sprintf("<</Title(%s)/Author(%s)>>", p.title, p.author),
	}
	objects = append(objects, p.extra...)
	var kids []string
	for _, content := range p.pages {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 7 0 R/F4 10 0 R>>/XObject<</Im 8 0 R>>>>%s>>", n+1, p.page), testStream("", content))
	}
	objects[0] = "<</Type/Catalog/Pages 2 0 R" + p.root + ">>"
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", strings.Join(kids, " "), len(kids))
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	xref := "0000000000 65535 f \n"
	for i, o := range objects {
		xref += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	lock := ""
	if p.locked {
		key := strings.Repeat("00", 32)
		lock = "/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<" + key + ">/U<" + key + ">>>"
	}
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer<</Size %d/Root 1 0 R/Info 9 0 R%s>>\nstartxref\n%d\n%%%%EOF", len(objects)+1, xref, len(objects)+1, lock, b.Len())
	return b.Bytes()
}

func testStream(entries, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", entries, len(data), data)
}

// testSizes returns lines whose font size is their x.
func testSizes(lines ...testLine) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "BT /F1 1 Tf %d 0 0 %d 50 %d Tm (%s) Tj ET\n", l.x, l.x, l.y, l.text)
	}
	return b.String()
}

// testLines returns lines of text at their positions on the page.
func testLines(lines ...testLine) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "BT /F1 10 Tf %d %d Td (%s) Tj ET\n", l.x, l.y, l.text)
	}
	return b.String()
}

type testLine struct {
	x, y int
	text string
}

const testImage = "q 600 0 0 800 0 0 cm /Im Do Q"

func TestReadPDF(t *testing.T) {
	page := func(text string) string { return testLines(testLine{50, 700, text}) }
	garbage := "BT /F3 10 Tf 50 700 Td <0001000200040005000600070008000B0010> Tj ET"
	for _, test := range []struct {
		name   string
		pdf    testPDF
		text   string
		pages  []int
		reason string
		note   string
		title  string
		scans  []int
	}{
		{name: "pages", pdf: testPDF{pages: []string{page("First page."), "", page("Third page.")}, title: "A Study of Pages"},
			text: "First page.\n\nThird page.\n", pages: []int{1, 3}, title: "A Study of Pages"},
		{name: "divided word", pdf: testPDF{pages: []string{testLines(testLine{50, 700, "a case of inter-"}, testLine{50, 688, "national well-known law"})}},
			text: "a case of inter\u00AD\nnational well-known law\n", pages: []int{1}},
		{name: "columns", pdf: testPDF{pages: []string{testLines(testLine{50, 700, "left one"}, testLine{50, 688, "left two"}, testLine{320, 700, "right one"}, testLine{320, 688, "right two"})}},
			text: "left one\nleft two\nright one\nright two\n", pages: []int{1}},
		{name: "Chinese", pdf: testPDF{pages: []string{"BT /F2 10 Tf 50 700 Td <000100020003> Tj ET"}}, text: "高血压\n", pages: []int{1}},
		{name: "beyond the first plane", pdf: testPDF{pages: []string{"BT /F2 10 Tf 50 700 Td <000100040002> Tj ET"}}, text: "高\U0002000B血\n", pages: []int{1}},
		{name: "scanned", pdf: testPDF{pages: []string{testImage, testImage}}, reason: errScanned.Error(), scans: []int{1, 2}},
		{name: "partly scanned", pdf: testPDF{pages: []string{page("Cover."), testImage, testImage}}, text: "Cover.\n", pages: []int{1}, note: "2 of 3 pages have no text (scanned)", scans: []int{2, 3}},
		{name: "scanned with numbers", pdf: testPDF{pages: []string{testImage + " " + page("1"), testImage + " " + page("2"), testImage}}, text: "1\n\n2\n", pages: []int{1, 2},
			note: "1 of 3 pages has no text (scanned); 2 of 3 pages have hardly any text on an image (scanned)", scans: []int{1, 2, 3}},
		{name: "a title on an image", pdf: testPDF{pages: []string{testImage + " " + page("Cover."), page("Text.")}}, text: "Cover.\n\nText.\n", pages: []int{1, 2}},
		{name: "no Unicode", pdf: testPDF{pages: []string{garbage}}, reason: errNoUnicode.Error(), scans: []int{1}},
		{name: "partly no Unicode", pdf: testPDF{pages: []string{page("Cover."), garbage, testImage}}, text: "Cover.\n", pages: []int{1},
			note: "1 of 3 pages has no text (scanned); 1 of 3 pages cannot be read: the fonts do not say which characters they hold", scans: []int{2, 3}},
		{name: "blank", pdf: testPDF{pages: []string{""}}, reason: extract.ErrNoText.Error()},
		{name: "no pages", pdf: testPDF{}, reason: errDamaged.Error()},
		{name: "password", pdf: testPDF{pages: []string{page("Secret.")}, locked: true}, reason: extract.ErrPasswordProtected.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Read(test.pdf.bytes(), extract.NoProgress)
			var reason string
			if s := (*extract.SkipError)(nil); errors.As(err, &s) {
				reason = s.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			note := message.Join(c.ExtractionNote, c.UnrecognisedPages.MissingPagesNote)
			if c.Text == "" && err == nil {
				reason, note = c.UnrecognisedPages.MissingPagesNote.String(), ""
			}
			if c.Text != test.text || reason != test.reason || note.String() != test.note || !slices.Equal(c.UnrecognisedPages.Pages, test.scans) || c.Title != test.title {
				t.Errorf("got text %q, reason %q, note %q, title %q, scans %v", c.Text, reason, note, c.Title, c.UnrecognisedPages.Pages)
			}
			var pages []int
			for _, p := range c.Parts {
				pages = append(pages, p.Number)
				if p.Kind != extract.Page || p.StartByte > 0 && !strings.HasSuffix(c.Text[:p.StartByte], "\n\n") {
					t.Errorf("page %d starts at %d in %q", p.Number, p.StartByte, c.Text)
				}
			}
			if fmt.Sprint(pages) != fmt.Sprint(test.pages) {
				t.Errorf("got pages %v, want %v", pages, test.pages)
			}
		})
	}
}

// TestReadPDFWithoutFont reads text in a font that the PDF names but does not embed, as is frequent
// in Chinese ones, and a page with a single character.
func TestReadPDFWithoutFont(t *testing.T) {
	for encoding, code := range map[string]string{"GBK-EUC-H": "B8DF", "UniGB-UCS2-H": "9AD8", "UniGB-UCS2-V": "9AD8"} {
		pdf := testPDF{pages: []string{"BT /F4 10 Tf 50 700 Td <" + code + "> Tj ET"}, extra: []string{
			"<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/" + encoding + "/DescendantFonts[11 0 R]>>",
			"<</Type/Font/Subtype/CIDFontType2/BaseFont/SimSun/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000/FontDescriptor 12 0 R>>",
			"<</Type/FontDescriptor/FontName/SimSun/Flags 6/FontBBox[-8 -145 1000 859]/Ascent 859/Descent -145/CapHeight 859/StemV 70/ItalicAngle 0>>",
		}}
		if c, err := Read(pdf.bytes(), extract.NoProgress); c.Text != "高\n" {
			t.Errorf("%s: %q, %v", encoding, c.Text, err)
		}
	}
}

func TestReadPDFParagraphs(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []testLine
		want  string
	}{
		{"space", []testLine{{50, 700, "Heading"}, {50, 680, "one"}, {50, 668, "two"}, {50, 656, "three"}, {50, 630, "four"}, {50, 618, "five"}},
			"Heading\n\none\ntwo\nthree\n\nfour\nfive\n"},
		{"indent", []testLine{{50, 700, "one"}, {50, 688, "two."}, {65, 676, "three"}, {50, 664, "four"}, {50, 652, "five"}},
			"one\ntwo.\n\nthree\nfour\nfive\n"},
		{"hanging indent", []testLine{{50, 700, "- one"}, {50, 688, "- two that goes"}, {65, 676, "on"}, {50, 664, "- three"}, {50, 652, "- four"}},
			"- one\n- two that goes\non\n- three\n- four\n"},
		{"next column", []testLine{{50, 700, "one"}, {50, 688, "two"}, {50, 676, "three"}, {320, 700, "four"}, {320, 688, "five"}},
			"one\ntwo\nthree\nfour\nfive\n"},
		{"too few lines", []testLine{{50, 700, "one"}, {50, 600, "two"}, {50, 588, "three"}}, "one\ntwo\nthree\n"},
	} {
		c, err := Read(testPDF{pages: []string{testLines(test.lines...)}}.bytes(), extract.NoProgress)
		if err != nil || c.Text != test.want {
			t.Errorf("%s: got %q, error %v", test.name, c.Text, err)
		}
	}
}

func TestReadPDFDamaged(t *testing.T) {
	whole := testPDF{pages: []string{testLines(testLine{50, 700, "Text."})}}.bytes()
	loop := []byte("%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[2 0 R 2 0 R]/Count 5000>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF")
	for name, raw := range map[string][]byte{"nothing": nil, "head": whole[:20], "zeros": append([]byte("%PDF-1.7\n"), make([]byte, 1000)...), "loop": loop} {
		if _, err := Read(raw, extract.NoProgress); err == nil || err.Error() != errDamaged.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c, err := Read(bytes.Replace(whole, []byte("\nxref\n"), []byte("\ngone\n"), 1), extract.NoProgress); err != nil || c.Text != "Text.\n" {
		t.Errorf("without a table of objects: %q, %v", c.Text, err)
	}
}

func TestReadPDFAnnotations(t *testing.T) {
	pdf := testPDF{pages: []string{testLines(testLine{50, 700, "Admission form"})}, page: "/Annots[10 0 R 11 0 R 12 0 R 13 0 R 14 0 R]", extra: []string{
		"<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(ask the ward\\rtomorrow)>>",
		"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(f1)/TU(Name of the patient)/V(Ada Example)>>",
		"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Btn/T(f2)/V/Yes>>",
		"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(f3)>>",
		"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Contents(a link)>>",
	}}
	c, err := Read(pdf.bytes(), extract.NoProgress)
	if want := "Admission form\n\nask the ward\ntomorrow\n\nName of the patient: Ada Example\n"; err != nil || c.Text != want {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

// TestReadPDFStruck checks that text which annotations strike out has marks, and that a comment which only
// repeats it is left out.
func TestReadPDFStruck(t *testing.T) {
	strike := func(contents, quads string) string {
		return "<</Type/Annot/Subtype/StrikeOut/Rect[0 0 600 800]/QuadPoints[" + quads + "]/Contents(" + contents + ")>>"
	}
	page := "BT /F1 10 Tf 50 700 Td (Dose: ) Tj (40 mg) Tj ( 20 mg.) Tj ET BT /F1 10 Tf 50 660 Td (Give it at night) Tj ET BT /F1 10 Tf 50 648 Td (and in the morning) Tj ET BT /F1 10 Tf 50 600 Td (unit 705, a~~b) Tj ET"
	pdf := testPDF{pages: []string{page}, page: "/Annots[10 0 R 11 0 R 12 0 R 13 0 R]", extra: []string{
		strike("40 mg", "78.9 709 106.7 709 78.9 698 106.7 698"),
		strike("too strong", "81 669 120 669 81 658 120 658 40 657 200 657 40 646 200 646"),
		strike("", "55.6 609 63.3 609 55.6 598 63.3 598"), // letters within a word
		"<</Type/Annot/Subtype/Underline/Rect[0 0 600 800]/QuadPoints[50 709 70 709 50 698 70 698]>>",
	}}
	c, err := Read(pdf.bytes(), extract.NoProgress)
	if want := "Dose: ~~40 mg~~ 20 mg.\nGive it ~~at night~~\n~~and in the morning~~\nunit 705, a~\u2060~b\n\ntoo strong\n"; err != nil || c.Text != want {
		t.Errorf("got  %q, %v\nwant %q", c.Text, err, want)
	}
}

// TestReadPDFForm checks that ticks, the chosen button and the text of an option are read where
// people see them, as well as signatures and stamps.
func TestReadPDFForm(t *testing.T) {
	appearance := func(text string) string {
		return testStream("/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 3 0 R>>>>", "BT /F1 10 Tf 2 5 Td ("+text+") Tj ET")
	}
	box := func(y int, kind, state string) string {
		return fmt.Sprintf("<</Type/Annot/Subtype/Widget/Rect[50 %d 60 %d]%s/AS/%s/AP<</N<</Yes 20 0 R/Off 20 0 R/female 20 0 R/male 20 0 R>>>>>>", y, y+10, kind, state)
	}
	c, err := Read(testPDF{
		pages: []string{testLines(testLine{65, 702, "Latex allergy"}, testLine{65, 682, "Nut allergy"}, testLine{65, 662, "female"}, testLine{65, 642, "male"})},
		root:  "/AcroForm<</Fields[10 0 R 11 0 R 12 0 R 15 0 R 16 0 R 17 0 R]>>", page: "/Annots[10 0 R 11 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R]",
		extra: []string{
			box(700, "/FT/Btn/T(c1)/V/Yes", "Yes"), box(680, "/FT/Btn/T(c2)/V/Off", "Off"),
			"<</FT/Btn/Ff 32768/T(Sex)/V/female/Kids[13 0 R 14 0 R]>>", box(660, "/Parent 12 0 R", "female"), box(640, "/Parent 12 0 R", "Off"),
			"<</Type/Annot/Subtype/Widget/Rect[50 500 200 520]/FT/Ch/Ff 131072/T(Ward)/V(w7)/Opt[[(w6)(Surgery)][(w7)(Heart)]]>>",
			"<</Type/Annot/Subtype/Widget/Rect[50 450 250 470]/FT/Sig/T(Signature)/AP<</N 19 0 R>>>>",
			"<</Type/Annot/Subtype/Widget/Rect[50 400 60 410]/FT/Btn/T(c3)/TU(No consent)/V/Yes/AS/Yes/AP<</N<</Yes 20 0 R/Off 20 0 R>>>>>>",
			"<</Type/Annot/Subtype/Stamp/Rect[300 700 500 720]/AP<</N 21 0 R>>>>",
			appearance("Signed by Ada Example"), testStream("/Type/XObject/Subtype/Form/BBox[0 0 10 10]", ""), appearance("APPROVED"),
		},
	}.bytes(), extract.NoProgress)
	want := "☑ Latex allergy\n☐ Nut allergy\n☑ female\n☐ male\n\nWard: Heart\n\nSignature: Signed by Ada Example\n\n☑ No consent\n\nAPPROVED\n"
	if err != nil || c.Text != want {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

// TestReadPDFDynamicForm checks that the texts and values of a form which only Adobe Reader
// displays are read, or that the file is skipped with the reason.
func TestReadPDFDynamicForm(t *testing.T) {
	template := testStream("", "<template><subform><field name='ward'><caption><value><text>Ward</text></value></caption><script>if (a) b;</script></field></subform></template>")
	data := testStream("", "<xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><xfa:data><form><ward>Heart &amp; lung</ward><empty/></form></xfa:data></xfa:datasets>")
	for _, test := range []struct {
		template, data, text, reason string
	}{
		{template, data, "Ward\n\nward: Heart & lung\n", ""},
		{testStream("", "<template"), testStream("", strings.Repeat("<a>", 10000)), "", errXFA.Error()},
	} {
		c, err := Read(testPDF{pages: []string{testLines(testLine{50, 700, "Please wait..."})},
			root: "/NeedsRendering true/AcroForm<</Fields[]/XFA[(template)10 0 R(datasets)11 0 R]>>", extra: []string{test.template, test.data}}.bytes(), extract.NoProgress)
		if c.Text != test.text || (err == nil) != (test.reason == "") || err != nil && err.Error() != test.reason {
			t.Errorf("got %q, %v", c.Text, err)
		}
	}
}

// TestReadPDFAttachments checks that attached files are named, wherever the PDF stores them.
func TestReadPDFAttachments(t *testing.T) {
	file := func(name string) string { return "<</Type/Filespec/F(" + name + ")/EF<</F 12 0 R>>>>" }
	c, err := Read(testPDF{pages: []string{testLines(testLine{50, 700, "Letter."})}, root: "/Names<</EmbeddedFiles<</Names[(a)10 0 R]>>>>", page: "/Annots[13 0 R]", extra: []string{
		file("results.docx"), file("scan.pdf"), testStream("/Type/EmbeddedFile", "x"), "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 11 0 R>>",
	}}.bytes(), extract.NoProgress)
	if want := []string{"results.docx", "scan.pdf"}; err != nil || !slices.Equal(c.UnreadAttachments, want) || c.Text != "Letter.\n" {
		t.Errorf("got %q, %q, %v", c.UnreadAttachments, c.Text, err)
	}
}

func TestReadPDFOutline(t *testing.T) {
	page := testLines(testLine{50, 700, "Text."})
	for next, want := range map[string][]string{
		"":             {"First Steps", "First Steps", "高血压"},
		"/Next 11 0 R": {"", "", ""}, // bookmarks that form a cycle
	} {
		c, err := Read(testPDF{pages: []string{page, page, page}, root: "/Outlines 10 0 R", extra: []string{
			"<</Type/Outlines/First 11 0 R/Last 12 0 R/Count 2>>",
			"<</Title(First Steps)/Parent 10 0 R/Next 12 0 R/Dest[14 0 R/Fit]>>",
			"<</Title<FEFF9AD88840538B>/Parent 10 0 R" + next + "/First 13 0 R/Last 13 0 R/Count 1/A<</S/GoTo/D[18 0 R/Fit]>>>>",
			"<</Title(on the same page)/Parent 12 0 R/Dest[18 0 R/Fit]>>",
		}}.bytes(), extract.NoProgress)
		if err != nil || len(c.Parts) != 3 {
			t.Fatalf("got %+v, %v", c, err)
		}
		for i := range want {
			if c.Parts[i].Name != want[i] {
				t.Errorf("with %q, page %d is called %q, want %q", next, i+1, c.Parts[i].Name, want[i])
			}
		}
	}
}

// TestReadPDFSections checks that each of several sections on a page begins at its heading, and
// that the last one continues on the next page.
func TestReadPDFSections(t *testing.T) {
	lines := func(texts ...string) string {
		var all []testLine
		for i, text := range texts {
			all = append(all, testLine{50, 700 - 12*i, text})
		}
		return testLines(all...)
	}
	bookmark := func(number int, title, dest, next string) string {
		return fmt.Sprintf("<</Title(%s)/Parent 10 0 R/Dest[%s]%s>>", title, dest, next)
	}
	c, err := Read(testPDF{pages: []string{
		lines("3 Care at home", "Call the ward.", "more of it"),
		lines("end of care", "4.2 Drugs", "Give insulin.", "Rehabilitation", "Walk."),
		lines("and rest"),
	}, root: "/Outlines 10 0 R", extra: []string{
		"<</Type/Outlines/First 11 0 R/Last 13 0 R/Count 3>>",
		bookmark(11, "Care at home", "14 0 R/Fit", "/Next 12 0 R"),
		bookmark(12, "4.2 Drugs", "16 0 R/Fit", "/Next 13 0 R"),
		bookmark(13, "5 What helps later", "16 0 R/XYZ 50 672 0", ""),
	}}.bytes(), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, p := range c.Parts {
		end := len(c.Text)
		if i+1 < len(c.Parts) {
			end = c.Parts[i+1].StartByte
		}
		got = append(got, fmt.Sprintf("%d %s: %s", p.Number, p.Name, strings.Join(strings.Fields(c.Text[p.StartByte:end]), " ")))
	}
	if want := []string{
		"1 Care at home: 3 Care at home Call the ward. more of it", "2 Care at home: end of care", "2 4.2 Drugs: 4.2 Drugs Give insulin.",
		"2 5 What helps later: Rehabilitation Walk.", "3 5 What helps later: and rest",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestPDFLines(t *testing.T) {
	for _, test := range []struct {
		text, want string
		readable   bool
	}{
		{"one  \r\n\r\n two", "one|two", true},
		{"e\x0Bective di\x0Eculty", "effective difficulty", true},
		{"a\x01b c\uE000d", "a\uFFFDb c\uFFFDd", true},
		{"a\x02\x03\x04", "a\uFFFD\uFFFD\uFFFD", false},
		{"", "", true},
	} {
		p := textPage{text: test.text}
		p.units = utf8.RuneCountInString(test.text)
		p.chars = p.units
		lines, readable := p.parseLines()
		var texts []string
		for _, l := range lines {
			texts = append(texts, l.text)
		}
		if got := strings.Join(texts, "|"); got != test.want || readable != test.readable {
			t.Errorf("%q: got %q, readable %v", test.text, got, readable)
		}
	}
	if _, readable := (&textPage{text: "a", units: 1, chars: 3}).parseLines(); readable {
		t.Error("a page is readable though the engine leaves out most of it")
	}
}

func TestPDFWithTooMuchText(t *testing.T) {
	r := fileReader{file: &file{pages: 3}}
	r.addPage(0, strings.Repeat("a", extract.MaxTextBytes-100)+"\n", nil)
	r.pages++
	r.addPage(1, strings.Repeat("b", 200)+"\n", nil)
	c, err := r.result()
	if err != nil || len(c.Text) != extract.MaxTextBytes-99 || len(c.Parts) != 1 || c.ExtractionNote.String() != "only pages 1 to 1 of 3: more than 32 MB of text" {
		t.Errorf("got %d bytes, %d parts, note %q, %v", len(c.Text), len(c.Parts), c.ExtractionNote, err)
	}
}

func TestPDFTitle(t *testing.T) {
	body := []testLine{{10, 600, "Sodium is what most of us eat too much of."}, {10, 588, "It raises the pressure of the blood."}}
	page := func(lines ...testLine) testPDF { return testPDF{pages: []string{testSizes(append(lines, body...)...)}} }
	paper := page(testLine{9, 780, "Journal of Salt"}, testLine{20, 740, "Salt and Wa-"}, testLine{20, 718, "ter in the Diet *"}, testLine{12, 690, "Ann Example"})
	for _, test := range []struct {
		name, metadata string
		pdf            testPDF
		want           string
	}{
		{"the largest text, over two lines", "", paper, "Salt and Water in the Diet"},
		{"metadata", "Salt in the diet of whales", paper, "Salt in the diet of whales"},
		{"a program's default, as hex of GB18030", "<D1CECBAED2FBCAB3D6B8C4CF>", page(testLine{12, 690, "Ann Example"}), "盐水饮食指南"},
		{"a file's name, as hex", "<4D6963726F736F667420576F7264202D20BDCCB2C4C1B7CFB0B2CEBFBCB4F0B0B82E646F63>", paper, "Salt and Water in the Diet"},
		{"headings in boxes", "", page(testLine{20, 740, "My education"}, testLine{20, 500, "My projects"}), "My education"},
		{"the name of a file", "salt-v2", paper, "Salt and Water in the Diet"},
		{"a template", "Sample of a first page", paper, "Salt and Water in the Diet"},
		{"a template that is known", "Paper Title", paper, "Salt and Water in the Diet"},
		{"its author", "Ann Example", paper, "Salt and Water in the Diet"},
		{"no large text", "", page(), ""},
		{"metadata without large text", "An elementary course", page(), "An elementary course"},
		{"a logo", "", page(testLine{30, 780, "SALT"}, testLine{20, 740, "On Water"}), "On Water"},
		{"the days of a meeting", "", page(testLine{30, 780, "Boston, USA June 25-30, 2001"}, testLine{20, 740, "On Water"}), "On Water"},
		{"the name of a section", "", page(testLine{20, 780, "SYSTEMS"}, testLine{20, 740, "On Water"}), "On Water"},
		{"a cover", "", testPDF{pages: []string{testSizes(testLine{30, 700, "On Water"}, testLine{12, 650, "Ann Example"})}}, "On Water"},
		{"text up the margin", "", testPDF{pages: []string{"BT /F1 1 Tf 0 30 -30 0 20 200 Tm (Preprint of 2024 by us) Tj ET\n" +
			testSizes(append([]testLine{{20, 740, "On Water"}}, body...)...)}}, "On Water"},
	} {
		test.pdf.title = test.metadata
		test.pdf.author = "Ann Example"
		c, err := Read(test.pdf.bytes(), extract.NoProgress)
		if err != nil || c.Title != test.want {
			t.Errorf("%s: title %q, %v, want %q", test.name, c.Title, err, test.want)
		}
	}
}

// TestSymbols checks that codes of a symbol font become the characters that the font shows.
func TestSymbols(t *testing.T) {
	raw := string(extracttest.PDF("", "BT /F1 11 Tf 60 700 Td <A7D820FC> Tj ET"))
	const cmap = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n" +
		"4 beginbfchar <A7> <F0A7> <D8> <F0D8> <20> <0020> <FC> <F0FC> endbfchar endcmap end"
	raw = strings.Replace(raw, "/BaseFont/Helvetica/Encoding/WinAnsiEncoding", "/BaseFont/ABCDEF+Wingdings-Regular/ToUnicode 6 0 R", 1)
	raw = strings.Replace(raw, "trailer", fmt.Sprintf("6 0 obj\n<</Length %d>>stream\n%s\nendstream\nendobj\ntrailer", len(cmap), cmap), 1)
	c, err := Read([]byte(raw), extract.NoProgress)
	if err != nil || c.Text != "▪➢ ✓\n" {
		t.Errorf("it reads as %q, %v", c.Text, err)
	}
}

// TestReadPDFInvisibleText checks that text which a page does not paint is read, as programs put the
// text that they recognise over a scan so, and white text as well.
func TestReadPDFInvisibleText(t *testing.T) {
	scan := extracttest.PDFScan(200) + "\n3 Tr " + extracttest.PDFLines("Recognised on the scan of a letter")
	c, err := Read(extracttest.PDF("", scan, "1 g "+extracttest.PDFLines("White on white")), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "Recognised on the scan of a letter\n\nWhite on white\n"; c.Text != want || len(c.UnrecognisedPages.Pages) > 0 {
		t.Errorf("%q, want %q; to be recognised: %v", c.Text, want, c.UnrecognisedPages.Pages)
	}
}
