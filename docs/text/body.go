// Package text defines the text of a document, and how a place in it is cited and resolved.
//
// A [Body] is a text whose lines end with "\n", together with the starts of its pages, slides,
// sheets, chapters or cells. A [Span] is a range of it, with a location for people
// ([Body.Location]) and a fragment for URIs ([Body.URIFragment]), which [Body.ResolveFragment] converts back
// to the span.
//
// The package works only on values: it does not depend on files, formats, or how a text is split.
package text

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A Body is the text of a document and its parts, which are pages, slides, sheets, chapters or
// cells. Parts is nil if the text is cited by lines.
type Body struct {
	Text  string
	Parts []extract.Part
}

// URIFragment returns the fragment that identifies a span of the body in a URI. It names the part in
// which the span begins, such as "page=3" (RFC 8118; likewise slide, sheet, chapter, cell) and,
// unless the span is the whole part, the position relative to the part, as in "page=3&L1-12".
// Without parts it is the position alone: "L12-40" for lines 12 to 40, or "char=100,250" (RFC
// 5147).
func (b Body) URIFragment(s Span) string {
	i := b.partAt(s.StartByte)
	if i < 0 {
		return s.fragment(b.Text)
	}
	name := fmt.Sprintf("%s=%d", b.Parts[i].Kind, b.Parts[i].Number)
	start, end := b.partRange(i)
	if from, to := TrimBlankLines(b.Text, start, end); s.StartByte <= from && s.EndByte == to || s.StartByte == start && s.EndByte == end {
		return name
	}
	return name + "&" + Span{StartByte: s.StartByte - start, EndByte: s.EndByte - start}.fragment(b.Text[start:])
}

// ResolveFragment returns the span that a fragment identifies: for every chunk of the body,
// ResolveFragment(URIFragment(span)) is its span. A position relative to a part may be beyond the end of the
// part. If several parts are given, as in "page=3-5", those with text are used. A part may also be
// given by its name, as in "sheet=Budget".
func (b Body) ResolveFragment(fragment string) (Span, error) {
	fragment = b.withPartNumbers(fragment)
	unit, rest, _ := strings.Cut(fragment, "&")
	name, value, _ := strings.Cut(unit, "=")
	if !isPartUnit(name) {
		return resolveFragment(b.Text, fragment)
	}
	number, last, ok := parseNumbers(value)
	if !ok || last < number {
		return Span{}, b.unknownPartError(name, fragment)
	}
	i, err := b.partIndex(name, number, last)
	if err != nil {
		return Span{}, err
	}
	start, end := b.partRange(i)
	if last > number {
		_, end = b.partRange(b.lastPartUpTo(last, i))
	}
	if rest == "" {
		from, to := TrimBlankLines(b.Text, start, end)
		return SpanOf(b.Text, from, to), nil
	}
	if numbers, isRows := strings.CutPrefix(rest, "row="); isRows && b.Parts[i].Kind == extract.Sheet {
		return b.resolveRows(b.Parts[i].Number, b.Parts[b.lastPartUpTo(last, i)].Number, numbers)
	}
	s, err := resolveFragment(b.Text[start:], rest)
	if err != nil {
		return Span{}, err
	}
	return SpanOf(b.Text, start+s.StartByte, start+s.EndByte), nil
}

// withPartNumbers replaces the name of a part in a fragment, as in "sheet=Budget&row=2-7", by its
// number, or by those of successive parts with that name. The number of a part is not taken for the
// name of another, and a number of a page not for the name of a section on a page.
func (b Body) withPartNumbers(fragment string) string {
	unit, value, ok := strings.Cut(fragment, "=")
	if !ok || len(b.Parts) == 0 || b.Parts[0].Kind.String() != unit {
		return fragment
	}
	numbers, _, _ := strings.Cut(value, "&")
	if first, last, ok := parseNumbers(numbers); ok && (unit == extract.Page.String() || b.hasPart(first, last)) {
		return fragment
	}
	for end := len(value); end > 0; end = strings.LastIndexByte(value[:end], '&') { // a name may contain "&"
		if first, last := b.partsNamed(value[:end]); first > 0 {
			return fmt.Sprintf("%s=%d-%d%s", unit, first, last, value[end:])
		}
	}
	return fragment
}

