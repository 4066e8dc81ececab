package xlsx

import (
	"slices"

	"vademecum/docs/extract"
)

const maxSparse = 8 // a table may take so many times the space of its text

// A sheetTable holds the cells of a sheet that show something.
type sheetTable struct {
	rows  []sheetRow
	size  int // bytes of text
	cells int
	short bool // whether the sheet has more rows
}

type sheetRow struct {
	number int
	cells  []sheetCell
}

type sheetCell struct {
	column int // from 0
	text   string
}

// last returns the number of the last row.
func (t *sheetTable) last() int {
	if len(t.rows) == 0 {
		return 0
	}
	return t.rows[len(t.rows)-1].number
}

// order sorts rows, and the cells in them, that are not in order. Rows of one
// number become one, and cells of one column stand beside each other.
func (t *sheetTable) order() {
	byNumber := func(a, b sheetRow) int { return a.number - b.number }
	if !slices.IsSortedFunc(t.rows, byNumber) {
		slices.SortStableFunc(t.rows, byNumber)
	}
	rows := t.rows[:0]
	for _, r := range t.rows {
		if n := len(rows); n > 0 && rows[n-1].number == r.number {
			rows[n-1].cells = append(rows[n-1].cells, r.cells...)
			continue
		}
		rows = append(rows, r)
	}
	t.rows = rows
	for _, r := range t.rows {
		r.order()
	}
}

func (r *sheetRow) order() {
	byColumn := func(a, b sheetCell) int { return a.column - b.column }
	if !slices.IsSortedFunc(r.cells, byColumn) {
		slices.SortStableFunc(r.cells, byColumn)
	}
	next := 0
	for i := range r.cells {
		c := &r.cells[i]
		c.column = max(c.column, next)
		next = c.column + 1
	}
}

// columns returns the columns that are not empty, in order.
func (t *sheetTable) columns() []int {
	seen := make(map[int]bool)
	for _, r := range t.rows {
		for _, c := range r.cells {
			seen[c.column] = true
		}
	}
	columns := make([]int, 0, len(seen))
	for c := range seen {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	return columns
}

// writeTable writes a row of the sheet a line, without empty rows, columns and
// cells at the end. What stands alone above a table is written as its caption.
func (x *workbook) writeTable(t *sheetTable, p extract.Part) {
	columns := t.columns()
	places := make(map[int]int, len(columns))
	for i, c := range columns {
		places[c] = i
	}
	header := 0
	for len(columns) > 1 && header < len(t.rows) && len(t.rows[header].cells) == 1 {
		header++
	}
	if header == len(t.rows) {
		header = 0
	}
	next := 0 // the row that a part tells of the line to be written
	for i, r := range t.rows {
		if i <= header {
			x.w.EndBlock()
		}
		if i <= header || r.number != next {
			x.continues(p, r.number)
		}
		next = r.number + 1
		if i < header {
			x.w.Put(r.cells[0].text + "\n")
			continue
		}
		cells := t.line(r, places, i == header)
		x.w.Row(cells)
		if i == header {
			x.continues(p, 0) // the line below the header is no row
			x.w.Delimiter(len(cells))
			next = 0
		}
	}
	x.w.Tight = false
}

// continues begins a part on the next line, without a blank line before it.
func (x *workbook) continues(p extract.Part, row int) {
	p.Row, p.Start = row, x.w.Text.Len()
	x.w.Parts = append(x.w.Parts, p)
}

// line returns the cells of a row at their places. Where a table would be bars
// mostly, those that are empty are left out.
func (t *sheetTable) line(r sheetRow, places map[int]int, header bool) []string {
	width := places[r.cells[len(r.cells)-1].column] + 1
	if header {
		width = len(places)
	}
	if len(places)*len(t.rows) > maxSparse*(t.size+1<<20) {
		cells := make([]string, len(r.cells))
		for i, c := range r.cells {
			cells[i] = c.text
		}
		return cells
	}
	cells := make([]string, width)
	for _, c := range r.cells {
		cells[places[c.column]] = c.text
	}
	return cells
}
