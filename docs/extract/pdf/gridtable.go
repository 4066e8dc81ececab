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

// A table with empty cells loses its columns where its rows are read as text: "Metformin 1 1" may mean
// the morning and the noon. If its columns are certain, such a table is written as a table in Markdown.

const (
	sameBorder   = 4.0       // maximum distance between lines that are one border, in points: cells may have borders of their own
	coversBorder = 0.8       // minimum fraction of the side of a cell that its border covers
	maxCrossings = 4_000_000 // maximum number of pairs of lines that are compared on a page
	sameBaseline = 2.0       // maximum difference in height of words on one line, in points
)

// A tableBorder is a border that crosses a table, drawn as one or more lines side by side.
type tableBorder struct {
	low, high float64 // extent across
	rules     []rule
}

// covers reports whether the border is drawn along most of the way between two points.
func (b tableBorder) covers(from, to float64) bool {
	parts := slices.SortedFunc(slices.Values(b.rules), func(a, b rule) int { return cmp.Compare(a.from, b.from) })
	covered, end := 0.0, from
	for _, r := range parts {
		if start, stop := max(r.from, end), min(r.to, to); stop > start {
			covered, end = covered+stop-start, stop
		}
	}
	return covered >= coversBorder*(to-from)
}

// A drawnGrid is a table all of whose cells have borders: columns from left to right, rows from top to
// bottom.
type drawnGrid struct {
	columns []tableBorder // borders left of each column, and right of the last
	rows    []tableBorder // borders above each row, and below the last
}

// grids returns the tables whose borders are drawn on the page.
func (r pageRules) grids() (all []drawnGrid) {
	if len(r.vertical) < 3 || len(r.horizontal) < 3 || len(r.vertical)*len(r.horizontal) > maxCrossings {
		return nil
	}
	for _, group := range r.connected() {
		g := drawnGrid{bordersAt(group.vertical), bordersAt(group.horizontal)}
		slices.Reverse(g.rows)
		if g.trim(); len(g.columns) > 2 && len(g.rows) > 2 && len(g.columns) <= mostColumns {
			all = append(all, g)
		}
	}
	return all
}

// connected groups the lines that touch each other.
func (r pageRules) connected() map[int]*pageRules {
	parent := make([]int, len(r.vertical)+len(r.horizontal))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, v := range r.vertical {
		for k, h := range r.horizontal {
			if v.from-sameBorder <= h.at && h.at <= v.to+sameBorder && h.from-sameBorder <= v.at && v.at <= h.to+sameBorder {
				parent[root(len(r.vertical)+k)] = root(i)
			}
		}
	}
	groups := make(map[int]*pageRules)
	of := func(i int) *pageRules {
		if groups[root(i)] == nil {
			groups[root(i)] = &pageRules{}
		}
		return groups[root(i)]
	}
	for i, v := range r.vertical {
		of(i).vertical = append(of(i).vertical, v)
	}
	for k, h := range r.horizontal {
		of(len(r.vertical) + k).horizontal = append(of(len(r.vertical)+k).horizontal, h)
	}
	return groups
}

// bordersAt groups lines, in order, that are side by side.
func bordersAt(rules []rule) (all []tableBorder) {
	for _, r := range rules {
		if n := len(all) - 1; n >= 0 && r.at-all[n].high <= sameBorder {
			all[n].high, all[n].rules = r.at, append(all[n].rules, r)
		} else {
			all = append(all, tableBorder{r.at, r.at, []rule{r}})
		}
	}
	return all
}

// trim removes the rows at the top and at the bottom that have merged cells, such as a title or a sum. It
// removes all rows if others have such cells.
func (g *drawnGrid) trim() {
	for len(g.rows) > 1 && !g.isWhole(0) {
		g.rows = g.rows[1:]
	}
	for len(g.rows) > 1 && !g.isWhole(len(g.rows)-2) {
		g.rows = g.rows[:len(g.rows)-1]
	}
	for row := range len(g.rows) - 1 {
		if !g.isWhole(row) {
			g.rows = nil
			return
		}
	}
}

