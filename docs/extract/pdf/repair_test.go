package pdf

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

// testFont returns a font F4 that looks like Helvetica. Each of characters is a code in two
// hexadecimal digits and the character it stands for in UTF-16BE: "41 0338".
func testFont(characters ...string) []string {
	var maps strings.Builder
	for _, c := range characters {
		code, unicode, _ := strings.Cut(c, " ")
		fmt.Fprintf(&maps, "<%s> <%s> ", code, unicode)
	}
	cmap := fmt.Sprintf("/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n%d beginbfchar %sendbfchar endcmap end", len(characters), maps.String())
	return []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 11 0 R>>", testStream("", cmap)}
}

// testDrawnFont returns a font F4 whose characters are drawings (Type 3) without names: each is
// half as wide as it is high.
func testDrawnFont() []string {
	var names, procs strings.Builder
	for code := range 256 {
		fmt.Fprintf(&names, "/a%d", code)
		fmt.Fprintf(&procs, "/a%d 11 0 R", code)
	}
	return []string{
		"<</Type/Font/Subtype/Type3/FontBBox[0 0 500 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255/Widths[" + strings.Repeat("500 ", 256) +
			"]/Encoding<</Differences[0" + names.String() + "]>>/CharProcs<<" + procs.String() + ">>>>",
		testStream("", "500 0 0 0 500 1000 d1 0 0 500 1000 re f"),
	}
}

// show returns the operators that show a text in a font and size at a position.
func show(font string, size, x, y float64, text string) string {
	return fmt.Sprintf("BT /%s %v Tf %v %v Td (%s) Tj ET\n", font, size, x, y, text)
}

// spaced returns the operators that show a word letter by letter, with space between the letters.
func spaced(y float64, word string) (all string) {
	for i, letter := range strings.Split(word, "") {
		all += show("F1", 10, 50+12*float64(i), y, letter)
	}
	return all
}

