// Package layout stores the positions of the words that OCR recognised in the picture of a page, in
// a few bytes per word.
package layout

import (
	"encoding/binary"
	"image"
	"math"

	"vademecum/docs/extract"
)

// A Page holds the positions of the words in the picture of a page that was read by OCR.
type Page struct {
	Rotation            Rotation // rotation by which the lines of the page were made horizontal before OCR
	precedingCharacters int      // number of characters on the page before the recognised text
	Words               []Word   // recognised words in text order
}

// A Word is a recognised word with its position on the page.
type Word struct {
	extract.CharacterRange                 // range of its characters in the recognised text
	Box                    image.Rectangle // position in pixels of the rotated page
	BeginsLine             bool
}

// grid is the maximum number of steps along the longer side of a page. The positions of words are
// stored in such steps; a letter measures about ten.
const grid = 1000

// step returns the size of a step in pixels.
func (t Rotation) step() int {
	width, height := t.RotatedSize()
	return max(1, (max(width, height)+grid-1)/grid)
}

// hundredths converts an angle from radians to the unit in which it is stored, hundredths of a
// degree.
const hundredths = 100 * 180 / math.Pi

// Pack encodes a page, in about six bytes per word. Parse decodes it.
func (p Page) Pack() string {
	out := binary.AppendUvarint(nil, uint64(p.Rotation.OriginalWidth))
	out = binary.AppendUvarint(out, uint64(p.Rotation.OriginalHeight))
	out = binary.AppendVarint(out, int64(math.Round(p.Rotation.AngleRadians*hundredths)))
	out = binary.AppendUvarint(out, uint64(p.precedingCharacters))
	step, last := p.Rotation.step(), Word{}
	for _, w := range p.Words {
		box := image.Rect(w.Box.Min.X/step, w.Box.Min.Y/step, (w.Box.Max.X+step-1)/step, (w.Box.Max.Y+step-1)/step)
		gap := uint64(w.From-last.To) << 1
		if w.BeginsLine {
			gap |= 1
		}
		out = binary.AppendUvarint(out, gap)
		out = binary.AppendUvarint(out, uint64(w.To-w.From))
		out = binary.AppendVarint(out, int64(box.Min.X-last.Box.Max.X))
		out = binary.AppendVarint(out, int64(box.Min.Y-last.Box.Min.Y))
		out = binary.AppendUvarint(out, uint64(box.Dx()))
		out = binary.AppendUvarint(out, uint64(box.Dy()))
		last = Word{CharacterRange: w.CharacterRange, Box: box}
	}
	return string(out)
}

// most is the largest number accepted from packed data: pixels of a page, and characters of a text.
const most = 1 << 26

// Parse decodes a page encoded by Pack. ok is false if packed was not written by Pack.
func Parse(packed string) (p Page, ok bool) {
	r := reader{rest: []byte(packed)}
	p.Rotation = Rotation{OriginalWidth: r.number(), OriginalHeight: r.number(), AngleRadians: float64(r.signed()) / hundredths}
	p.precedingCharacters = r.number()
	if p.Rotation.OriginalWidth == 0 || p.Rotation.OriginalHeight == 0 || math.Abs(p.Rotation.AngleRadians) > math.Pi/2 {
		return Page{}, false
	}
	step, last := p.Rotation.step(), Word{}
	for len(r.rest) > 0 && !r.failed {
		gap := r.number()
		w := Word{BeginsLine: gap&1 != 0}
		w.From = last.To + gap>>1
		w.To = w.From + r.number()
		at := image.Pt(last.Box.Max.X+r.signed(), last.Box.Min.Y+r.signed())
		box := image.Rectangle{at, at.Add(image.Pt(r.number(), r.number()))}
		if w.To > most || box.Min.X < 0 || box.Min.Y < 0 || box.Max.X > most || box.Max.Y > most {
			return Page{}, false
		}
		last = Word{CharacterRange: w.CharacterRange, Box: box}
		w.Box = image.Rectangle{box.Min.Mul(step), box.Max.Mul(step)}
		p.Words = append(p.Words, w)
	}
	return p, !r.failed
}

// A reader decodes the numbers of a packed page.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.rest)
	return r.take(int64(min(n, most+1)), size)
}

func (r *reader) signed() int {
	n, size := binary.Varint(r.rest)
	return r.take(n, size)
}

func (r *reader) take(n int64, size int) int {
	if size <= 0 || n > most || n < -most {
		r.rest, r.failed = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// AddPrecedingCharacters returns a packed page with that many more characters before its recognised text;
// "" if packed is invalid.
func AddPrecedingCharacters(packed string, characters int) string {
	p, ok := Parse(packed)
	if !ok {
		return ""
	}
	p.precedingCharacters += characters
	return p.Pack()
}

// LineAreas returns the areas that a range of characters covers, one for each line.
func (p Page) LineAreas(characters extract.CharacterRange) (all []extract.Quad) {
	var line image.Rectangle
	for _, w := range p.Words {
		if w.BeginsLine && !line.Empty() {
			all, line = append(all, p.band(line)), image.Rectangle{}
		}
		line = line.Union(p.partOf(w, characters))
	}
	if !line.Empty() {
		all = append(all, p.band(line))
	}
	return all
}

// band returns the area on the original page of a line or a part of one, with a small margin.
func (p Page) band(box image.Rectangle) extract.Quad {
	return p.Rotation.quad(box.Inset(-1 - min(box.Dx(), box.Dy())/8))
}

// partOf returns the part of the box of w that its characters in a range occupy; it is empty if
// none of its characters are in the range. It assumes that the characters of a horizontal line have
// equal widths, which is roughly true.
func (p Page) partOf(w Word, characters extract.CharacterRange) image.Rectangle {
	from, to := max(characters.From-p.precedingCharacters, w.From), min(characters.To-p.precedingCharacters, w.To)
	if from >= to {
		return image.Rectangle{}
	}
	part := w.Box
	if n := w.To - w.From; w.Box.Dx() > w.Box.Dy() { // a higher box may hold vertical text
		part.Min.X = w.Box.Min.X + w.Box.Dx()*(from-w.From)/n
		part.Max.X = w.Box.Min.X + w.Box.Dx()*(to-w.From)/n
	}
	return part
}
