package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"vademecum/docs/extract/layout"
)

// printed returns a page with lines of words in two columns.
func printed() *image.Gray {
	page := image.NewGray(image.Rect(0, 0, 1240, 1754))
	draw.Draw(page, page.Rect, image.NewUniform(color.Gray{200}), image.Point{}, draw.Src)
	chance := rand.New(rand.NewPCG(1, 2))
	for y := 120; y < 1600; y += 30 {
		for x := 100; x < 1140; x += 20 + chance.IntN(40) {
			if x < 590 || x > 650 {
				draw.Draw(page, image.Rect(x, y, x+14, y+16), image.Black, image.Point{}, draw.Src)
			}
		}
	}
	return page
}

// askewBy returns a page rotated anticlockwise by an angle in radians.
func askewBy(page *image.Gray, angle float64) *image.Gray {
	return rotatePage(page, layout.Rotation{OriginalWidth: page.Rect.Dx(), OriginalHeight: page.Rect.Dy(), AngleRadians: angle})
}

func levelled(page *image.Gray) *image.Gray {
	level, _ := deskew(page)
	return level
}

// TestSkew checks that the angle of a page is found and corrected, also if the page is on its side.
func TestSkew(t *testing.T) {
	side := image.NewGray(image.Rect(0, 0, printed().Rect.Dy(), printed().Rect.Dx()))
	for y := range side.Rect.Dy() {
		for x := range side.Rect.Dx() {
			side.SetGray(x, y, printedPage.GrayAt(y, side.Rect.Dx()-1-x))
		}
	}
	for name, page := range map[string]*image.Gray{"upright": printedPage, "on its side": side} {
		for _, angle := range []float64{0, 0.4, 1, -2.3, 6.5, -12} {
			askew := askewBy(page, -angle*math.Pi/180)
			if got := skewAngle(askew); math.Abs(got-angle) > 0.15 {
				t.Errorf("%s, askew by %v°, it seems to be by %.1f°", name, angle, got)
			}
			if got := skewAngle(levelled(askew)); math.Abs(got) >= leastAskew {
				t.Errorf("%s, askew by %v°, it is by %.1f° in the end", name, angle, got)
			}
		}
	}
}

var printedPage = printed()

// TestPhotograph checks that the edges of a sheet on a dark table are not taken for lines.
func TestPhotograph(t *testing.T) {
	table := image.NewGray(image.Rect(0, 0, 1500, 2000))
	draw.Draw(table, table.Rect, image.NewUniform(color.Gray{60}), image.Point{}, draw.Src)
	askew := askewBy(printedPage, 3*math.Pi/180)
	for y := range printedPage.Rect.Dy() { // the sheet is upright, but the print on it is not
		draw.Draw(table, image.Rect(130, 120+y, 130+printedPage.Rect.Dx(), 121+y), askew, image.Pt(askew.Rect.Dx()/2-printedPage.Rect.Dx()/2, askew.Rect.Dy()/2-printedPage.Rect.Dy()/2+y), draw.Src)
	}
	if got := skewAngle(table); math.Abs(got+3) > 0.15 {
		t.Errorf("it seems to be askew by %.1f°", got)
	}
}

// TestStraight checks that a page that is straight, or has no lines, is not changed.
func TestStraight(t *testing.T) {
	noise := image.NewGray(image.Rect(0, 0, 900, 700))
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(chance.IntN(256))
	}
	for name, page := range map[string]*image.Gray{"printed": printedPage, "noise": noise, "empty": image.NewGray(image.Rect(0, 0, 500, 400)), "a pixel": image.NewGray(image.Rect(0, 0, 1, 1))} {
		if levelled(page) != page {
			t.Errorf("%s is turned by %.1f°", name, skewAngle(page))
		}
	}
	if got := askewBy(printedPage, 0.1).GrayAt(0, 0).Y; got != 200 {
		t.Errorf("around the page is the shade %d", got)
	}
}

func BenchmarkStraight(b *testing.B) {
	page := image.NewGray(image.Rect(0, 0, 2480, 3508))
	for y := range 3508 {
		for x := range 2480 {
			page.Pix[y*page.Stride+x] = printedPage.GrayAt(x/2, y/2).Y
		}
	}
	askew := askewBy(page, 0.05)
	for b.Loop() {
		deskew(askew)
	}
}
