package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/layout"
)

// TestMarkOfPageAskew checks that a word recognised on a deskewed page is highlighted at its place
// on the original page, however that is rotated and reduced.
func TestMarkOfPageAskew(t *testing.T) {
	white := image.NewGray(image.Rect(0, 0, 600, 800))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	for y := 60; y < 740; y += 20 {
		draw.Draw(white, image.Rect(60, y, 540, y+9), image.NewUniform(color.Gray{120}), image.Point{}, draw.Src)
	}
	draw.Draw(white, image.Rect(350, 240, 450, 249), image.Black, image.Point{}, draw.Src) // the word
	for _, angle := range []float64{0, 1.5, -9} {
		askew := askewBy(white, -angle*math.Pi/180)
		raw := encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, askew) })
		scanned, err := Draw(raw, extract.DrawingRequest{Page: 1, DotsPerInch: 300}, nil)
		if err != nil {
			t.Fatal(err)
		}
		turn, ok := layout.RotationOfPNG(scanned)
		if !ok || turn.OriginalWidth != 2*askew.Rect.Dx() { // the page was doubled, as it is small
			t.Fatalf("askew by %v°, its turn is %+v, %v", angle, turn, ok)
		}
		places := layout.Page{Rotation: turn, Words: []layout.Word{{CharacterRange: extract.CharacterRange{To: 4}, Box: blackOn(t, scanned), BeginsLine: true}}}
		packed, _ := layout.Parse(places.Pack())
		shown, err := Draw(raw, extract.DrawingRequest{Page: 1, WordQuads: packed.LineAreas(extract.CharacterRange{To: 4})}, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, err := Draw(raw, extract.DrawingRequest{Page: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		word, marked := blackOn(t, before), differingOn(t, before, shown)
		if !word.Inset(1).In(marked) || !marked.In(word.Inset(-12)) {
			t.Errorf("askew by %v°, the word at %v is marked at %v", angle, word, marked)
		}
	}
}

// blackOn returns the bounds of the black part of a picture.
func blackOn(t *testing.T, raw []byte) (at image.Rectangle) {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	grey := image.NewGray(decoded.Bounds())
	draw.Draw(grey, grey.Rect, decoded, image.Point{}, draw.Src)
	return where(grey.Rect, func(x, y int) bool { return grey.GrayAt(x, y).Y < 60 })
}

// differingOn returns the bounds of the area in which two pictures differ.
func differingOn(t *testing.T, one, other []byte) image.Rectangle {
	t.Helper()
	a, errA := png.Decode(bytes.NewReader(one))
	b, errB := png.Decode(bytes.NewReader(other))
	if errA != nil || errB != nil || a.Bounds() != b.Bounds() {
		t.Fatal(errA, errB)
	}
	return where(a.Bounds(), func(x, y int) bool { return a.At(x, y) != b.At(x, y) })
}

func where(all image.Rectangle, is func(x, y int) bool) (at image.Rectangle) {
	for y := all.Min.Y; y < all.Max.Y; y++ {
		for x := all.Min.X; x < all.Max.X; x++ {
			if is(x, y) {
				at = at.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return at
}

// TestColour checks that exactly the area is coloured, with a line at its bottom.
func TestColour(t *testing.T) {
	paper := image.NewRGBA(image.Rect(0, 0, 20, 20))
	draw.Draw(paper, paper.Rect, image.White, image.Point{}, draw.Src)
	PassageMarker.Highlight(paper, QuadrilateralOf(image.Rect(5, 5, 10, 12)))
	PassageMarker.Highlight(paper, QuadrilateralOf(image.Rect(-5, 18, 3, 40))) // extends beyond the edge
	PassageMarker.Highlight(paper, Quadrilateral{})
	for y := range 20 {
		for x := range 20 {
			want := color.RGBA{255, 255, 255, 255}
			switch at := image.Pt(x, y); {
			case at.In(image.Rect(5, 5, 10, 10)), at.In(image.Rect(0, 18, 3, 20)):
				want = color.RGBA{255, 0xE0, 0x50, 255}
			case at.In(image.Rect(5, 10, 10, 12)):
				want = color.RGBA{0xE0, 0x7B, 0, 255}
			}
			if got := paper.RGBAAt(x, y); got != want {
				t.Errorf("at %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
	leaning := image.NewRGBA(image.Rect(0, 0, 40, 40))
	draw.Draw(leaning, leaning.Rect, image.White, image.Point{}, draw.Src)
	PassageMarker.Highlight(leaning, Quadrilateral{{20, 2}, {38, 20}, {20, 38}, {2, 20}})
	for at, want := range map[image.Point]bool{{20, 20}: true, {20, 4}: true, {36, 20}: true, {5, 5}: false, {35, 5}: false, {35, 35}: false} {
		if got := leaning.RGBAAt(at.X, at.Y).B != 255; got != want {
			t.Errorf("at %v it is coloured: %v, want %v", at, got, want)
		}
	}
}