// TestRepairs checks text that programs write in such a way that PDFium does not return it as
// people read it.
func TestRepairs(t *testing.T) {
	twice := ""
	for i, letter := range strings.Split("Shadow", "") {
		x := 50 + 6*float64(i)
		twice += show("F1", 10, x, 700, letter) + show("F1", 10, x+.7, 699.3, letter)
	}
	for _, test := range []struct {
		name, page string
		font       []string
		want       string
	}{
		{"an accent before its letter", show("F1", 10, 50, 700, "caf") + show("F1", 10, 64.44, 700, `\264`) + show("F1", 10, 63.34, 700, "e noir"), nil, "café noir"},
		{"an accent beside a letter", show("F1", 10, 50, 700, `rock \264n roll`), nil, "rock ´n roll"},
		{"the circle of degrees", show("F1", 10, 50, 700, "25") + show("F4", 7, 62, 704, "A") + show("F1", 10, 66, 700, "C"), testFont("41 25E6"), "25°C"},
		{"a circle between functions", show("F1", 10, 50, 700, "f ") + show("F4", 10, 56, 700, "A") + show("F1", 10, 63, 700, " g"), testFont("41 25E6"), "f ◦ g"},
		{"a stroke by itself", show("F4", 10, 50, 700, "A= 4"), testFont("41 0338", "3D 003D", "20 0020", "34 0034"), "≠ 4"},
		{"a stroke as dvips names it", show("F1", 10, 50, 700, "a ") + show("F1", 10, 60, 700, "6") + show("F1", 10, 60, 700, "= b"), nil, "a ≠ b"},
		{"a six", show("F1", 10, 50, 700, "6=b"), nil, "6=b"},
		{"a stroke through a sign", show("F1", 10, 50, 700, "p = 1") + show("F1", 10, 60.3, 700, "/"), nil, "p ≠ 1"},
		{"swapped bytes", show("F4", 10, 50, 700, "ABrst and oAAer"), testFont("41 6600", "42 6900"), "first and offer"},
		{"Chinese", show("F4", 10, 50, 700, "AB"), testFont("41 6600", "42 6900"), "昀椀"},
		{"T1 as drawings", show("F4", 10, 50, 700, `di\036cult work\035ow \02025\02530 mg\021 Stra\377e \212\363d\271`), testDrawnFont(), "difficult workflow “25–30 mg” Straße Łódź"},
		{"a word of T1 divided", show("F4", 10, 50, 700, `di\036cult recep-`) + show("F4", 10, 50, 688, "tors and "), testDrawnFont(), "difficult recep\u00AD\ntors and"},
		{"OT1 as drawings", show("F4", 10, 50, 700, `di\016cult \014rst gr\034n`), testDrawnFont(), "difficult first grøn"},
		{"a bullet as drawing", show("F4", 10, 50, 700, `\210 one`), testDrawnFont(), "• one"},
		{"a word divided by U+2010", show("F4", 10, 50, 700, "HydroxyA") + show("F4", 10, 50, 688, "chloroquine and ILA") + show("F4", 10, 50, 676, "six"), testFont("41 2010"), "Hydroxy\u00AD\nchloroquine and IL\u2010\u00AD\nsix"},
		{"hyphens of words", testLines(testLine{50, 700, "COVID-"}, testLine{50, 688, "19, non-"}, testLine{50, 676, "Hodgkin, B-"}, testLine{50, 664, "cell"}), nil, "COVID-\u00AD\n19, non-\u00AD\nHodgkin, B-\u00AD\ncell"},
		{"a power", show("F1", 12, 50, 700, "2 x 10") + show("F1", 7, 82.7, 705, "6") + show("F1", 12, 86.6, 700, " cells per kg"), nil, "2 x 10⁶ cells per kg"},
		{"a negative power", show("F1", 12, 50, 700, "10") + show("F1", 7, 63.4, 705, "-3") + show("F1", 12, 69.7, 700, " m"), nil, "10⁻³ m"},
		{"references", show("F1", 12, 50, 700, "seen in trials") + show("F1", 7, 117.5, 705, "12,13") + show("F1", 12, 135, 700, ". More"), nil, "seen in trials¹²,¹³. More"},
		{"references behind numbers", show("F1", 12, 50, 700, "below 130") + show("F1", 7, 101.4, 705, "1") + show("F1", 12, 109, 700, "mmHg or 70") + show("F1", 7, 171.8, 705, "2,3") + show("F1", 12, 184, 700, "mg, 5 mg") + show("F1", 7, 233.6, 705, "4") + show("F1", 12, 241, 700, "in 2020.") + show("F1", 7, 283.7, 705, "5"), nil,
			"below 130¹ mmHg or 70²,³ mg, 5 mg⁴ in 2020.⁵"},
		{"the number of a note", show("F1", 7, 50, 705, "4") + show("F1", 12, 54, 700, "The note"), nil, "⁴ The note"},
		{"digits of a word", show("F1", 12, 50, 700, "Vitamin12 and 106 cells"), nil, "Vitamin12 and 106 cells"},
		{"spaced letters of two lines", spaced(700, "dosage") + spaced(688, "noses"), nil, "dosage\nnoses"},
		{"lines turned clockwise", "BT /F1 10 Tf 0 -1 1 0 100 700 Tm (first line) Tj ET BT /F1 10 Tf 0 -1 1 0 86 700 Tm (second line) Tj ET BT /F1 10 Tf 0 -1 1 0 72 700 Tm (third) Tj ET", nil, "first line\nsecond line\nthird"},
		{"columns of Japanese", "BT /F4 10 Tf 0 -1 1 0 72 700 Tm (ABC) Tj ET BT /F4 10 Tf 0 -1 1 0 100 700 Tm (DE) Tj ET", testFont("41 65E5", "42 672C", "43 8A9E", "44 3042", "45 3044"), "日本語\nあい"},
		{"numbers behind the list", testLines(testLine{70, 700, "Check the sugar"}, testLine{70, 688, "Call for help"}, testLine{55, 700, "1."}, testLine{55, 688, "2."}), nil, "1. Check the sugar\n2. Call for help"},
		{"spaced letters", "BT /F1 10 Tf 3 Tc 50 700 Td (spaced out) Tj ET", nil, "spaced out"},
		{"letters with spaces", show("F1", 10, 50, 700, "a b c d e f"), nil, "a b c d e f"},
		{"a narrow gap", show("F1", 10, 50, 700, "Federal") + show("F1", 10, 85.2, 700, "Tort") + show("F1", 10, 104.3, 700, "act"), nil, "Federal Tort act"},
		{"a capital within a word", show("F1", 10, 50, 700, "JavaScript"), nil, "JavaScript"},
		{"shadows", twice, nil, "Shadow"},
		{"letters that are double", show("F1", 10, 50, 700, "AABBCC"), nil, "AABBCC"},
		{"lam and alef as one", show("F4", 10, 50, 700, "ABCDE"), testFont("41 0645", "42 06440627", "43 0633", "44 0644", "45 0627"), "السلام"},
	} {
		c, err := Read(testPDF{pages: []string{test.page}, extra: test.font}.bytes(), extract.NoProgress)
		if got := strings.TrimSuffix(c.Text, "\n"); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// TestLineEnds checks that the last character of a line is moved to the next line if it is before
// the start of that line, at the same height: PDFium returns lines that way where Skia and Qt write
// letter by letter. Other characters stay.
func TestLineEnds(t *testing.T) {
	engine, err := sharedEngine(extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	d := file{engine: engine, raw: testPDF{pages: []string{testLines(testLine{50, 700, "Sorry"}, testLine{50, 688, "to say"})}}.bytes()}
	defer d.close()
	if err := d.open(); err != nil {
		t.Fatal(err)
	}
	p, err := d.openPage(0)
	if err != nil {
		t.Fatal(err)
	}
	for late := range 2 {
		lines, _ := p.parseLines()
		first, next := &lines[0], &lines[1]
		first.text, first.at = first.text+next.text[:late], append(first.at, next.at[:late]...)
		next.text, next.at = next.text[late:], next.at[late:]
		if lines = p.orderLines(lines); len(lines) != 2 || lines[0].text != "Sorry" || lines[1].text != "to say" || len(lines[0].at) != 5 || len(lines[1].at) != 6 {
			t.Errorf("with %d characters too late: %+v", late, lines)
		}
	}
}
