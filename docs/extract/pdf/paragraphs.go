package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// A lineLayout holds the lines of a page and the usual distance between them.
type lineLayout struct {
	page    *textPage
	lines   []textLine
	leading float64 // usual distance between lines, in points
}

// joinParagraphs returns the lines as one text, with a blank line wherever a paragraph begins:
// after extra space, at an indent, before lines that are headings, and around tables. It also returns the start of
// each line in the text.
func (p *textPage) joinParagraphs(lines []textLine, headings map[int]string) (text string, starts []int) {
	l := lineLayout{page: p, lines: lines}
	known := len(lines) > 3 && l.measureLines()
	var b strings.Builder
	for i, line := range lines {
		switch {
		case i == 0:
		case line.kind == tableRowLine:
			b.WriteByte('\n')
		case line.kind != lines[i-1].kind:
			b.WriteString("\n\n")
		case headings[i] != "", known && (l.hasExtraSpace(i) || l.isIndented(i)):
			b.WriteString("\n\n")
		default:
			b.WriteByte('\n')
		}
		starts = append(starts, b.Len())
		b.WriteString(line.text)
	}
	return b.String(), starts
}

// measureLines measures the usual distance between lines. It reports whether the page has enough
// running text for that.
func (l *lineLayout) measureLines() bool {
	longest := slices.MaxFunc(l.lines, func(a, b textLine) int { return len(a.at) - len(b.at) })
	end := l.page.charOrigin(longest.last())
	if !(math.Abs(end.y-longest.start.y) < math.Abs(end.x-longest.start.x)) {
		return false
	}
	var gaps []float64
	for i := range l.lines {
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

// minLeading is less than the distance between any two lines, in points.
const minLeading = 2

// gapAbove returns the distance of line i from the one above, in points.
func (l *lineLayout) gapAbove(i int) float64 { return l.lines[i-1].start.y - l.lines[i].start.y }

// hasExtraSpace reports whether there is more space than usual above line i.
func (l *lineLayout) hasExtraSpace(i int) bool { return l.gapAbove(i) > 1.35*l.leading }

// isIndented reports whether line i begins further right than its neighbours and the line above
// ends a sentence. The latter is required because lines that hang under a bullet also begin further
// right.
func (l *lineLayout) isIndented(i int) bool {
	if i+1 == len(l.lines) {
		return false
	}
	before := l.lines[i-1].start.x
	indent, next := l.lines[i].start.x-before, l.lines[i+1].start.x-before
	last, _ := utf8.DecodeLastRuneInString(l.lines[i-1].text)
	return indent > l.leading/2 && indent < 4*l.leading && math.Abs(next) < 2 && strings.ContainsRune(".!?:。！？：”’\")）", last)
}
