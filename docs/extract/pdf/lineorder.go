package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// orderLines joins lines that PDFium breaks unnecessarily, and sorts those that are out of order.
func (p *textPage) orderLines(lines []textLine) []textLine {
	for i := range lines {
		lines[i].start = p.charOrigin(lines[i].first())
	}
	p.moveLineEnds(lines)
	return p.joinNumbers(p.reverseTurned(p.joinBroken(lines)))
}

// moveLineEnds moves the last character of a line to the next one if it belongs there: PDFium ends
// some lines one character too late, "Sorryt" before "o say".
func (p *textPage) moveLineEnds(lines []textLine) {
	for i := 1; i < len(lines); i++ {
		line, next := &lines[i-1], &lines[i]
		if len(line.at) < 2 || !isWithinWord(line.text, next.text) || math.Abs(next.start.x-line.start.x) < 1 || math.Abs(next.start.y-line.start.y) < minLeading {
			continue
		}
		if end := p.charOrigin(line.last()); math.Abs(end.y-next.start.y) < 1 && end.x < next.start.x {
			line.moveEnd(next, end)
		}
	}
}

// isWithinWord reports whether the texts before and after a line break may be parts of one word.
func isWithinWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return isWordCharacter(last) && isWordCharacter(first)
}

// moveEnd moves the last character of a line to the start of the next, whose start it becomes.
func (l *textLine) moveEnd(next *textLine, start point) {
	_, size := utf8.DecodeLastRuneInString(l.text)
	cut := len(l.text) - size
	next.text, next.at, next.start = l.text[cut:]+next.text, slices.Insert(next.at, 0, l.last()), start
	l.at = l.at[:len(l.at)-1]
	l.text = strings.TrimRightFunc(l.text[:cut], unicode.IsSpace)
	l.at = l.at[:utf8.RuneCountInString(l.text)]
}

// joinBroken joins lines that are parts of the same line: PDFium begins a new line before or after
// raised text, and where characters overlap.
func (p *textPage) joinBroken(lines []textLine) []textLine {
	kept := lines[:0]
	for _, line := range lines {
		n := len(kept) - 1
		if n < 0 || !p.joinNext(&kept[n], line) {
			kept = append(kept, line)
		}
	}
	return kept
}

// maxRise is the maximum height of superscripts above their line, in points.
const maxRise = 6

// joinNext appends the next line to line if it is a part of the same line, and reports whether it
// is.
func (p *textPage) joinNext(line *textLine, next textLine) bool {
	rise := next.start.y - line.start.y
	first, _ := utf8.DecodeRuneInString(next.text)
	isPower := 1 <= rise && rise < maxRise && superscripts[first] != 0
	if !(next.start.x > line.start.x && (isPower || math.Abs(rise) < 1)) {
		return false
	}
	end, begin := p.charBox(line.last()), p.charBox(next.first())
	gap := (begin.left - end.right) / max(end.height(), begin.height())
	switch isBeside := end.bottom < begin.top && begin.bottom < end.top && gap > -0.5; {
	case isBeside && isPower && gap < wordGap && begin.isRaisedAbove(end):
		next.text = raiseFirst(next.text)
		gap = 0
	case isBeside && !isPower && gap < maxGap:
	default:
		return false
	}
	line.append(next, gap)
	return true
}

// maxGap is the maximum distance between parts of a line, as a multiple of the character height.
const maxGap = 1.5

// append adds the next part of the line, after a space if gap, the distance between them, is large
// enough.
func (l *textLine) append(next textLine, gap float64) {
	last, _ := utf8.DecodeLastRuneInString(l.text)
	first, _ := utf8.DecodeRuneInString(next.text)
	if gap >= wordGap && !strings.ContainsRune(",.;:)", first) && !(script.IsEastAsian(last) && script.IsEastAsian(first)) {
		l.text, l.at = l.text+" ", append(l.at, l.last())
	}
	l.text, l.at = l.text+next.text, append(l.at, next.at...)
}

// reverseTurned reverses the order of lines that are rotated clockwise, which PDFium orders from
// left to right.
func (p *textPage) reverseTurned(lines []textLine) []textLine {
	for i := 0; i < len(lines); i++ {
		end := i + 1
		for end < len(lines) && math.Abs(lines[end].start.y-lines[i].start.y) < 1 && lines[end].start.x > lines[end-1].start.x {
			end++
		}
		if end-i > 1 && p.runsDown(lines[i]) && p.runsDown(lines[end-1]) {
			slices.Reverse(lines[i:end])
		}
		i = end - 1
	}
	return lines
}

// runsDown reports whether the text of a line runs down the page, except for vertical Chinese or
// Japanese text.
func (p *textPage) runsDown(line textLine) bool {
	if first, _ := utf8.DecodeRuneInString(line.text); script.IsEastAsian(first) {
		return false
	}
	end := p.charOrigin(line.last())
	return len(line.at) > 1 && math.Abs(end.x-line.start.x) < 1 && end.y < line.start.y
}

// listNumber matches a number or a bullet on its own.
var listNumber = lazyregexp.New(`^(?:[0-9]{1,3}[.)]|[a-z][.)]|[ivx]{1,5}[.)]|[•◦▪‣·])$`)

// joinNumbers moves the numbers and bullets of a list before the text of their items: some programs
// draw all of them first.
func (p *textPage) joinNumbers(lines []textLine) []textLine {
	for i := 0; i < len(lines); i++ {
		if !listNumber.MatchString(lines[i].text) {
			continue
		}
		number := lines[i]
		item := p.itemOf(number, lines)
		if item < 0 {
			continue
		}
		number.append(lines[item], 1)
		lines[item] = number
		lines = slices.Delete(lines, i, i+1)
		i--
	}
	return lines
}

// maxIndent is the maximum distance between a number and the start of its list item, in points.
const maxIndent = 60

// itemOf returns the index of the line that begins to the right of the list number, at the same
// height, or -1.
func (p *textPage) itemOf(number textLine, lines []textLine) int {
	best, nearest := -1, float64(maxIndent)
	for i, line := range lines {
		if gap := line.start.x - number.start.x; math.Abs(line.start.y-number.start.y) < 1 && gap > 1 && gap < nearest {
			best, nearest = i, gap
		}
	}
	return best
}
