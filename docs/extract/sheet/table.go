// Package sheet holds the visible text of spreadsheet cells and writes it as a table, one row per
// line, recording the row number of each line. It does not depend on how a format stores cells.
package sheet

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

const maxSparse = 8 // maximum ratio of the size of a table to that of its text

// A Table holds those cells of a sheet that have visible text.
type Table struct {
	Rows        []Row
	IsTruncated bool // whether the sheet has more rows, which were not read
	textBytes   int  // total bytes of text in the cells
	cellCount   int
}

// A Row is a row of a sheet with its cells that have visible text.
type Row struct {
	Number int // row number, from 1
	Cells  []Cell
}

// A Cell is a cell of a row that has visible text.
type Cell struct {
	Column int    // column number, from 0
	Text   string // visible text on one line
}

// CountTowardsLimit counts the text of a cell that is to be added towards the size limit, and reports
// whether the table is still within it.
func (t *Table) CountTowardsLimit(text string) (isWithinLimit bool) {
	t.textBytes += len(text)
	t.cellCount++
	return t.textBytes+t.cellCount*len(" | ") <= extract.MaxTextBytes
}

// LastRowNumber returns the number of the last row, or 0 if there is none.
func (t *Table) LastRowNumber() int {
	if len(t.Rows) == 0 {
		return 0
	}
	return t.Rows[len(t.Rows)-1].Number
}

// SortRows sorts the rows and the cells in them. Rows with the same number are merged; cells in the
// same column are kept side by side.
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

// usedColumns returns the numbers of the columns that are not empty, in order.
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

// Write writes the sheet p as a part: its name, its table, and textsBeside, the texts outside the
// cells. It writes nothing if there are neither cells nor such texts.
func (t *Table) Write(w *markdown.Writer, p extract.Part, textsBeside []string) {
	if len(t.Rows) == 0 && len(textsBeside) == 0 {
		return
	}
	w.BeginPart(p)
	w.WriteHeading(2, p.Name)
	t.writeRows(w, p)
	if len(textsBeside) > 0 {
		continuePart(w, p, 0) // the blank line after the table is not a row either
	}
	for _, text := range textsBeside {
		w.WriteParagraph(text)
	}
}

// WriteNamed writes the table as one of several of the sheet p, under its name if it has one. The
// part p must have begun.
func (t *Table) WriteNamed(w *markdown.Writer, p extract.Part, name string) {
	if len(t.Rows) == 0 {
		return
	}
	w.EndBlock()
	continuePart(w, p, 0) // neither the blank line before the table nor its name is a row
	w.WriteHeading(3, name)
	t.writeRows(w, p)
}

// writeRows writes each row on a line of the part p, without trailing empty rows, columns and
// cells. Single cells above a table are written as its caption.
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
	next := 0 // number of the row that the next line counts as
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
		w.WriteTableRow(cells)
		if i == header {
			continuePart(w, p, 0) // the delimiter line is not a row
			w.WriteDelimiterRow(len(cells))
			next = 0
		}
	}
	w.JoinNextBlock = false
}

// continuePart begins another part for the sheet p on the next line, which is the row with that
// number, or no row if row is 0.
func continuePart(w *markdown.Writer, p extract.Part, row int) {
	p.FirstRow, p.StartByte = row, w.Text.Len()
	w.Parts = append(w.Parts, p)
}

// rowTexts returns the texts of the cells of a row at their places. Empty cells are left out if the
// table would otherwise consist mostly of bars.
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