// hasPart reports whether there is a part with one of these numbers.
func (b Body) hasPart(first, last int) bool {
	return slices.ContainsFunc(b.Parts, func(p extract.Part) bool { return first <= p.Number && p.Number <= last })
}

// partsNamed returns the numbers of the first and the last of the first successive parts with a name,
// whatever its capitals; 0 if there are none.
func (b Body) partsNamed(name string) (first, last int) {
	for _, p := range b.Parts {
		switch isNamed := p.Name != "" && strings.EqualFold(strings.TrimSpace(p.Name), strings.TrimSpace(name)); {
		case isNamed && first == 0:
			first, last = p.Number, p.Number
		case isNamed:
			last = p.Number
		case first > 0 && p.Number != last:
			return first, last
		}
	}
	return first, last
}

// unknownPartError says that no part has the name in a fragment, and lists the names that there are.
func (b Body) unknownPartError(unit, fragment string) error {
	const most = 8
	var names []string
	for _, p := range b.Parts {
		if p.Kind.String() == unit && p.Name != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("fragment %s: give a number, as in %q", present.QuoteShort(fragment), unit+"=3")
	}
	more := message.Message("")
	if n := len(names) - most; n > 0 {
		names, more = names[:most], message.New("; and %d more", n)
	}
	return message.Errorf("there is no %s: give a number, as in %s, or a name: %s%v", present.QuoteShort(fragment), unit+"=3", present.CleanLine(strings.Join(names, "; ")), more)
}

// parseNumbers parses "3-5" and "3" as the first and the last number.
func parseNumbers(s string) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(s, "-")
	if !isRange {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, lastErr := strconv.Atoi(to)
	return first, last, err == nil && lastErr == nil
}

// IsPositionFragment reports whether a fragment is a position, such as "page=3", "L2-3" and
// "line=x", rather than a name.
func IsPositionFragment(fragment string) bool {
	if _, _, isLines := parseLines(fragment); isLines {
		return true
	}
	name, _, hasValue := strings.Cut(fragment, "=")
	return hasValue && (isPartUnit(name) || name == "line" || name == "char")
}

func isPartUnit(name string) bool {
	for u := extract.Page; u <= extract.NotebookCell; u++ {
		if name == u.String() {
			return true
		}
	}
	return false
}

// partIndex returns the index of the first entry in Parts of the first part whose number is between
// number and last.
func (b Body) partIndex(unit string, number, last int) (int, error) {
	if len(b.Parts) == 0 {
		return 0, fmt.Errorf("it has lines and no %ss: %w", unit, errFragment)
	}
	own := b.Parts[0].Kind.String()
	if unit != own {
		return 0, fmt.Errorf("it has %ss and no %ss", own, unit)
	}
	for i, p := range b.Parts {
		if number <= p.Number && p.Number <= last {
			return i, nil
		}
	}
	return 0, message.Errorf("there is no text on %s %d: the last with text is %d", unit, number, b.Parts[len(b.Parts)-1].Number)
}

// lastPartUpTo returns the index of the last entry in Parts, starting at from, whose number is at
// most number.
func (b Body) lastPartUpTo(number, from int) int {
	last := from
	for i := from; i < len(b.Parts); i++ {
		if b.Parts[i].Number <= number {
			last = i
		}
	}
	return last
}

// resolveRows returns the span of rows such as "5-9". The first row is in one sheet, and the last
// in the same or a later one.
func (b Body) resolveRows(sheet, lastSheet int, numbers string) (Span, error) {
	first, last, ok := parseNumbers(numbers)
	if !ok || sheet == lastSheet && last < first {
		return Span{}, fmt.Errorf("fragment %s: want rows, as in %q", present.QuoteShort("row="+numbers), "row=5-9")
	}
	start, _ := b.rowRange(sheet, first)
	_, end := b.rowRange(lastSheet, last)
	return SpanOf(b.Text, start, max(start, end)), nil
}

