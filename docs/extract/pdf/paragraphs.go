package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/requests"
)

// A point is where a character stands on its page, in points from the lower
// left corner; not a number if that is unknown, which makes every comparison
// false.
type point struct{ x, y float64 }

// A lineLayout holds the positions of the lines of a page.
type lineLayout struct {
	page    *textPage
	lines   []textLine
	starts  []point // of the lines
	leading float64 // the usual distance from one line to the next
}

// joinParagraphs returns the lines as one text, with a blank line where the page
// shows that a paragraph begins: by more space above it, or by an indent.
func (p *textPage) joinParagraphs(lines []textLine) string {
	l := lineLayout{page: p, lines: lines}
	known := len(lines) > 3 && l.measureLines()
	var b strings.Builder
	for i, line := range lines {
		switch {
		case i == 0:
		case known && l.continuesLine(i):
			b.WriteByte(' ')
		case known && (l.hasExtraSpace(i) || l.isIndented(i)):
			b.WriteString("\n\n")
		default:
			b.WriteByte('\n')
		}
		b.WriteString(line.text)
	}
	return b.String()
}

// measureLines measures the usual distance between lines. It reports whether the page has
// enough lines of running text to know it.
func (l *lineLayout) measureLines() bool {
	longest := slices.MaxFunc(l.lines, func(a, b textLine) int { return (a.last - a.first) - (b.last - b.first) })
	start, end := l.page.charOrigin(longest.first), l.page.charOrigin(longest.last)
	if !(math.Abs(end.y-start.y) < math.Abs(end.x-start.x)) {
		return false
	}
	var gaps []float64
	for i, line := range l.lines {
		l.starts = append(l.starts, l.page.charOrigin(line.first))
		if i > 0 && l.gapAbove(i) > minLeading {
			gaps = append(gaps, l.gapAbove(i))
		}
	}
	if len(gaps) < 3 {
		return false
	}
	slices.Sort(gaps)
	l.leading = gaps[len(gaps)/2]
	return true
}

// minLeading is less than any two lines are apart, in points.
const minLeading = 2

// gapAbove returns how far line i is below the one before.
func (l *lineLayout) gapAbove(i int) float64 { return l.starts[i-1].y - l.starts[i].y }

// continuesLine reports whether line i is more of the line before: PDFium begins a
// new one behind a superscript.
func (l *lineLayout) continuesLine(i int) bool {
	if !(math.Abs(l.gapAbove(i)) < 1 && l.starts[i].x > l.starts[i-1].x) {
		return false
	}
	end := l.page.charOrigin(l.lines[i-1].last)
	return l.starts[i].x > end.x && l.starts[i].x-end.x < l.leading
}

// hasExtraSpace reports whether there is more space than usual above line i.
func (l *lineLayout) hasExtraSpace(i int) bool { return l.gapAbove(i) > 1.35*l.leading }

// isIndented reports whether line i begins further right than those around it,
// and the one before has come to the end of a sentence: the lines that hang
// under a bullet begin further right, too.
func (l *lineLayout) isIndented(i int) bool {
	if i+1 == len(l.lines) {
		return false
	}
	indent, next := l.starts[i].x-l.starts[i-1].x, l.starts[i+1].x-l.starts[i-1].x
	last, _ := utf8.DecodeLastRuneInString(l.lines[i-1].text)
	return indent > l.leading/2 && indent < 4*l.leading && math.Abs(next) < 2 && strings.ContainsRune(".!?:。！？：”’\")）", last)
}

// charOrigin returns where a character of the text stands.
func (p *textPage) charOrigin(textIndex int) point {
	unknown := point{math.NaN(), math.NaN()}
	index, err := p.charIndex(textIndex)
	if err != nil {
		return unknown
	}
	o, err := p.file.instance.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: p.ref, Index: index})
	if err != nil {
		return unknown
	}
	return point{o.X, o.Y}
}
