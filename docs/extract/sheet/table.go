// Package sheet holds the visible text of spreadsheet cells and writes it as a table, one row per
// line, recording the row number of each line. It does not depend on how a format stores cells.
package sheet

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

const maxSparse = 8 // maximum ratio of a table's size to that of its text

// A Table holds the cells of a sheet with visible text.
type Table struct {
	Rows        []Row
	IsTruncated bool // whether the sheet has more rows
	textBytes   int  // bytes of text
	cellCount   int
}

// A Row is a row with visible cells.
type Row struct {
	Number int // from 1
	Cells  []Cell
}

// A Cell is a cell with visible text.
type Cell struct {
	Column int    // from 0
	Text   string // on one line
}

// CountCell counts a cell with that text. It reports whether the table is still within the size
// limit.
func (t *Table) CountCell(text string) bool {
	t.textBytes += len(text)
	t.cellCount++
	return t.textBytes+t.cellCount*len(" | ") <= extract.MaxTextSize
}

// LastRowNumber returns the number of the last row.
func (t *Table) LastRowNumber() int {
	if len(t.Rows) == 0 {
		return 0
	}
	return t.Rows[len(t.Rows)-1].Number
}

// SortRows sorts the rows and the cells in them. Rows with the same number are merged, and cells of
// the same column are kept side by side.
func (t *Table) SortRows() {
	byNumber := func(a, b Row) int { return a.Number - b.Number }
	if !slices.IsSortedFunc(t.Rows, byNumber) {
		slices.SortStableFunc(t.Rows, byNumber)
	}
	rows := t.Rows[:0]
	for _, r := range t.Rows {
		if n := len(rows); n > 0 && rows[n-1].Number == r.Number {
			rows[n-1].Cells = append(rows[n-1].Cells, r.Cells...)
			continue
		}
		rows = append(rows, r)
	}
	t.Rows = rows
	for _, r := range t.Rows {
		r.sortCells()
	}
}

func (r *Row) sortCells() {
	byColumn := func(a, b Cell) int { return a.Column - b.Column }
	if !slices.IsSortedFunc(r.Cells, byColumn) {
		slices.SortStableFunc(r.Cells, byColumn)
	}
	next := 0
	for i := range r.Cells {
		c := &r.Cells[i]
		c.Column = max(c.Column, next)
		next = c.Column + 1
	}
}

// usedColumns returns the non-empty columns, in order.
func (t *Table) usedColumns() []int {
	seen := make(map[int]bool)
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			seen[c.Column] = true
		}
	}
	columns := make([]int, 0, len(seen))
	for c := range seen {
		columns = append(columns, c)
	}
	slices.Sort(columns)
	return columns
}

// Write writes a sheet: its name, its table, and the texts outside the cells.
func (t *Table) Write(w *markdown.Writer, p extract.Part, beside []string) {
	if len(t.Rows) == 0 && len(beside) == 0 {
		return
	}
	w.BeginPart(p)
	w.WriteHeading(2, p.Name)
	t.writeRows(w, p)
	if len(beside) > 0 {
		continuePart(w, p, 0) // the blank line is not a row either
	}
	for _, text := range beside {
		w.WriteParagraph(text)
	}
}

// WriteNamed writes one of several tables of the sheet p, under its name if it has one. The part p
// must have been begun.
func (t *Table) WriteNamed(w *markdown.Writer, p extract.Part, name string) {
	if len(t.Rows) == 0 {
		return
	}
	w.EndBlock()
	continuePart(w, p, 0) // neither the blank line nor the name is a row
	w.WriteHeading(3, name)
	t.writeRows(w, p)
}

// writeRows writes each row on a line of the part p, without trailing empty rows, columns and
// cells. A single cell above a table is written as its caption.
func (t *Table) writeRows(w *markdown.Writer, p extract.Part) {
	columns := t.usedColumns()
	places := make(map[int]int, len(columns))
	for i, c := range columns {
		places[c] = i
	}
	header := 0
	for len(columns) > 1 && header < len(t.Rows) && len(t.Rows[header].Cells) == 1 {
		header++
	}
	if header == len(t.Rows) {
		header = 0
	}
	next := 0 // the row number that the current part implies for the next line
	for i, r := range t.Rows {
		if i <= header {
			w.EndBlock()
		}
		if i <= header || r.Number != next {
			continuePart(w, p, r.Number)
		}
		next = r.Number + 1
		if i < header {
			w.WriteRaw(r.Cells[0].Text + "\n")
			continue
		}
		cells := t.rowTexts(r, places, i == header)
		w.WriteRow(cells)
		if i == header {
			continuePart(w, p, 0) // the delimiter line is not a row
			w.WriteDelimiterRow(len(cells))
			next = 0
		}
	}
	w.JoinNextBlock = false
}

// continuePart begins another part for the same sheet on the next line, without a blank line before
// it.
func continuePart(w *markdown.Writer, p extract.Part, row int) {
	p.Row, p.Start = row, w.Text.Len()
	w.Parts = append(w.Parts, p)
}

// rowTexts returns the cells of a row in their columns. Empty cells are left out if the table would
// otherwise consist mostly of bars.
func (t *Table) rowTexts(r Row, places map[int]int, header bool) []string {
	width := places[r.Cells[len(r.Cells)-1].Column] + 1
	if header {
		width = len(places)
	}
	if len(places)*len(t.Rows) > maxSparse*(t.textBytes+1<<20) {
		cells := make([]string, len(r.Cells))
		for i, c := range r.Cells {
			cells[i] = c.Text
		}
		return cells
	}
	cells := make([]string, width)
	for _, c := range r.Cells {
		cells[places[c.Column]] = c.Text
	}
	return cells
}