// rowRange returns the start and the end of a row of a sheet. If the row does not exist, it uses
// the next row that does, or else the end of the sheet.
func (b Body) rowRange(sheet, row int) (start, end int) {
	for i, p := range b.Parts {
		if p.Number != sheet {
			continue
		}
		if end = len(b.Text); i+1 < len(b.Parts) {
			end = b.Parts[i+1].StartByte
		}
		after := p.FirstRow + countLineEnds(b.Text[p.StartByte:end])
		if i+1 < len(b.Parts) && b.Parts[i+1].Number == sheet { // the line below a header is not a row
			after = min(after, b.Parts[i+1].FirstRow)
		}
		if p.FirstRow == 0 || row >= after {
			continue
		}
		start = lineOffset(b.Text, p.StartByte, max(0, row-p.FirstRow))
		return start, beforeLineEnd(b.Text, lineOffset(b.Text, start, 1))
	}
	_, end = TrimBlankLines(b.Text, 0, end)
	return end, end
}

// partAt returns the index of the entry in Parts that contains a position, or -1.
func (b Body) partAt(pos int) int {
	return sort.Search(len(b.Parts), func(i int) bool { return b.Parts[i].StartByte > pos }) - 1
}

// partRange returns the range of the part to which an entry of Parts belongs.
func (b Body) partRange(i int) (start, end int) {
	number := b.Parts[i].Number
	first, next := i, i
	for first > 0 && b.Parts[first-1].Number == number {
		first--
	}
	for next < len(b.Parts) && b.Parts[next].Number == number {
		next++
	}
	if next == len(b.Parts) {
		return b.Parts[first].StartByte, len(b.Text)
	}
	return b.Parts[first].StartByte, b.Parts[next].StartByte
}

// PartNumber returns the number of the part in which a span begins, or 0 if the body has no parts.
func (b Body) PartNumber(s Span) int {
	if i := b.partAt(s.StartByte); i >= 0 {
		return b.Parts[i].Number
	}
	return 0
}

// CharacterRangeInPart returns the range of characters of a part that a span covers, counted from the start
// of the part. It is 0, 0 if the span covers none of them, or all except surrounding white space.
func (b Body) CharacterRangeInPart(s Span, partNumber int) (from, to int) {
	i := slices.IndexFunc(b.Parts, func(p extract.Part) bool { return p.Number == partNumber })
	if i < 0 {
		return 0, 0
	}
	start, end := b.partRange(i)
	first, last := TrimBlankLines(b.Text, start, end)
	if s.StartByte <= first && s.EndByte >= last || s.StartByte >= end || s.EndByte <= start {
		return 0, 0
	}
	from = utf8.RuneCountInString(b.Text[start:max(start, s.StartByte)])
	return from, from + utf8.RuneCountInString(b.Text[max(start, s.StartByte):min(end, s.EndByte)])
}

// PartText returns the text of the part with that number, or "" if there is none.
func (b Body) PartText(partNumber int) string {
	i := slices.IndexFunc(b.Parts, func(p extract.Part) bool { return p.Number == partNumber })
	if i < 0 {
		return ""
	}
	start, end := b.partRange(i)
	return b.Text[start:end]
}

// PackedLayoutOf returns the packed positions of the words in the part with that number, or "" if
// unknown.
func (b Body) PackedLayoutOf(partNumber int) string {
	i := slices.IndexFunc(b.Parts, func(p extract.Part) bool { return p.Number == partNumber })
	if i < 0 {
		return ""
	}
	return b.Parts[i].PackedLayout
}

