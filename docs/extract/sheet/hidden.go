package sheet

import (
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/message"
)

// HiddenRanges are the rows and columns of a sheet that were hidden by hand, and the merged cells, which may
// be hidden in part. Rows and columns that a filter or an outline hides are not among them: the sheet
// shows that they are there, and a click makes them visible.
type HiddenRanges struct {
	rows     map[int]bool // by row number, from 1
	columns  []columnRange
	filtered []rowRange
	merges   []Merge
	unread   bool // whether RemoveHidden has removed any cells
}

type columnRange struct{ first, last int } // from 0

type rowRange struct{ first, last int } // from 1

// AddRow records that a row is hidden, given its number from 1.
func (h *HiddenRanges) AddRow(number int) {
	if h.rows == nil {
		h.rows = make(map[int]bool)
	}
	h.rows[number] = true
}

// AddColumns records that the columns from first to last, counted from 0, are hidden.
func (h *HiddenRanges) AddColumns(first, last int) {
	const most = 1 << 14
	if len(h.columns) < most {
		h.columns = append(h.columns, columnRange{first, last})
	}
}

// ExemptFilteredRows records that a filter applies to the rows from first to last, counted from 1, so that
// hidden rows among them do not count as hidden by hand.
func (h *HiddenRanges) ExemptFilteredRows(first, last int) {
	const most = 1 << 10
	if len(h.filtered) < most {
		h.filtered = append(h.filtered, rowRange{first, last})
	}
}

// ExemptFilteredCells is like ExemptFilteredRows, for the rows of a range of cells such as A1:C50.
func (h *HiddenRanges) ExemptFilteredCells(cells string) {
	from, to, _ := strings.Cut(cells, ":")
	if to == "" {
		to = from
	}
	first, _, isFirst := ParseCellName(from)
	last, _, isLast := ParseCellName(to)
	if isFirst && isLast {
		h.ExemptFilteredRows(first+1, last+1)
	}
}

// HasRows reports whether there are hidden rows.
func (h *HiddenRanges) HasRows() bool { return len(h.rows) > 0 }

// isRowHidden reports whether a row is hidden, with its number from 1.
func (h *HiddenRanges) isRowHidden(number int) bool {
	return h.rows[number] && !slices.ContainsFunc(h.filtered, func(r rowRange) bool { return r.first <= number && number <= r.last })
}

// isColumnHidden reports whether a column is hidden, with its number from 0. The columns must be joined.
func (h *HiddenRanges) isColumnHidden(column int) bool {
	i, _ := slices.BinarySearchFunc(h.columns, column, func(c columnRange, column int) int { return c.last - column })
	return i < len(h.columns) && h.columns[i].first <= column
}

// joinColumns sorts the ranges of columns and joins those that overlap, so that they can be searched.
func (h *HiddenRanges) joinColumns() {
	slices.SortFunc(h.columns, func(a, b columnRange) int { return a.first - b.first })
	joined := h.columns[:0]
	for _, c := range h.columns {
		if n := len(joined); n > 0 && c.first <= joined[n-1].last+1 {
			joined[n-1].last = max(joined[n-1].last, c.last)
			continue
		}
		joined = append(joined, c)
	}
	h.columns = joined
}

// IsTextOfHiddenCell reports whether a text that begins with the name of a cell, as comments do, is about a
// hidden cell.
func (h *HiddenRanges) IsTextOfHiddenCell(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	row, column, ok := ParseCellName(name)
	return ok && (h.isRowHidden(row+1) || h.isColumnHidden(column))
}

// RemoveHidden removes the hidden rows and columns of a table, whose rows must be sorted, and repeats
// merged cells in the rows that are left.
func (t *Table) RemoveHidden(h *HiddenRanges) {
	defer t.repeatMerged(h)
	if len(h.rows) == 0 && len(h.columns) == 0 {
		return
	}
	h.joinColumns()
	t.moveMerged(h)
	isHidden := make(map[int]bool)
	for _, c := range t.usedColumns() {
		isHidden[c] = h.isColumnHidden(c)
	}
	rows := t.Rows[:0]
	for _, r := range t.Rows {
		if h.isRowHidden(r.Number) {
			h.unread = true
			continue
		}
		before := len(r.Cells)
		r.Cells = slices.DeleteFunc(r.Cells, func(c Cell) bool { return isHidden[c.Column] })
		h.unread = h.unread || len(r.Cells) < before
		if len(r.Cells) > 0 {
			rows = append(rows, r)
		}
	}
	clear(t.Rows[len(rows):])
	t.Rows = rows
}

// HiddenPartsReport holds the names of the sheets of a workbook that are hidden, or that have hidden cells,
// to report them in a note.
type HiddenPartsReport struct{ sheets, rowsOrColumns []string }

// AddHiddenSheet adds the name of a hidden sheet, unless t, the table of its cells, is empty.
func (p *HiddenPartsReport) AddHiddenSheet(name string, t *Table) {
	if len(t.Rows) > 0 {
		p.sheets = append(p.sheets, markdown.OneLine(name))
	}
}

// AddSheetWithHiddenCells adds the name of a sheet if hidden cells of it were left out.
func (p *HiddenPartsReport) AddSheetWithHiddenCells(name string, h *HiddenRanges) {
	if h.unread {
		p.rowsOrColumns = append(p.rowsOrColumns, markdown.OneLine(name))
	}
}

// Notes returns notes that name the sheets of which something is not read because it is hidden.
func (p *HiddenPartsReport) Notes() (notes []message.Message) {
	const most = 10 // sheets that are named
	list := func(names []string) string { return strings.Join(names[:min(len(names), most)], ", ") }
	if len(p.sheets) > 0 {
		notes = append(notes, message.New("hidden sheets are not read: %s", list(p.sheets)))
	}
	if len(p.rowsOrColumns) > 0 {
		notes = append(notes, message.New("hidden rows or columns are not read, in: %s", list(p.rowsOrColumns)))
	}
	return notes
}

// MentionsHiddenParts reports whether the note on a document, or the reason why it is not indexed,
// contains a note of HiddenPartsReport.Notes or the reason of HiddenPartsReport.ExplainNoText.
func MentionsHiddenParts(note message.Message) bool {
	for _, part := range []string{"hidden sheets are not read", "hidden rows or columns are not read", "all text is in hidden sheets"} {
		if strings.Contains(string(note), part) { // the stored form contains the formats of joined messages, too
			return true
		}
	}
	return false
}

// ExplainNoText returns the error for a workbook without text, given the error err of its reader: if
// all its text is hidden, an error that says so, otherwise err.
func (p *HiddenPartsReport) ExplainNoText(err error) error {
	if err == extract.ErrNoText && len(p.sheets)+len(p.rowsOrColumns) > 0 {
		return errAllHidden
	}
	return err
}

var errAllHidden = extract.Skip("all text is in hidden sheets, rows or columns, which are not read")