// isWhole reports whether a row has a border between all of its columns, and below and above all of its cells.
func (g *drawnGrid) isWhole(row int) bool {
	top, bottom := g.rows[row], g.rows[row+1]
	for i := 1; i < len(g.columns); i++ {
		left, right := g.columns[i-1], g.columns[i]
		if i+1 < len(g.columns) && !right.covers(bottom.high, top.low) || !top.covers(left.high, right.low) || !bottom.covers(left.high, right.low) {
			return false
		}
	}
	return true
}

// contains reports whether a point is within the outer borders.
func (g *drawnGrid) contains(at point) bool {
	return g.columns[0].low < at.x && at.x < g.columns[len(g.columns)-1].high && g.rows[len(g.rows)-1].low < at.y && at.y < g.rows[0].high
}

// cellOf returns the row and the column of a word. ok is false if it is not within one cell.
func (g *drawnGrid) cellOf(w placedWord) (row, column int, ok bool) {
	const overlap = 1.5 // maximum length of a word over the border, in points
	y := (w.bottom + w.top) / 2
	row = slices.IndexFunc(g.rows[1:], func(b tableBorder) bool { return y >= b.high })
	column = slices.IndexFunc(g.columns[1:], func(b tableBorder) bool { return w.right <= b.high+overlap })
	return row, column, row >= 0 && column >= 0 && w.left >= g.columns[column].low-overlap
}

// A placedWord is a word with its place on the page and the indexes of its characters in the text of the page.
type placedWord struct {
	text     string
	at       []int
	box              // from the first to the last character
	baseline float64 // NaN if unknown
}

// placedWords returns the words of a line.
func (p *textPage) placedWords(line textLine) (words []placedWord) {
	chars := []rune(line.text)
	for i := 0; i < len(chars); i++ {
		first := i
		for i < len(chars) && !unicode.IsSpace(chars[i]) {
			i++
		}
		if i == first {
			continue
		}
		begin, end := p.charBox(line.at[first]), p.charBox(line.at[i-1])
		words = append(words, placedWord{string(chars[first:i]), line.at[first:i], box{min(begin.left, end.left), max(begin.right, end.right), begin.bottom, begin.top}, p.charOrigin(line.at[first]).y})
	}
	return words
}

// writeGrids returns the lines with each table that has empty cells and drawn borders written as a table.
func (p *textPage) writeGrids(lines []textLine, rules pageRules) []textLine {
	for _, g := range rules.grids() {
		lines = p.writeGrid(lines, g)
	}
	return lines
}

func (p *textPage) writeGrid(lines []textLine, g drawnGrid) []textLine {
	first, end := -1, -1
	t := newCellTable(len(g.rows)-1, len(g.columns)-1)
	for i, line := range lines {
		if !g.contains(line.start) || line.kind != textLineKind {
			continue
		}
		if first < 0 {
			first = i
		} else if i > end {
			return lines // text from elsewhere is read within the table
		}
		end = i + 1
		for n, w := range p.placedWords(line) {
			row, column, ok := g.cellOf(w)
			if !ok {
				return lines
			}
			t.add(row, column, w, n == 0)
		}
	}
	if first < 0 {
		return lines
	}
	for column := range t.widths {
		t.widths[column] = g.columns[column+1].low - g.columns[column].high
		t.measureMargin(column, g.columns[column].high, g.columns[column+1].low)
	}
	if !t.hasNames() || !t.hasGaps() || !t.isWrapped() {
		return lines
	}
	return slices.Replace(lines, first, end, p.tableLines(t)...)
}

// A cellTable holds the words of a table by row and column.
type cellTable struct {
	cells   [][]cell
	widths  []float64 // width of each column
	margins []float64 // width of each column that is free on both sides of every text
}

