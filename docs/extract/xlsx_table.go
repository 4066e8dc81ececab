package extract

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

const (
	maxEmpty  = 32 << 20 // empty cells of a sheet before others in their rows
	maxSparse = 8        // a table may take so many times the space of its text
)

// A sheetTable holds the cells of a sheet that show something.
type sheetTable struct {
	rows  []sheetRow
	size  int  // bytes of text
	empty int  // cells before others in their rows
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

// readTable reads the cells of a sheet.
func (x *xlsxReader) readTable(t *sheetTable, data []byte) error {
	end := bytes.LastIndex(data, []byte("sheetData"))
	if end < 0 {
		return nil
	}
	x.cells.Pkg.Store(cellsPath, markShared(data))
	rows, err := x.cells.Rows(cellsName)
	if err != nil {
		return err
	}
	number := 0
	for rows.Next() {
		number++
		values, err := rows.Columns()
		if err != nil {
			t.short = true // a cell without a valid name: the row ends there
		}
		t.add(number, values, x.texts)
		if number == excelize.TotalRows || t.empty > maxEmpty || t.size > maxText {
			t.short = number < lastRow(data)
			return nil
		}
	}
	opened := bytes.HasPrefix(data[end:], []byte("sheetData>")) && bytes.HasSuffix(data[:end], []byte("<"))
	t.short = t.short || opened || number < lastRow(data)
	return rows.Error()
}

// lastRow returns the number that the last row of a sheet has, which excelize
// does not reach if the rows before it are damaged.
func lastRow(data []byte) int {
	i := bytes.LastIndex(data, []byte(`row r="`))
	if i < 0 {
		return 0
	}
	digits, _, _ := bytes.Cut(data[i+len(`row r="`):], []byte(`"`))
	n, err := strconv.Atoi(string(digits[:min(len(digits), 9)]))
	if err != nil {
		return 0
	}
	return n
}

func (t *sheetTable) add(number int, values []string, texts *sharedTexts) {
	var cells []sheetCell
	for column, v := range values {
		if number, ok := strings.CutPrefix(v, sharedMark); ok {
			v = texts.at(number)
		}
		if v = oneLine(unescapeOffice(v)); v != "" {
			cells = append(cells, sheetCell{column, v})
			t.size += len(v)
		}
	}
	t.empty += len(values) - len(cells)
	if cells != nil {
		t.rows = append(t.rows, sheetRow{number, cells})
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
func (x *xlsxReader) writeTable(t *sheetTable, p Part) {
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
			x.w.block()
		}
		if i <= header || r.number != next {
			x.continues(p, r.number)
		}
		next = r.number + 1
		if i < header {
			x.w.write(r.cells[0].text + "\n")
			continue
		}
		cells := t.line(r, places, i == header)
		x.w.row(cells)
		if i == header {
			x.continues(p, 0) // the line below the header is no row
			x.w.delimiter(len(cells))
			next = 0
		}
	}
	x.w.tight = false
}

// continues begins a part on the next line, without a blank line before it.
func (x *xlsxReader) continues(p Part, row int) {
	p.Row, p.Start = row, x.w.text.Len()
	x.w.parts = append(x.w.parts, p)
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
