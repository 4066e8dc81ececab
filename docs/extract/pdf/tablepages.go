package pdf

import (
	"math"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract"
)

// A table is a table at the end of a page, which may continue on the next one.
type table struct {
	grid
	names   string     // names of the columns, as a row
	header  []string   // texts of the header rows
	style   *charStyle // style of the header rows, if the other rows have a different one; otherwise nil
	numeric []bool     // whether each column is numeric
	start   int        // start of the first row below the header in the text; MaxInt once the column names are recorded for it
}

// A charStyle is the style in which a character is drawn.
type charStyle struct {
	font   string
	weight int
	size   float64
	colour [3]uint
}

func (p *textPage) charStyle(textIndex int) (s charStyle) {
	s.font, s.size = p.fontName(textIndex), p.charSize(textIndex)
	if w, err := p.file.instance.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: p.ref, Index: textIndex}); err == nil {
		s.weight = w.FontWeight
	}
	if c, err := p.file.instance.FPDFText_GetFillColor(&requests.FPDFText_GetFillColor{TextPage: p.ref, Index: textIndex}); err == nil {
		s.colour = [3]uint{c.R, c.G, c.B}
	}
	return s
}

// A pageRange is the range of a page in the text of the file.
type pageRange struct {
	lines    []int // starts of the lines of the page, relative to from
	from, to int
}

// lineStart returns the start of a line in the text or, for the index after the last line, the end
// of the page.
func (p pageRange) lineStart(line int) int {
	if line >= len(p.lines) {
		return p.to
	}
	return p.from + p.lines[line]
}

// followTable checks whether the last page that was read continues the table before, which ends the
// previous page, or else ends with a table that may continue. From its second page on, passages of
// such a table are read with its column names.
func (r *fileReader) followTable(before *table, t *tablePage, page pageRange) {
	if before != nil {
		r.table = r.continueTable(before, t, page)
	}
	if r.table == nil {
		r.table = t.lastTable(page)
	}
}

// continueTable records the column names for a page that continues a table. It returns the table if
// it may continue on the next page, too.
func (r *fileReader) continueTable(of *table, t *tablePage, page pageRange) *table {
	first, isNamed := t.firstRowOf(of)
	if first < 0 {
		return nil
	}
	r.setColumns(of.names, of.start, page.from)
	of.start = math.MaxInt // the following pages are recorded one by one
	from, to := page.from, page.to
	if isNamed {
		from = page.lineStart(t.firstLine(first, first))
	}
	last := t.lastRowOf(of, first)
	goesOn := t.endsPage(last)
	if !goesOn {
		to = page.lineStart(t.lastLine(last) + 1)
	}
	r.setColumns(of.names, from, to)
	if !goesOn {
		return nil
	}
	return of
}

// setColumns sets the column names of the parts in a range of the text, which it splits off where
// necessary.
func (r *fileReader) setColumns(names string, from, to int) {
	if from >= to {
		return
	}
	r.splitPart(from)
	if to+1 < r.text.Len() {
		r.splitPart(to)
	}
	for i := len(r.content.Parts) - 1; i >= 0 && r.content.Parts[i].StartByte >= from; i-- {
		if p := &r.content.Parts[i]; p.StartByte < to {
			p.ContinuedColumnNames = names
		}
	}
}

// splitPart splits the part that contains start in two, unless a part begins there.
func (r *fileReader) splitPart(start int) {
	next, found := slices.BinarySearchFunc(r.content.Parts, start, func(p extract.Part, start int) int { return p.StartByte - start })
	if !found && next > 0 {
		part := r.content.Parts[next-1]
		part.StartByte = start
		r.content.Parts = slices.Insert(r.content.Parts, next, part)
	}
}

// firstRowOf returns the index of the first row of a page that continues a table, or -1 if none
// does, and whether the column names are repeated above it.
func (t *tablePage) firstRowOf(of *table) (first int, isNamed bool) {
	for i := range min(edgeRows+1, len(t.rows)) {
		if t.beginsWithHeader(i, of.header) {
			first = i + len(of.header)
			return min(first, len(t.rows)-1), true
		}
	}
	for i := range min(edgeRows+1, len(t.rows)) {
		if !t.goesOn(i, of) || !t.beginsPage(i) {
			continue
		}
		if t.looksNew(i, of) {
			break
		}
		return i, false
	}
	return -1, false
}

func (t *tablePage) beginsWithHeader(row int, header []string) bool {
	for i, text := range header {
		if row+i >= len(t.rows) || t.measure(row+i).text() != text {
			return false
		}
	}
	return true
}

func (r *tableRow) text() string {
	var words []string
	for _, w := range r.words {
		words = append(words, w.text)
	}
	return strings.Join(words, " ")
}

// goesOn reports whether the rows from row on fit the columns of a table.
func (t *tablePage) goesOn(row int, of *table) bool {
	const looked = 5
	cells := make([][]border, len(of.edges))
	rows, full, all := 0, 0, 0
	for i := row; i < min(row+looked, len(t.rows)); i++ {
		here, filled, ok := of.columns(t.measure(i))
		if !ok || filled < 2 {
			if i == row {
				return false
			}
			break
		}
		rows++
		if filled == len(cells) {
			full++
		}
		for n, c := range here {
			if c.text != "" {
				cells[n] = append(cells[n], border{c.left, c.right})
				all++
			}
		}
	}
	inLine := 0.0
	for n, c := range cells {
		if len(c) > 0 {
			inLine += shareInLine(c, of.edges[n]) * float64(len(c))
		}
	}
	return (rows >= 2 || full > 0) && inLine >= mostlyEven*float64(all)
}

