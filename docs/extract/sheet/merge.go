package sheet

import (
	"slices"
	"strings"

	"vademecum/docs/extract/markdown"
)

// A Merge is a range of cells that are shown as one, with the text of the first. Rows count from 1, columns
// from 0.
type Merge struct{ FirstRow, LastRow, FirstColumn, LastColumn int }

// Limits of what is done about merged cells, far above those of real sheets.
const (
	maxMerges   = 1 << 16
	maxSearched = 1 << 22 // rows and columns that are looked at
)

// AddMerge adds cells that are shown as one.
func (h *HiddenRanges) AddMerge(m Merge) {
	isSeveral := m.FirstRow < m.LastRow || m.FirstColumn < m.LastColumn
	if isSeveral && len(h.merges) < maxMerges {
		h.merges = append(h.merges, m)
	}
}

// AddMergedCells adds the cells in a range such as A1:C2, which are shown as one.
func (h *HiddenRanges) AddMergedCells(cells string) {
	from, to, _ := strings.Cut(cells, ":")
	firstRow, firstColumn, isFirst := ParseCellName(from)
	lastRow, lastColumn, isLast := ParseCellName(to)
	if isFirst && isLast {
		h.AddMerge(Merge{firstRow + 1, lastRow + 1, firstColumn, lastColumn})
	}
}

// moveMerged moves the text of merged cells of which the first is hidden to the first that is shown, as
// spreadsheet programs show it there. The rows of the table must be sorted.
func (t *Table) moveMerged(h *HiddenRanges) {
	searched := 0
	first := func(from, to int, isHidden func(int) bool) (shown int, ok bool) {
		for n := from; n <= to && searched < maxSearched; n++ {
			if searched++; !isHidden(n) {
				return n, true
			}
		}
		return 0, false
	}
	var moved []Row
	for _, m := range h.merges {
		row, isRowShown := first(m.FirstRow, m.LastRow, h.isRowHidden)
		column, isColumnShown := first(m.FirstColumn, m.LastColumn, h.isColumnHidden)
		if !isRowShown || !isColumnShown || row == m.FirstRow && column == m.FirstColumn {
			continue
		}
		if c, ok := t.takeCell(m.FirstRow, m.FirstColumn); ok {
			t.takeCell(row, column) // which is not shown
			moved = append(moved, Row{row, []Cell{{column, c.Text}}})
		}
	}
	if len(moved) > 0 {
		t.Rows = slices.DeleteFunc(append(t.Rows, moved...), func(r Row) bool { return len(r.Cells) == 0 })
		t.SortRows()
	}
}

// repeatMerged writes the text of merged cells that span several rows in each of those that has other cells,
// because a row is often read without the rows above it. The rows of the table must be sorted.
func (t *Table) repeatMerged(h *HiddenRanges) {
	budget := maxSearched
	for _, m := range h.merges {
		for m.FirstRow < m.LastRow && budget > 0 && h.isRowHidden(m.FirstRow) {
			m.FirstRow++
			budget--
		}
		at, ok := slices.BinarySearchFunc(t.Rows, m.FirstRow, func(r Row, number int) int { return r.Number - number })
		if !ok || m.FirstRow == m.LastRow {
			continue
		}
		n, ok := t.Rows[at].find(m)
		if !ok {
			continue
		}
		c := t.Rows[at].Cells[n]
		if c.Text = markdown.RepeatedCellText(c.Text); c.Text == "" {
			continue
		}
		for at++; at < len(t.Rows) && t.Rows[at].Number <= m.LastRow && budget > 0; at++ {
			r := &t.Rows[at]
			budget -= 1 + len(r.Cells)/16
			n, isFilled := r.find(m)
			if isFilled {
				continue
			}
			if !t.CountTowardsLimit(c.Text) {
				return
			}
			r.Cells = slices.Insert(slices.Clone(r.Cells), n, c) // rows that are repeated share their cells
		}
	}
}

// find returns the index of the first cell of the row in the columns of a merge, or where it would be.
func (r *Row) find(m Merge) (index int, ok bool) {
	n, _ := slices.BinarySearchFunc(r.Cells, m.FirstColumn, func(c Cell, column int) int { return c.Column - column })
	return n, n < len(r.Cells) && r.Cells[n].Column <= m.LastColumn
}

// takeCell removes a cell and returns it; ok is false if it has no text.
func (t *Table) takeCell(row, column int) (c Cell, ok bool) {
	i, ok := slices.BinarySearchFunc(t.Rows, row, func(r Row, number int) int { return r.Number - number })
	if !ok {
		return Cell{}, false
	}
	r := &t.Rows[i]
	n, ok := slices.BinarySearchFunc(r.Cells, column, func(c Cell, column int) int { return c.Column - column })
	if !ok {
		return Cell{}, false
	}
	c = r.Cells[n]
	r.Cells = slices.Delete(slices.Clone(r.Cells), n, n+1) // rows that are repeated share their cells
	return c, true
}