// A cell holds the words of a cell, in reading order.
type cell struct {
	words  []placedWord
	starts []int // indexes of the words that begin a line
}

func newCellTable(rows, columns int) *cellTable {
	t := &cellTable{cells: make([][]cell, rows), widths: make([]float64, columns), margins: make([]float64, columns)}
	for i := range t.cells {
		t.cells[i] = make([]cell, columns)
	}
	return t
}

// add adds a word to a cell. beginsLine reports whether it is the first of a line of the page.
func (t *cellTable) add(row, column int, w placedWord, beginsLine bool) {
	c := &t.cells[row][column]
	if n := len(c.words); n == 0 || beginsLine || math.Abs(c.words[n-1].baseline-w.baseline) > sameBaseline {
		c.starts = append(c.starts, n)
	}
	c.words = append(c.words, w)
}

// measureMargin measures the smallest distance of the texts of a column from its borders.
func (t *cellTable) measureMargin(column int, left, right float64) {
	least := math.Inf(1)
	for _, row := range t.cells {
		for _, w := range row[column].words {
			least = min(least, w.left-left, right-w.right)
		}
	}
	t.margins[column] = 2 * max(0, least)
}

// hasNames reports whether the first row has names for the columns, of which the first may have none.
func (t *cellTable) hasNames() bool {
	for column, c := range t.cells[0] {
		if column > 0 && !slices.ContainsFunc(c.words, func(w placedWord) bool { return strings.ContainsFunc(w.text, isWordCharacter) }) {
			return false
		}
	}
	return true
}

// hasGaps reports whether a cell is empty in a row that has text.
func (t *cellTable) hasGaps() bool {
	return slices.ContainsFunc(t.cells[1:], func(row []cell) bool {
		n := filledCells(row)
		return 0 < n && n < len(row)
	})
}

func filledCells(row []cell) (n int) {
	for _, c := range row {
		if len(c.words) > 0 {
			n++
		}
	}
	return n
}

// isWrapped reports whether the further lines of every row only continue its cells. They may also be rows
// without a border between them: where numbers stand below each other, where nearly all cells have a further
// line at the same height, and where none of several cells continues because the line before was full.
func (t *cellTable) isWrapped() bool {
	for _, row := range t.cells {
		var heights []float64
		continued := make(map[int]int) // number of cells with a further line, by its index in heights
		full := make(map[int]bool)
		for column, c := range row {
			for n := 1; n < len(c.starts); n++ {
				if isNumeric(c.line(n-1)) && isNumeric(c.line(n)) {
					return false
				}
				y := c.words[c.starts[n]].baseline
				i := slices.IndexFunc(heights, func(h float64) bool { return math.Abs(h-y) <= sameBaseline })
				if i < 0 {
					i, heights = len(heights), append(heights, y)
				}
				continued[i]++
				full[i] = full[i] || t.isFull(column, c, n)
			}
		}
		for i, n := range continued {
			if n > 1 && !full[i] || n > 2 && n >= filledCells(row)-1 {
				return false
			}
		}
	}
	return true
}

