package ocr

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// TestTesseract recognises a page by the program that is installed.
func TestTesseract(t *testing.T) {
	r := New(Options{Program: Auto, Languages: "eng", Dir: t.TempDir()})
	if err := r.Open(t.Context()); err != nil {
		t.Skip(err)
	}
	page, err := r.Recognise(t.Context(), printed(t, "Metoprolol in the evening", "The next visit is in two weeks"))
	if err != nil || !strings.HasPrefix(page.Text, "Metoprolol in the evening\nThe next visit") || page.Confidence < 70 {
		t.Errorf("it reads %+v, %v", page, err)
	}
	blank, err := r.Recognise(t.Context(), printed(t))
	if err != nil || blank.Text != "" || blank.Why == "" {
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
