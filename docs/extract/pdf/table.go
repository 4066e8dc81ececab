package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// A PDF page has positions of characters, but no tables. Rows whose words are aligned in columns,
// with white space between them, are treated as a table; see fileReader.followTable for when this
// is done.

const (
	leastColumns = 3   // minimum columns of a table
	mostColumns  = 100 // maximum columns of a table
	leastRows    = 3   // minimum rows on the page where a table begins
	wrappedLines = 4   // maximum lines of a cell at the end of a page
	edgeRows     = 3   // maximum rows of the header or footer of a page above or below a table
	edgeSpace    = 1.5 // minimum distance between the header or footer of a page and a table, as a multiple of the distance between rows
	cellGap      = 0.8 // minimum distance between cells of a row, in em
	leastBorder  = 2   // minimum width of the white space between columns, in points
	sameColumn   = 2.5 // maximum misalignment of the cells of a column, in points
	mostlyEven   = 0.8 // minimum fraction of the cells of a column that are aligned
)

// A tableWord is a word, or several adjacent words, of a row.
type tableWord struct {
	left, right float64
	text        string
	first       int // index of the first character in the text of the page
}

// A tableRow is the text at one height of a page, from left to right.
type tableRow struct {
	lines []int // indexes of the lines of the page that form the row, in order
	words []tableWord
	cells []tableWord // groups of adjacent words, with wider gaps between them
}

// A tablePage is a page whose rows are searched for tables.
type tablePage struct {
	*textPage
	lines []textLine
	rows  []tableRow // rows from top to bottom
}

// tableRows returns the page with its rows, not yet measured: lines at the same height form a row.
// Rows that are written as a table are left out.
func (p *textPage) tableRows(lines []textLine) *tablePage {
	t := &tablePage{textPage: p, lines: lines}
	var order []int
	for i, l := range lines {
		if !math.IsNaN(l.start.y) && l.kind == textLineKind {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lines[b].start.y, lines[a].start.y) })
	for n, i := range order {
		if n > 0 && lines[order[n-1]].start.y-lines[i].start.y < minLeading {
			last := &t.rows[len(t.rows)-1]
			last.lines = append(last.lines, i)
		} else {
			t.rows = append(t.rows, tableRow{lines: []int{i}})
		}
	}
	return t
}

// looksSpaced reports whether a row may have several cells: it consists of several lines, or of one
// that is wider than running text of its length. This is a cheap check before words are measured.
func (t *tablePage) looksSpaced(row int) bool {
	lines := t.rows[row].lines
	return len(lines) >= leastColumns || slices.ContainsFunc(lines, t.isWide)
}

// isWide reports whether the line with index i is wider than running text of its length.
func (t *tablePage) isWide(i int) bool {
	line := t.lines[i]
	if !strings.Contains(line.text, " ") {
		return false
	}
	usual := 0.0
	for _, c := range line.text {
		usual += usualWidth(c)
	}
	em := t.charSize(line.first())
	return em > 0 && t.charOrigin(line.last()).x-line.start.x > 1.15*em*usual
}

// usualWidth returns the approximate width of the character c in em.
func usualWidth(c rune) float64 {
	switch {
	case script.IsEastAsian(c):
		return 1
	case unicode.IsUpper(c):
		return 0.7
	case c == ' ':
		return 0.3
	}
	return 0.5
}

// measure determines the words and cells of a row, unless that was done before, and returns the
// row.
func (t *tablePage) measure(row int) *tableRow {
	r := &t.rows[row]
	if r.words != nil {
		return r
	}
	slices.Sort(r.lines)
	for _, i := range r.lines {
		r.words = append(r.words, t.wordsOf(t.lines[i])...)
	}
	slices.SortStableFunc(r.words, func(a, b tableWord) int { return cmp.Compare(a.left, b.left) })
	gap := cellGap * t.charSize(r.words[0].first)
	for _, w := range r.words {
		n := len(r.cells) - 1
		if n >= 0 && w.left-r.cells[n].right < gap {
			r.cells[n].text += " " + w.text
			r.cells[n].right = max(r.cells[n].right, w.right)
		} else {
			r.cells = append(r.cells, w)
		}
	}
	return r
}

func (t *tablePage) wordsOf(line textLine) (words []tableWord) {
	start, n := 0, 0 // start of the word: offset in bytes, and index in characters
	add := func(end, count int) {
		if end > start {
			first, last := line.at[n], line.at[n+count-1]
			words = append(words, tableWord{t.charBox(first).left, t.charBox(last).right, line.text[start:end], first})
		}
	}
	count := 0
	for i, c := range line.text {
		if unicode.IsSpace(c) {
			add(i, count)
			start, n, count = i+utf8.RuneLen(c), n+count+1, 0
		} else {
			count++
		}
	}
	add(len(line.text), count)
	return words
}

// A border is the horizontal extent of the white space between two columns.
type border struct{ left, right float64 }

