package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/script"
)

// Where a line that strikes text out is drawn, in em.
const (
	lowestStrike  = 0.15 // minimum height above the baseline
	highestStrike = 0.45 // maximum height above the baseline
	maxStrike     = 0.16 // maximum width of the line
	strikeEdge    = 0.25 // maximum distance of its ends from the edges of the letters
	strikeSpace   = 0.6  // maximum length beyond the last letter, over a space
)

// markDrawnStrikes marks text that is struck out by a line through the middle of its letters, over their whole
// width. A line that is longer is not a strike, but a border or a decoration.
func (p *textPage) markDrawnStrikes(lines []textLine, drawn pageRules) {
	rules := drawn.withLooseEnds()
	if len(rules) == 0 {
		return
	}
	open := false // the line before ends within a struck-out word
	for i := range lines {
		var ranges []charRange
		em := 0.0 // size of the first character, measured where a rule may strike the line out
		for _, r := range rules {
			if above := r.at - lines[i].start.y; above > 0 && above < maxStrikeHeight && r.to > lines[i].start.x {
				if em == 0 {
					em = p.charSize(lines[i].first())
				}
				if above < lowestStrike/2*em || above > 2*highestStrike*em {
					continue
				}
				if found, ok := p.struckBy(r, lines[i]); ok {
					ranges = append(ranges, found)
				}
			}
		}
		slices.SortFunc(ranges, func(a, b charRange) int { return b.first - a.first })
		isOpen := open
		open = false
		for n, r := range ranges {
			if n > 0 && r.last >= ranges[n-1].first {
				continue // drawn twice
			}
			continues := isOpen && r.first == 0
			if n == 0 && strings.HasSuffix(lines[i].text, string(softHyphen)) && r.last >= len(lines[i].at)-2 && i+1 < len(lines) && p.beginsStruck(lines[i+1], rules) {
				r.last, open = len(lines[i].at)-1, true
			}
			lines[i].strike(r, !continues, !(n == 0 && open))
		}
	}
}

// withLooseEnds returns the horizontal lines that do not end at a vertical one, as borders do.
func (r pageRules) withLooseEnds() (loose []rule) {
	const touching = 1 // maximum distance of lines that touch each other, in points
	for _, h := range r.horizontal {
		if !slices.ContainsFunc(r.vertical, func(v rule) bool {
			return v.from-touching <= h.at && h.at <= v.to+touching && min(math.Abs(v.at-h.from), math.Abs(v.at-h.to)) <= touching
		}) {
			loose = append(loose, h)
		}
	}
	return loose
}

// maxStrikeHeight is the maximum height of a strike above the baseline of the largest text, in points.
const maxStrikeHeight = 50

// beginsStruck reports whether the first letters of a line are struck out.
func (p *textPage) beginsStruck(line textLine, rules []rule) bool {
	return slices.ContainsFunc(rules, func(r rule) bool {
		found, ok := p.struckBy(r, line)
		return ok && found.first == 0
	})
}

// struckBy returns the characters of a line, given by their indexes in it, that a rule strikes out. ok is
// false if it strikes nothing out.
func (p *textPage) struckBy(r rule, line textLine) (of charRange, ok bool) {
	chars := []rune(line.text)
	boxes := make([]box, len(chars))
	of = charRange{-1, -1}
	hasText := false
	for i, c := range chars {
		boxes[i] = p.charBox(line.at[i])
		middle := (boxes[i].left + boxes[i].right) / 2
		if unicode.IsSpace(c) || !(r.from < middle && middle < r.to) {
			continue
		}
		if of.first < 0 {
			of.first = i
		}
		of.last = i
		hasText = hasText || isWordCharacter(c) && (of.last > of.first || !unicode.IsLetter(c) || script.IsEastAsian(c)) // € may be a C with a line
	}
	if !hasText {
		return of, false
	}
	if splitsLetters(chars, of.first) || splitsLetters(chars, of.last+1) {
		return of, false
	}
	first, last := boxes[of.first], boxes[of.last]
	em := p.charSize(line.at[of.first])
	above := r.at - p.charOrigin(line.at[of.first]).y
	isInside := lowestStrike*em <= above && above <= highestStrike*em && r.width <= maxStrike*em
	if !isInside || r.at < line.start.y || r.from-first.left > strikeEdge*em || last.right-r.to > strikeEdge*em {
		return of, false
	}
	return of, first.left-r.from <= spaceBefore(chars, of.first)*em && r.to-last.right <= spaceAfter(chars, of.last)*em
}

// splitsLetters reports whether an index is between two letters of a word, other than Chinese.
func splitsLetters(chars []rune, i int) bool {
	isLetter := func(c rune) bool { return unicode.IsLetter(c) && !script.IsEastAsian(c) }
	return i > 0 && i < len(chars) && isLetter(chars[i-1]) && isLetter(chars[i])
}

// spaceBefore returns how far a strike may begin before the character at an index, in em.
func spaceBefore(chars []rune, i int) float64 {
	if i > 0 && !unicode.IsSpace(chars[i-1]) {
		return strikeEdge
	}
	return strikeSpace
}

// spaceAfter returns how far a strike may end behind the character at an index, in em.
func spaceAfter(chars []rune, i int) float64 {
	if i+1 < len(chars) && !unicode.IsSpace(chars[i+1]) {
		return strikeEdge
	}
	return strikeSpace
}

// strike puts marks around the characters of a range, given by their indexes in the line. One of the marks is
// left out if a divided word is struck out on both of its lines.
func (l *textLine) strike(of charRange, opens, closes bool) {
	chars := []rune(l.text)
	text, following := string(chars[of.first:of.last+1]), string(chars[of.last+1:])
	var marked string
	switch {
	case opens && closes:
		var before rune
		if of.first > 0 {
			before = chars[of.first-1]
		}
		marked = markdown.MarkStruck(before, text, following)
	case opens:
		marked = markdown.Strikethrough + text
	case closes:
		marked = text + markdown.Strikethrough
	default:
		return
	}
	at := make([]int, 0, len(marked))
	next := of.first
	for _, c := range marked {
		at = append(at, l.at[min(next, of.last)])
		if next <= of.last && chars[next] == c {
			next++
		}
	}
	l.text = string(chars[:of.first]) + marked + following
	l.at = slices.Concat(l.at[:of.first], at, l.at[of.last+1:])
}