// line returns the text of line n of the cell.
func (c cell) line(n int) string {
	end := len(c.words)
	if n+1 < len(c.starts) {
		end = c.starts[n+1]
	}
	var texts []string
	for _, w := range c.words[c.starts[n]:end] {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// isFull reports whether there was no space for the first word of line n of a cell on the line before.
func (t *cellTable) isFull(column int, c cell, n int) bool {
	before, next := c.words[c.starts[n]-1], c.words[c.starts[n]]
	const space = 0.2 // width of a space, as a multiple of the height of letters
	return before.right-c.words[c.starts[n-1]].left+space*next.height()+next.right-next.left > t.widths[column]-t.margins[column]
}

// tableLines returns the rows of a table, except those without text.
func (p *textPage) tableLines(t *cellTable) (lines []textLine) {
	for i, row := range t.cells {
		if filledCells(row) == 0 {
			continue
		}
		line := p.tableLine(t, row)
		if i == 0 {
			line.kind = tableHeaderLine
			lines = append(lines, line, delimiterLine(line, len(row)))
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// tableLine returns a row of a table.
func (p *textPage) tableLine(t *cellTable, row []cell) textLine {
	line := textLine{kind: tableRowLine, start: unknownPoint}
	last := 0 // index in the text of the page of the character before
	for _, c := range row {
		if len(c.words) > 0 {
			last = c.words[0].at[0]
			break
		}
	}
	add := func(text string, at int) {
		line.text += text
		for range utf8.RuneCountInString(text) {
			line.at = append(line.at, at)
		}
	}
	add("|", last)
	for column, c := range row {
		for n, w := range c.words {
			if n == 0 || !p.isContinued(t, column, c, n) {
				add(" ", last)
			} else if strings.HasSuffix(line.text, string(softHyphen)) {
				line.text, line.at = strings.TrimSuffix(line.text, string(softHyphen)), line.at[:len(line.at)-1]
			}
			for k, char := range []rune(w.text) {
				if char == '|' {
					add(`\`, w.at[k])
				}
				add(string(char), w.at[k])
			}
			last = w.at[len(w.at)-1]
			if at := p.charOrigin(w.at[0]); math.IsNaN(line.start.x) || at.y > line.start.y+sameBaseline {
				line.start = at
			}
		}
		if len(c.words) == 0 {
			add(" ", last)
		}
		add(" |", last)
	}
	return line
}

// delimiterLine returns the line below the header of a table, which stands at the place of its last character.
func delimiterLine(header textLine, columns int) textLine {
	text := "|" + strings.Repeat(" --- |", columns)
	return textLine{text: text, at: slices.Repeat([]int{header.last()}, len(text)), start: header.start, kind: tableRowLine}
}

// isContinued reports whether word n of a cell continues the word before without a space: Chinese on a new
// line, a word that is divided by a hyphen, and one that is divided only because its column is narrower
// than the word.
func (p *textPage) isContinued(t *cellTable, column int, c cell, n int) bool {
	line := slices.Index(c.starts, n)
	if line < 1 {
		return false
	}
	before, next := c.words[n-1], c.words[n]
	last, _ := utf8.DecodeLastRuneInString(before.text)
	first, _ := utf8.DecodeRuneInString(next.text)
	switch {
	case last == softHyphen, script.IsEastAsian(last) && script.IsEastAsian(first):
		return true
	case c.starts[line-1] != n-1 || !unicode.IsLetter(last) || !unicode.IsLower(first):
		return false
	}
	letter := p.charBox(next.at[0])
	isFull := before.right-before.left+letter.right-letter.left > t.widths[column]-t.margins[column]
	isUnit := units[next.text] || longUnits[next.text]
	return isFull && (!hasVowel(next.text) && !isUnit || p.hasWord(before.text+strings.TrimRight(next.text, ".,;:)")))
}

// longUnits are units without a vowel, beside units.
var longUnits = map[string]bool{"mg": true, "ml": true, "dl": true, "mmHg": true, "min": true, "kJ": true, "kPa": true, "mV": true, "ms": true, "ng": true, "pg": true, "Hz": true, "bpm": true}

// hasVowel reports whether a text in Latin letters may be a word, which has a vowel.
func hasVowel(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII || strings.ContainsRune("aeiouyAEIOUY0123456789", c) })
}

// hasWord reports whether a word occurs on the page.
func (p *textPage) hasWord(word string) bool {
	rest := p.text
	for {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		next, _ := utf8.DecodeRuneInString(rest[i+len(word):])
		before, _ := utf8.DecodeLastRuneInString(rest[:i])
		if !isWordCharacter(next) && !isWordCharacter(before) {
			return true
		}
		rest = rest[i+len(word):]
	}
}
