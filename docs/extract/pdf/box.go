package pdf

import (
	"math"

	"github.com/klippa-app/go-pdfium/requests"
)

// A point is the origin of a character on its page, in points from the lower left corner. Its
// coordinates are NaN if it is unknown, which makes every comparison false.
type point struct{ x, y float64 }

// A box is the area of a character on its page, in points from the lower left corner; NaN if
// unknown.
type box struct{ left, right, bottom, top float64 }

func (b box) height() float64 { return b.top - b.bottom }

var (
	unknownPoint = point{math.NaN(), math.NaN()}
	unknownBox   = box{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
)

// charOrigin returns the point on the baseline at which a character begins, or unknownPoint.
func (p *textPage) charOrigin(textIndex int) point {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return unknownPoint
	}
	o, err := p.file.instance.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: p.ref, Index: index})
	if err != nil {
		return unknownPoint
	}
	return point{o.X, o.Y}
}

// charBox returns the box of a character according to its font: from its origin to that of the next
// character, with the height of the font.
func (p *textPage) charBox(textIndex int) box {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return unknownBox
	}
	b, err := p.file.instance.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: p.ref, Index: index})
	if err != nil {
		return unknownBox
	}
	return box{float64(b.Rect.Left), float64(b.Rect.Right), float64(b.Rect.Bottom), float64(b.Rect.Top)}
}

// inkBox returns the bounding box of the visible shape of a character.
func (p *textPage) inkBox(textIndex int) box {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return unknownBox
	}
	b, err := p.file.instance.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: p.ref, Index: index})
	if err != nil {
		return unknownBox
	}
	return box{b.Left, b.Right, b.Bottom, b.Top}
}

// isRaised reports whether the character raised is smaller and higher than the character base, both
// given by their text indexes.
func (p *textPage) isRaised(base, raised int) bool {
	return p.charBox(raised).isRaisedAbove(p.charBox(base))
}

func (b box) isRaisedAbove(base box) bool {
	height := base.height()
	return b.height() < .9*height && b.bottom > base.bottom+.15*height && b.top > base.bottom+.75*height
}

// isGenerated reports whether the engine inserted the character at an index: a space between
// characters that are apart.
func (p *textPage) isGenerated(textIndex int) bool {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return false
	}
	g, err := p.file.instance.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: p.ref, Index: index})
	return err == nil && g.IsGenerated
}