// Location returns the location of a span as people cite it: "page 3", "pages 3-4", "sheet 2
// (Budget), rows 5-9", "sheet 1, row 90 to sheet 2, row 4", or "lines 12-40" if the body has no
// parts.
func (b Body) Location(s Span) message.Message {
	first, last := max(b.partAt(s.StartByte), 0), b.partAt(max(s.StartByte, s.EndByte-1))
	if last < 0 {
		return LineNoun.CiteRange(s.StartLine, s.EndLine)
	}
	from, to := b.Parts[first], b.Parts[last]
	if from.Number == to.Number {
		place := partLocation(from)
		if firstRow, lastRow := b.rowsOf(s); firstRow > 0 {
			place = message.New("%s, %s", place, rows.CiteRange(firstRow, lastRow))
		}
		return place
	}
	_, end := b.partRange(first)
	begin, _ := b.partRange(last)
	firstRow, _ := b.rowsOf(Span{StartByte: s.StartByte, EndByte: end})
	_, lastRow := b.rowsOf(Span{StartByte: begin, EndByte: s.EndByte})
	unit := from.Kind.Noun()
	if firstRow == 0 || lastRow == 0 {
		return unit.CiteRange(from.Number, to.Number)
	}
	return CiteRows(unit, from.Number, firstRow, to.Number, lastRow)
}

// CiteRows returns the citation of rows from one sheet to another: "sheet 1, row 90 to sheet 2, row 4".
func CiteRows(unit extract.Noun, sheet, row, lastSheet, lastRow int) message.Message {
	return message.New("%v, %v to %v, %v",
		unit.CiteRange(sheet, sheet), rows.CiteRange(row, row), unit.CiteRange(lastSheet, lastSheet), rows.CiteRange(lastRow, lastRow))
}

// partLocation returns the location of a part, such as "sheet 1 (Budget)".
func partLocation(p extract.Part) message.Message {
	place := p.Kind.Noun().CiteRange(p.Number, p.Number)
	if p.Name == "" {
		return place
	}
	return message.New("%v (%s)", place, p.Name)
}

// Division is the start of a page, slide, sheet, chapter or cell within a span.
type Division struct {
	OffsetInSpan int             // byte offset in the span
	Number       int             // number of the page, slide, sheet, chapter or cell
	Location     message.Message // "page 3", "sheet 1 (Budget)"
}

// Divisions lists the divisions of a span, in order. The first may begin before the span.
func (b Body) Divisions(s Span) (all []Division) {
	last := 0
	for i := max(b.partAt(s.StartByte), 0); i < len(b.Parts) && b.Parts[i].StartByte < s.EndByte; i++ {
		p := b.Parts[i]
		if p.Number == last { // in a sheet, runs of rows are parts, too
			continue
		}
		last = p.Number
		all = append(all, Division{max(0, p.StartByte-s.StartByte), p.Number, partLocation(p)})
	}
	return all
}

// LineNoun is the noun for the lines of a text without parts.
var LineNoun = extract.Noun{Singular: "line", Plural: "lines"}

var rows = extract.Noun{Singular: "row", Plural: "rows"}

// rowsOf returns the first and the last row of a sheet in a span, or 0 if there are none. Empty lines at the
// end of a sheet are no rows.
func (b Body) rowsOf(s Span) (first, last int) {
	for i := max(b.partAt(s.StartByte), 0); i < len(b.Parts) && b.Parts[i].StartByte < s.EndByte; i++ {
		p := b.Parts[i]
		if p.FirstRow == 0 {
			continue
		}
		end := s.EndByte
		if i+1 < len(b.Parts) {
			end = min(end, beforeLineEnd(b.Text, b.Parts[i+1].StartByte))
		}
		start := max(s.StartByte, p.StartByte)
		if start, end = TrimBlankLines(b.Text, start, max(start, end)); start == end {
			continue
		}
		if first == 0 {
			first = p.FirstRow + countLineEnds(b.Text[p.StartByte:start])
		}
		last = p.FirstRow + countLineEnds(b.Text[p.StartByte:end])
		if i+1 < len(b.Parts) && b.Parts[i+1].Number == p.Number && b.Parts[i+1].FirstRow > 0 {
			last = min(last, b.Parts[i+1].FirstRow-1) // the line below a header is not a row
		}
	}
	return first, last
}
