package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// drawn returns the picture of a page of a PDF.
func drawn(t *testing.T, pdf testPDF, what extract.DrawingRequest) image.Image {
	t.Helper()
	raw, err := Draw(pdf.bytes(), what, extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// changed returns the smallest area outside which two pictures are equal.
func changed(a, b image.Image) (area image.Rectangle) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return area
}

// TestDrawMarks checks that exactly the requested words are highlighted where they are on the page,
// which may be rotated.
func TestDrawMarks(t *testing.T) {
	lines := testLines(testLine{60, 720, "Blood pressure is measured twice."}, testLine{60, 400, "Salt is to be avoided."}, testLine{60, 80, "See also: diet."})
	page := "first page\n\n"
	for name, test := range map[string]struct {
		entries  string
		marked   string
		min, max image.Point // bounds in points from the upper left corner, with a margin
	}{
		"a line":          {"", "Salt is to be avoided.", image.Pt(55, 385), image.Pt(175, 405)},
		"words in a line": {"", "pressure is", image.Pt(85, 65), image.Pt(145, 85)},
		"two lines":       {"", "Salt is to be avoided.\nSee also: diet.", image.Pt(55, 385), image.Pt(175, 725)},
		"on its side":     {"/Rotate 90", "Salt is to be avoided.", image.Pt(395, 55), image.Pt(415, 175)},
	} {
		t.Run(name, func(t *testing.T) {
			pdf := testPDF{pages: []string{testLines(testLine{60, 720, strings.TrimSpace(page)}), lines}, page: test.entries}
			c, err := Read(pdf.bytes(), extract.NoProgress)
			if err != nil {
				t.Fatal(err)
			}
			text := c.Text[c.Parts[1].StartByte:]
			from := strings.Index(text, test.marked)
			if from < 0 {
				t.Fatalf("no %q in %q", test.marked, text)
			}
			from = utf8.RuneCountInString(text[:from])
			plain := drawn(t, pdf, extract.DrawingRequest{Page: 2})
			these := extract.CharacterRange{From: from, To: from + utf8.RuneCountInString(test.marked)}
			asPassage := drawn(t, pdf, extract.DrawingRequest{Page: 2, Passage: these})
			asWords := drawn(t, pdf, extract.DrawingRequest{Page: 2, Words: []extract.CharacterRange{these}})
			wide := 600.0
			if test.entries != "" {
				wide = 800
			}
			scale := float64(plain.Bounds().Dx()) / wide
			within := image.Rect(int(float64(test.min.X)*scale), int(float64(test.min.Y)*scale), int(float64(test.max.X)*scale), int(float64(test.max.Y)*scale))
			for _, marked := range []image.Image{asPassage, asWords} {
				got := changed(plain, marked)
				if got.Empty() || !got.In(within) || got.Dx() < within.Dx()/3 || got.Dy() < within.Dy()/3 {
					t.Errorf("%v is marked, want about %v", got, within)
				}
			}
			if changed(asPassage, asWords).Empty() {
				t.Error("words are marked as passages are")
			}
		})
	}
}

// TestDrawSizes checks that the picture of a page is limited in size, whatever size the page
// declares.
func TestDrawSizes(t *testing.T) {
	for _, box := range []string{"[0 0 600 800]", "[0 0 20000 20]", "[0 0 3 14000]", "[0 0 0 0]", "[100 100 1e9 1e9]"} {
		picture := drawn(t, testPDF{pages: []string{testLines(testLine{60, 720, "Text."})}, page: "/MediaBox" + box}, extract.DrawingRequest{Page: 1, Passage: extract.CharacterRange{To: 3}, Words: []extract.CharacterRange{{From: 1, To: 3}, {From: -5, To: 1 << 40}}})
		if size := picture.Bounds().Size(); size.X < 1 || size.Y < 1 || size.X > maxWidth || size.Y > maxHeight {
			t.Errorf("%s: %v", box, size)
		}
	}
}

// TestDrawRefuses checks that drawing a page which does not exist, or a file that is no PDF, fails
// with a reason.
func TestDrawRefuses(t *testing.T) {
	pdf := testPDF{pages: []string{testLines(testLine{60, 720, "Text."})}}
	locked := pdf
	locked.locked = true
	fontless := testPDF{pages: []string{"BT /F4 10 Tf 50 700 Td <B8DF> Tj ET"}, extra: []string{
		"<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/GBK-EUC-H/DescendantFonts[11 0 R]>>",
		"<</Type/Font/Subtype/CIDFontType2/BaseFont/SimSun/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000/FontDescriptor 12 0 R>>",
		"<</Type/FontDescriptor/FontName/SimSun/Flags 6/FontBBox[-8 -145 1000 859]/Ascent 859/Descent -145/CapHeight 859/StemV 70/ItalicAngle 0>>",
	}}
	for name, test := range map[string]struct {
		raw  []byte
		page int
		want string
	}{
		"no fonts":     {fontless.bytes(), 1, errNoFonts.Error()},
		"no such page": {pdf.bytes(), 2, "there is no page 2: it has 1"},
		"before all":   {pdf.bytes(), 0, "there is no page 0: it has 1"},
		"damaged":      {[]byte("%PDF-1.7\n"), 1, errDamaged.Error()},
		"locked":       {locked.bytes(), 1, extract.ErrPasswordProtected.Error()},
	} {
		if _, err := Draw(test.raw, extract.DrawingRequest{Page: test.page}, extract.NoProgress); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// TestBand checks that the areas of a line are joined into one with a margin, and that areas
// scattered over a page are not.
func TestBand(t *testing.T) {
	on := image.Rect(0, 0, 1000, 1000)
	line := []image.Rectangle{image.Rect(100, 108, 140, 120), image.Rect(150, 104, 180, 124), image.Rect(190, 108, 300, 120)}
	if got := joinLineAreas(line, on); len(got) != 1 || got[0] != image.Rect(97, 101, 303, 127) {
		t.Errorf("a line is marked at %v", got)
	}
	strewn := []image.Rectangle{image.Rect(0, 0, 100, 10), image.Rect(0, 900, 100, 910)}
	if got := joinLineAreas(strewn, on); len(got) != 2 {
		t.Errorf("what is strewn is marked at %v", got)
	}
	if got := joinLineAreas(nil, on); len(got) > 0 && !got[0].Empty() {
		t.Errorf("nothing is marked at %v", got)
	}
}

// TestDrawScan checks that a page for OCR is drawn in grey in the requested resolution, and a large
// one in a lower one.
func TestDrawScan(t *testing.T) {
	page := testLines(testLine{60, 720, "Blood pressure is measured twice."})
	for box, most := range map[string]int{"[0 0 600 800]": 2500 * 3334, "[0 0 6000 8000]": mostScanned} {
		raw := bytes.Replace(testPDF{pages: []string{page}}.bytes(), []byte("[0 0 600 800]"), []byte(box), 1)
		scanned, err := Draw(raw, extract.DrawingRequest{Page: 1, DotsPerInch: 300}, extract.NoProgress)
		if err != nil {
			t.Fatalf("%s: %v", box, err)
		}
		c, err := png.DecodeConfig(bytes.NewReader(scanned))
		if pixels := c.Width * c.Height; err != nil || c.ColorModel != color.GrayModel || pixels > most || pixels < most*9/10 || c.Width*4 > c.Height*3+4 {
			t.Errorf("%s is %d × %d, %v", box, c.Width, c.Height, err)
		}
	}
}
