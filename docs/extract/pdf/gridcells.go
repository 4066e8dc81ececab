package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// sameBaseline is the maximum difference in height of words on one line, in points.
const sameBaseline = 2.0

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