// looksNew reports whether a row that fits the columns of a table is more likely the header of
// another one.
func (t *tablePage) looksNew(row int, of *table) bool {
	cells, _, _ := of.columns(t.measure(row))
	numbers, names := 0, 0
	for i, c := range cells {
		switch {
		case c.text == "":
		case of.style != nil && t.charStyle(c.first) != *of.style:
			return false
		case of.numeric[i] && isNumeric(c.text):
			numbers++
		case of.numeric[i] && isName(c.text):
			names++
		}
	}
	return of.style != nil || names > 0 && numbers == 0
}

// lastRowOf returns the index of the last row of a table that is continued on a page from the row
// first on.
func (t *tablePage) lastRowOf(of *table, first int) (last int) {
	last = first
	for i := first; i < len(t.rows) && i <= last+2; i++ {
		if _, filled, ok := of.columns(t.measure(i)); ok && (filled > 1 || i == last+1) {
			last = i
		}
	}
	return last
}

// lastTable returns the table that ends a page, or nil.
func (t *tablePage) lastTable(page pageRange) *table {
	borders, bottom := t.lastBorders()
	if borders == nil {
		return nil
	}
	h := headerSearch{tablePage: t, bottom: bottom, grid: grid{borders: borders}}
	if !h.find() {
		return nil
	}
	found := &table{grid: h.grid, style: h.style, names: h.names, header: h.texts, start: page.lineStart(t.firstLine(h.last+1, bottom))}
	found.edges = make([][]border, len(found.borders)+1)
	found.numeric = make([]bool, len(found.edges))
	numbers := make([]int, len(found.edges))
	for i := h.last + 1; i <= bottom; i++ {
		cells, _, _ := found.columns(t.measure(i))
		for n, c := range cells {
			if c.text != "" {
				found.edges[n] = append(found.edges[n], border{c.left, c.right})
			}
			if isNumeric(c.text) {
				numbers[n]++
			}
		}
	}
	for n, edges := range found.edges {
		found.numeric[n] = len(edges) > 0 && float64(numbers[n]) >= mostlyEven*float64(len(edges))
	}
	if !found.isEven() || found.style == nil && !slices.Contains(found.numeric, true) {
		return nil
	}
	return found
}

// endsPage reports whether there is nothing but a page footer below a row.
func (t *tablePage) endsPage(row int) bool {
	below := len(t.rows) - 1 - row
	return below == 0 || below <= edgeRows && t.gapBelow(row) > edgeSpace*t.usualGap(row-leastRows, row)
}

// beginsPage reports whether there is nothing but a page header above a row.
func (t *tablePage) beginsPage(row int) bool {
	return row == 0 || t.gapBelow(row-1) > edgeSpace*t.usualGap(row, row+leastRows)
}

// usualGap returns the smallest distance between adjacent rows of a range.
func (t *tablePage) usualGap(first, last int) float64 {
	least := math.Inf(1)
	for i := max(0, first); i < min(last, len(t.rows)-1); i++ {
		least = min(least, t.gapBelow(i))
	}
	return least
}

// gapBelow returns the distance between a row and the next, in points.
func (t *tablePage) gapBelow(row int) float64 {
	return t.lines[t.rows[row].lines[0]].start.y - t.lines[t.rows[row+1].lines[0]].start.y
}

// firstLine returns the index of the first line of the rows first to last.
func (t *tablePage) firstLine(first, last int) int {
	line := len(t.lines)
	for _, row := range t.rows[first : last+1] {
		line = min(line, slices.Min(row.lines))
	}
	return line
}

// lastLine returns the index of the last line of the rows up to last.
func (t *tablePage) lastLine(last int) (line int) {
	for _, row := range t.rows[:last+1] {
		line = max(line, slices.Max(row.lines))
	}
	return line
}

// lastBorders returns the borders between the columns of the last rows of a page, and the index of
// the last of these rows. The borders are nil if these rows have no columns.
func (t *tablePage) lastBorders() (borders []border, bottom int) {
	n := len(t.rows)
	for bottom = n - 1; bottom >= max(0, n-1-edgeRows); bottom-- {
		if !t.endsPage(bottom) || !t.looksSpaced(bottom) {
			continue
		}
		if borders := t.bordersAbove(bottom); len(borders)+1 >= leastColumns {
			return borders, bottom
		}
	}
	return nil, 0
}

// bordersAbove returns the borders that the row bottom has in common with the rows above it, if
// enough of these have several cells; otherwise nil.
func (t *tablePage) bordersAbove(bottom int) []border {
	spaced := 1
	for top := bottom - 1; top >= max(0, bottom-leastRows*wrappedLines); top-- {
		if !t.looksSpaced(top) {
			continue
		}
		if spaced++; spaced < leastRows {
			continue
		}
		borders := t.measure(bottom).bordersOf()
		ok := len(borders)+1 >= leastColumns
		for i := bottom - 1; ok && len(borders) < mostColumns && i >= top; i-- {
			borders, ok = narrow(borders, t.measure(i))
		}
		if !ok || len(borders) >= mostColumns {
			return nil
		}
		return borders
	}
	return nil
}
