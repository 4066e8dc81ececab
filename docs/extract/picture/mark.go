package picture

import (
	"image"
	"math"

	"vademecum/docs/extract"
)

// underline is the thickness, in pixels, of the line under a marked area. It is visible on a dark
// background, too.
const underline = 2

// A Highlighter highlights areas of a picture like a text marker, so that their text stays
// readable: it multiplies the green and the blue of each pixel by these fractions of 255.
type Highlighter struct{ green, blue int }

// Highlighters for passages and for words.
var (
	PassageMarker = Highlighter{0xE0, 0x50}
	WordMarker    = Highlighter{0xA0, 0x70}
)

// A Quadrilateral is an area of a picture, given by its corners in pixels, clockwise from the upper left one.
type Quadrilateral [4]struct{ X, Y float64 }

// QuadrilateralOf returns the corners of a rectangle.
func QuadrilateralOf(r image.Rectangle) Quadrilateral {
	left, top, right, bottom := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	return Quadrilateral{{left, top}, {right, top}, {right, bottom}, {left, bottom}}
}

// mark highlights the requested areas on a picture of a part of a page. page and part are the
// bounds of the whole page and of that part in the same coordinates.
func mark(picture *image.RGBA, page, part image.Rectangle, request extract.DrawingRequest) {
	for _, marks := range []struct {
		pen   Highlighter
		areas []extract.Quad
	}{{PassageMarker, request.PassageQuads}, {WordMarker, request.WordQuads}} {
		for _, q := range marks.areas {
			var c Quadrilateral
			for i, at := range q {
				c[i].X = (at.X*float64(page.Dx()) - float64(part.Min.X-page.Min.X)) * float64(picture.Rect.Dx()) / float64(part.Dx())
				c[i].Y = (at.Y*float64(page.Dy()) - float64(part.Min.Y-page.Min.Y)) * float64(picture.Rect.Dy()) / float64(part.Dy())
			}
			marks.pen.Highlight(picture, c)
		}
	}
}

// Highlight highlights an area of a picture in place, and underlines it.
func (m Highlighter) Highlight(picture *image.RGBA, area Quadrilateral) {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, at := range area {
		top, bottom = min(top, at.Y), max(bottom, at.Y)
	}
	for y := max(picture.Rect.Min.Y, int(top)); y < min(picture.Rect.Max.Y, int(math.Ceil(bottom))); y++ {
		from, to := area.row(float64(y) + .5)
		for x := max(picture.Rect.Min.X, int(math.Ceil(from-.5))); x < min(picture.Rect.Max.X, int(math.Ceil(to-.5))); x++ {
			pixel := picture.Pix[picture.PixOffset(x, y):][:4]
			if area.aboveLowerSide(float64(x)+.5, float64(y)+.5) < underline {
				pixel[0], pixel[1], pixel[2] = 0xE0, 0x7B, 0x00
				continue
			}
			pixel[1] = uint8(int(pixel[1]) * m.green / 0xFF)
			pixel[2] = uint8(int(pixel[2]) * m.blue / 0xFF)
		}
	}
}

// row returns the extent of an area in the row of pixels at y; from is greater than to if the area
// does not reach that row.
func (c Quadrilateral) row(y float64) (from, to float64) {
	from, to = math.MaxInt32, -1
	for i, a := range c {
		b := c[(i+1)%len(c)]
		if (a.Y <= y) == (b.Y <= y) {
			continue
		}
		x := a.X + (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)
		from, to = min(from, x), max(to, x)
	}
	return from, to
}

// aboveLowerSide returns the distance of a point from the lower side of an area, which is positive
// above it.
func (c Quadrilateral) aboveLowerSide(x, y float64) float64 {
	left, right := c[3], c[2]
	dx, dy := right.X-left.X, right.Y-left.Y
	return ((x-left.X)*dy - (y-left.Y)*dx) / max(math.Hypot(dx, dy), 1e-9)
}
