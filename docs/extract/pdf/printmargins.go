package pdf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// A browser that prints a page adds a line at its top, with the date and the title, and one at its bottom,
// with the address and the number of the page. These would break sentences that continue on the next page.

const (
	printTimePattern    = `(?:[0-9]{1,4}(?:[./-] ?[0-9]{1,4}){2}|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日),?[\s\p{Z}]*(?:上午|下午|晚上|早上|中午|凌晨)?[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?:[\s\p{Z}]*[AaPp]\.?[Mm]\.?)?`
	printAddressPattern = `(?:https?|file|about|data|blob|chrome-extension):\S+`
	printPagePattern    = `(?:第 ?)?([0-9]{1,5})(?:/| of | von | de | sur | di | ?页，共 ?)([0-9]{1,5})(?: ?页)?`
)

var (
	// Chrome, Edge and others
	timeAtTop     = lazyregexp.New(`^` + printTimePattern + `(?:[\s\p{Z}]|$)`)
	addressAtFoot = lazyregexp.New(`^(?:` + printAddressPattern + `[\s\p{Z}]+)?` + printPagePattern + `$`)
	// Firefox
	addressAtTop = lazyregexp.New(`(?:^|[\s\p{Z}])` + printAddressPattern + `$`)
	timeAtFoot   = lazyregexp.New(`^` + printPagePattern + `[\s\p{Z}]+` + printTimePattern + `$`)

	printPage = lazyregexp.New(`^` + printPagePattern + `[\s\p{Z}]*|[\s\p{Z}]*` + printPagePattern + `$`)
)

// leaveOutPrintMargins returns the lines without those that a browser has added to the page. On the first
// page they stay, without the number of the page and before all other text.
func (p *textPage) leaveOutPrintMargins(lines []textLine) []textLine {
	top, foot := marginLines(lines)
	if len(top) == 0 || len(foot) == 0 || !p.arePrintMargins(rowText(lines, top), rowText(lines, foot)) {
		return lines
	}
	var kept []textLine
	if p.index == 0 {
		margin := lines[top[0]]
		margin.at, margin.kind = slices.Clone(margin.at), printMarginLine
		for _, i := range top[1:] {
			margin.append(lines[i], 1)
		}
		for _, i := range foot {
			if line := lines[i].withoutPrintPage(); line.text != "" {
				margin.append(line, 1)
			}
		}
		kept = append(kept, margin)
	}
	for i, line := range lines {
		if !slices.Contains(top, i) && !slices.Contains(foot, i) {
			kept = append(kept, line)
		}
	}
	return kept
}

// marginLines returns the indexes of the lines at the greatest and at the least height of a page, from left to
// right; nil if there are no others.
func marginLines(lines []textLine) (top, foot []int) {
	highest := slices.MaxFunc(lines, func(a, b textLine) int { return cmp.Compare(a.start.y, b.start.y) }).start.y
	lowest := slices.MinFunc(lines, func(a, b textLine) int { return cmp.Compare(a.start.y, b.start.y) }).start.y
	if !(highest-lowest > minLeading) {
		return nil, nil
	}
	for i, line := range lines {
		switch {
		case highest-line.start.y < minLeading:
			top = append(top, i)
		case line.start.y-lowest < minLeading:
			foot = append(foot, i)
		}
	}
	byPlace := func(a, b int) int { return cmp.Compare(lines[a].start.x, lines[b].start.x) }
	slices.SortFunc(top, byPlace)
	slices.SortFunc(foot, byPlace)
	return top, foot
}

// rowText returns the texts of the lines with the given indexes, separated by spaces.
func rowText(lines []textLine, indexes []int) string {
	var texts []string
	for _, i := range indexes {
		texts = append(texts, lines[i].text)
	}
	return strings.Join(texts, " ")
}

// arePrintMargins reports whether a browser has added the texts at the top and at the bottom of the page.
func (p *textPage) arePrintMargins(top, foot string) bool {
	if timeAtTop.MatchString(top) {
		m := addressAtFoot.FindStringSubmatch(foot)
		return m != nil && printPage.ReplaceAllString(foot, "") != "" && mayBeNumbered(m[1], m[2]) // the first line of a report may begin with a time
	}
	if addressAtTop.MatchString(top) {
		m := timeAtFoot.FindStringSubmatch(foot)
		return m != nil && mayBeNumbered(m[1], m[2])
	}
	return false
}

// mayBeNumbered reports whether a page may have a number, of a number of pages.
func mayBeNumbered(page, pages string) bool {
	number, _ := strconv.Atoi(page)
	count, _ := strconv.Atoi(pages)
	return 0 < number && number <= count
}

// withoutPrintPage returns a line without the number of the page at its start or end.
func (l textLine) withoutPrintPage() textLine {
	chars := []rune(l.text)
	m := printPage.FindStringIndex(l.text)
	switch {
	case m == nil:
		return l
	case m[0] == 0:
		n := len([]rune(l.text[:m[1]]))
		return textLine{text: string(chars[n:]), at: l.at[n:], start: l.start}
	}
	n := len([]rune(l.text[:m[0]]))
	return textLine{text: string(chars[:n]), at: l.at[:n], start: l.start}
}