// A grid holds the columns that the rows of a table have in common.
type grid struct {
	borders []border
	edges   [][]border // horizontal extents of the cells, by column
}

// bordersOf returns the gaps between the cells of the row.
func (r *tableRow) bordersOf() (all []border) {
	for i := 1; i < len(r.cells); i++ {
		all = append(all, border{r.cells[i-1].right, r.cells[i].left})
	}
	return all
}

// narrow returns those parts of the borders, the white space between columns, that are also free of
// text in a row. ok is false if nothing is left of one of them. A row with a single cell does not
// narrow the borders, as it may continue the row above.
func narrow(borders []border, r *tableRow) (left []border, ok bool) {
	if len(r.cells) == 1 {
		only := border{r.cells[0].left, r.cells[0].right}
		return borders, !slices.ContainsFunc(borders, func(b border) bool { return only.left <= b.left && b.right <= only.right })
	}
	for _, b := range borders {
		n := len(left)
		for _, c := range r.cells {
			if c.right <= b.left || c.left >= b.right {
				continue
			}
			if c.left-b.left >= leastBorder {
				left = append(left, border{b.left, c.left})
			}
			b.left = c.right
		}
		if b.right-b.left >= leastBorder {
			left = append(left, b)
		}
		if len(left) == n {
			return nil, false
		}
	}
	return left, true
}

// columnOf returns the index of the column of a word, or -1 if the word crosses a border.
func (g *grid) columnOf(w tableWord) int {
	column := 0
	for _, b := range g.borders {
		isBehind, isBefore := w.left > b.left, w.right < b.right
		switch {
		case !isBehind && !isBefore:
			return -1
		case isBehind && (!isBefore || w.left-b.left > b.right-w.right):
			column++
		}
	}
	return column
}

// parts returns the cells of a row, of which those that cross a border are split into words. ok is
// false if one of these words lies between two columns.
func (g *grid) parts(r *tableRow) (all []tableWord, ok bool) {
	for _, c := range r.cells {
		if g.columnOf(c) >= 0 {
			all = append(all, c)
			continue
		}
		for _, w := range r.words {
			if w.left < c.left || w.right > c.right {
				continue
			}
			if slices.ContainsFunc(g.borders, func(b border) bool { return b.left < w.left && w.right < b.right }) {
				return nil, false
			}
			all = append(all, w)
		}
	}
	return all, true
}

// columns returns the cells of a row by column, and how many of them have text. ok is false if a
// word is in no column.
func (g *grid) columns(r *tableRow) (cells []tableWord, filled int, ok bool) {
	cells = make([]tableWord, len(g.borders)+1)
	parts, ok := g.parts(r)
	if !ok {
		return nil, 0, false
	}
	for _, w := range parts {
		i := g.columnOf(w)
		if i < 0 {
			return nil, 0, false
		}
		if c := &cells[i]; c.text == "" {
			*c = w
			filled++
		} else {
			c.text, c.right = c.text+" "+w.text, w.right
		}
	}
	return cells, filled, true
}

// isEven reports whether the cells of each column are aligned at their left sides, right sides or
// middles.
func (g *grid) isEven() bool {
	for _, edges := range g.edges {
		if len(edges) < 2 || shareInLine(edges, edges) < mostlyEven {
			return false
		}
	}
	return true
}

// sides return the positions of a cell at which the cells of a column may be aligned: left, right
// and middle.
var sides = []func(border) float64{
	func(b border) float64 { return b.left },
	func(b border) float64 { return b.right },
	func(b border) float64 { return (b.left + b.right) / 2 },
}

// shareInLine returns the fraction of cells that are aligned with the cells of a column.
func shareInLine(cells, column []border) (best float64) {
	for _, side := range sides {
		at := sideOf(column, side)
		n := 0
		for _, c := range cells {
			if math.Abs(side(c)-at) <= sameColumn {
				n++
			}
		}
		best = max(best, float64(n)/float64(len(cells)))
	}
	return best
}

func sideOf(column []border, side func(border) float64) float64 {
	var all []float64
	for _, c := range column {
		all = append(all, side(c))
	}
	return median(all)
}

// isNumeric reports whether a cell is a number, a date or an amount.
func isNumeric(cell string) bool {
	letters, digits := 0, 0
	for _, c := range cell {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c):
			letters++
		}
	}
	return digits > 0 && digits >= letters
}

// longestName is the maximum length of a column name, in characters.
const longestName = 40

// isName reports whether a cell may be the name of a column, rather than a value or part of a
// sentence.
func isName(cell string) bool {
	return strings.ContainsFunc(cell, unicode.IsLetter) && !isNumeric(cell) && utf8.RuneCountInString(cell) <= longestName &&
		!strings.ContainsAny(cell, "。，；") && !strings.ContainsAny(cell[len(cell)-1:], ".,;")
}
