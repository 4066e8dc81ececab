package sheet

import (
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/message"
)

// Hidden holds the rows and columns of a sheet that were hidden by hand. Rows that a filter or an
// outline hides do not count as hidden: the sheet shows that they exist, and a click shows them again.
type Hidden struct {
	rows     map[int]bool // by row number, from 1
	columns  []columnRange
	filtered []rowRange
	unread   bool // whether cells in them were left out
}

type columnRange struct{ first, last int } // from 0

type rowRange struct{ first, last int } // from 1

// AddRow adds a row, with its number from 1.
func (h *Hidden) AddRow(number int) {
	if h.rows == nil {
		h.rows = make(map[int]bool)
	}
	h.rows[number] = true
}

// AddColumns adds the columns from first to last, from 0.
func (h *Hidden) AddColumns(first, last int) {
	const most = 1 << 14
	if len(h.columns) < most {
		h.columns = append(h.columns, columnRange{first, last})
	}
}

// AddFilter records that a filter applies to the rows from first to last, counted from 1, so that
// hidden rows among them do not count as hidden by hand.
func (h *Hidden) AddFilter(first, last int) {
	const most = 1 << 10
	if len(h.filtered) < most {
		h.filtered = append(h.filtered, rowRange{first, last})
	}
}

// AddFilterOf is like AddFilter, for the rows of a range of cells such as A1:C50.
func (h *Hidden) AddFilterOf(cells string) {
	from, to, _ := strings.Cut(cells, ":")
	if to == "" {
		to = from
	}
	first, _, isFirst := ParseCellName(from)
	last, _, isLast := ParseCellName(to)
	if isFirst && isLast {
		h.AddFilter(first+1, last+1)
	}
}

// HasRows reports whether there are hidden rows.
func (h *Hidden) HasRows() bool { return len(h.rows) > 0 }

// IsEmpty reports whether nothing is hidden.
func (h *Hidden) IsEmpty() bool { return len(h.rows) == 0 && len(h.columns) == 0 }

// IsRowHidden reports whether a row is hidden, with its number from 1.
func (h *Hidden) IsRowHidden(number int) bool {
	return h.rows[number] && !slices.ContainsFunc(h.filtered, func(r rowRange) bool { return r.first <= number && number <= r.last })
}

// IsColumnHidden reports whether a column is hidden, with its number from 0.
func (h *Hidden) IsColumnHidden(column int) bool {
	return slices.ContainsFunc(h.columns, func(c columnRange) bool { return c.first <= column && column <= c.last })
}

// IsTextHidden reports whether a text that begins with the name of a cell, as comments do, is about a
// hidden cell.
func (h *Hidden) IsTextHidden(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	row, column, ok := ParseCellName(name)
	return ok && (h.IsRowHidden(row+1) || h.IsColumnHidden(column))
}

// RemoveHidden removes the hidden rows and columns of a table.
func (t *Table) RemoveHidden(h *Hidden) {
	if h.IsEmpty() {
		return
	}
	isHidden := make(map[int]bool)
	for _, c := range t.usedColumns() {
		isHidden[c] = h.IsColumnHidden(c)
	}
	rows := t.Rows[:0]
	for _, r := range t.Rows {
		if h.IsRowHidden(r.Number) {
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

// HiddenParts holds the names of the sheets of a workbook that are hidden, or that have hidden cells,
// to report them in a note.
type HiddenParts struct{ sheets, rowsOrColumns []string }

// AddSheet adds the name of a hidden sheet, unless t, the table of its cells, is empty.
func (p *HiddenParts) AddSheet(name string, t *Table) {
	if len(t.Rows) > 0 {
		p.sheets = append(p.sheets, markdown.OneLine(name))
	}
}

// AddCells adds the name of a sheet if hidden cells of it were left out.
func (p *HiddenParts) AddCells(name string, h *Hidden) {
	if h.unread {
		p.rowsOrColumns = append(p.rowsOrColumns, markdown.OneLine(name))
	}
}

// Notes returns notes that name the sheets of which something is not read because it is hidden.
func (p *HiddenParts) Notes() (notes []message.Message) {
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
// contains a note of HiddenParts.Notes or the reason of HiddenParts.ExplainNoText.
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
func (p *HiddenParts) ExplainNoText(err error) error {
	if err == extract.ErrNoText && len(p.sheets)+len(p.rowsOrColumns) > 0 {
		return errAllHidden
	}
	return err
}

var errAllHidden = extract.Skip("all text is in hidden sheets, rows or columns, which are not read")
