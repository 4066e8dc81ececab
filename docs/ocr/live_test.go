package ocr

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/layout"
	pages "vademecum/docs/extract/picture"
)

// TestTesseract recognises a page by the program that is installed.
func TestTesseract(t *testing.T) {
	r := New(Options{Program: AutoProgram, Languages: "eng", PagesDir: t.TempDir()})
	extracttest.SkipNotInstalled(t, r.Open(t.Context()))
	page, err := r.Recognise(t.Context(), printed(t, "Metoprolol in the evening", "The next visit is in two weeks"), "")
	if err != nil || !strings.HasPrefix(page.Text, "Metoprolol in the evening\nThe next visit") || page.ConfidencePercent < 70 {
		t.Errorf("it reads %+v, %v", page, err)
	}
	blank, err := r.Recognise(t.Context(), printed(t), "")
	if err != nil || blank.Text != "" || blank.NoTextReason == "" {
		t.Errorf("on an empty page it reads %+v, %v", blank, err)
	}
}

// printed is a page with some lines, in letters as large as on paper.
func printed(t *testing.T, lines ...string) []byte {
	t.Helper()
	const enlarged, leading = 4, 20
	small := image.NewGray(image.Rect(0, 0, 300, 200))
	draw.Draw(small, small.Rect, image.White, image.Point{}, draw.Src)
	d := font.Drawer{Dst: small, Src: image.NewUniform(color.Black), Face: basicfont.Face7x13}
	for i, line := range lines {
		d.Dot = fixed.P(20, 40+leading*i)
		d.DrawString(line)
	}
	page := image.NewGray(image.Rect(0, 0, enlarged*small.Rect.Dx(), enlarged*small.Rect.Dy()))
	draw.CatmullRom.Scale(page, page.Rect, small, small.Rect, draw.Src, nil)
	return encoded(t, page)
}

// TestPlaces: the program tells where words stand on a page, however that lies.
func TestPlaces(t *testing.T) {
	r := New(Options{Program: AutoProgram, Languages: "eng", PagesDir: t.TempDir()})
	extracttest.SkipNotInstalled(t, r.Open(t.Context()))
	lines := make([]string, 8)
	for i := range lines {
		lines[i] = "The next visit is in the evening of May"
	}
	lines[3] = "Please take Metoprolol in the morning"
	decoded, err := png.Decode(bytes.NewReader(printed(t, lines...)))
	if err != nil {
		t.Fatal(err)
	}
	upright := decoded.(*image.Gray)
	const left, top, right, bottom = 4 * (20 + 12*7), 4 * (40 + 3*20 - 10), 4 * (20 + 22*7), 4 * (40 + 3*20 + 3) // of Metoprolol
	width, height := upright.Rect.Dx(), upright.Rect.Dy()
	for name, turned := range map[string]struct {
		size   image.Point
		pixel  func(x, y int) (int, int) // of the page that is upright, for one of the page that is turned
		middle func(x, y float64) (float64, float64)
	}{
		"upright":     {image.Pt(width, height), func(x, y int) (int, int) { return x, y }, func(x, y float64) (float64, float64) { return x, y }},
		"on its side": {image.Pt(height, width), func(x, y int) (int, int) { return width - 1 - y, x }, func(x, y float64) (float64, float64) { return y, float64(width) - x }},
	} {
		if name != "upright" && !r.program.Load().detectsOrientation {
			t.Log("it cannot tell which way up a page is")
			continue
		}
		page := image.NewGray(image.Rectangle{Max: turned.size})
		for y := range turned.size.Y {
			for x := range turned.size.X {
				page.SetGray(x, y, upright.GrayAt(turned.pixel(x, y)))
			}
		}
		raw, err := pages.EncodePageForOCR(page)
		if err != nil {
			t.Fatal(err)
		}
		read, err := r.Recognise(t.Context(), raw, "")
		before, _, found := strings.Cut(read.Text, "Metoprolol")
		places, ok := layout.Parse(read.PackedLayout)
		if err != nil || !found || !ok {
			t.Errorf("%s, it reads %+v, %v", name, read, err)
			continue
		}
		at := utf8.RuneCountInString(before)
		bands := places.LineAreas(extract.CharacterRange{From: at, To: at + len("Metoprolol")})
		if len(bands) != 1 {
			t.Errorf("%s, it stands at %v", name, bands)
			continue
		}
		x, y := turned.middle(left+(right-left)/2, top+(bottom-top)/2)
		from, to := bands[0][0], bands[0][2]
		gotX, gotY := (from.X+to.X)/2*float64(turned.size.X), (from.Y+to.Y)/2*float64(turned.size.Y)
		if math.Hypot(gotX-x, gotY-y) > 16 {
			t.Errorf("%s, its middle is at %.0f, %.0f, want %.0f, %.0f", name, gotX, gotY, x, y)
		}
	}
}
