package xlsx

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
)

// Limits of a sheet (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4, as Excel has them).
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// A sheetReader reads the cells of a sheet (ECMA-376 part 1, 18.3.1.80), and
// its headers and footers. It goes by names rather than by structure, as a
// sheet may have millions of elements.
type sheetReader struct {
	x       *zipxml.Reader
	formats *cellFormats
	texts   *sharedTexts
	table   sheet.Table
	headers []string
	open    []string // elements that are being read
	state   sheetState
	broken  bool // the rest of the row is not read
	row     sheet.Row
	column  int // of the last cell, from 1
	kind    string
	style   int
	value   []byte // of the cell, or the header
	taking  bool   // the text that follows belongs to the value
	spoken  int    // open phonetic runs
}

type sheetState uint8

const (
	beforeCells sheetState = iota
	inCells
	afterCells
)

// read reads a sheet as far as it goes.
func (r *sheetReader) read() {
	for {
		switch t := r.x.NextToken().(type) {
		case nil:
			if r.state == inCells {
				r.finish()
				r.table.IsTruncated = true
			}
			r.table.SortRows()
			return
		case xml.StartElement:
			r.start(zipxml.Element{Name: t.Name.Local, Attributes: t.Attr})
		case xml.CharData:
			if r.taking && len(r.value)+len(t) <= zipxml.MaxToken {
				r.value = append(r.value, t...)
			}
		case xml.EndElement:
			r.end(t.Name.Local)
		}
	}
}

func (r *sheetReader) start(e zipxml.Element) {
	if len(r.open) > extract.MaxDepth {
		r.x.Err = extract.ErrTooDeep
		return
	}
	if r.inHeader() {
		r.value, r.taking = r.value[:0], true
	}
	r.open = append(r.open, e.Name)
	if e.Name == "sheetData" && r.state == beforeCells {
		r.state = inCells
	}
	if r.state == inCells {
		r.startCell(e)
	}
}

// inHeader tells whether the headers and footers of the sheet are being read,
// not those of a view of it.
func (r *sheetReader) inHeader() bool {
	n := len(r.open)
	return n > 0 && r.open[n-1] == "headerFooter" && !slices.Contains(r.open, "customSheetView")
}

func (r *sheetReader) startCell(e zipxml.Element) {
	switch e.Name {
	case "row":
		r.startRow(e.Attribute("r"))
	case "c":
		r.column++
		r.kind, r.style, r.value, r.spoken = "", 0, r.value[:0], 0
		for _, a := range e.Attributes {
			switch a.Name.Local {
			case "r":
				r.place(a.Value)
			case "s":
				r.style, _ = strconv.Atoi(a.Value) // otherwise as without one
			case "t":
				r.kind = a.Value
			}
		}
	case "v":
		r.taking = true
	case "t":
		r.taking = r.spoken == 0
	case "rPh":
		r.spoken++
	}
}

// startRow begins the row of a number, or the next one.
func (r *sheetReader) startRow(number string) {
	r.finish()
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 {
		n = r.row.Number + 1
	}
	r.row, r.column, r.broken = sheet.Row{Number: n}, 0, n > lastRow
	if n > lastRow {
		r.stop()
	}
}

// stop ends the cells before their end.
func (r *sheetReader) stop() {
	r.state, r.taking, r.table.IsTruncated = afterCells, false, true
}

// place reads the column in the name of a cell, such as $B$7.
func (r *sheetReader) place(name string) {
	column, i := 0, 0
	for ; i < len(name) && column <= lastColumn; i++ {
		c := name[i] &^ 0x20
		if name[i] == '$' {
			continue
		}
		if c < 'A' || c > 'Z' {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	if column == 0 || column > lastColumn || i == len(name) || name[i] < '1' || name[i] > '9' {
		r.broken, r.table.IsTruncated = true, true
		return
	}
	r.column = column
}

func (r *sheetReader) end(name string) {
	n := len(r.open)
	if n == 0 || r.open[n-1] != name {
		if r.state == inCells {
			r.finish()
			r.stop()
		}
		r.open = r.open[:0]
		return
	}
	r.open = r.open[:n-1]
	switch {
	case r.inHeader():
		r.header(string(r.value))
		r.taking = false
	case r.state == inCells:
		r.endCell(name)
	}
}

func (r *sheetReader) endCell(name string) {
	switch name {
	case "v", "t":
		r.taking = false
	case "rPh":
		r.spoken--
	case "c":
		if len(r.value) > 0 && !r.broken {
			r.add()
		}
	case "row":
		r.finish()
	case "sheetData":
		r.finish()
		r.state = afterCells
	}
}

// add adds the cell that was read to its row.
func (r *sheetReader) add() {
	text := r.shown(string(r.value))
	if text = markdown.OneLine(unescapeOffice(text)); text == "" {
		return
	}
	r.row.Cells = append(r.row.Cells, sheet.Cell{Column: r.column - 1, Text: text})
	if !r.table.CountCell(text) {
		r.finish()
		r.stop()
		r.x.Err = extract.ErrTooMuchText
	}
}

// shown returns what a cell shows for its value (ECMA-376 part 1, 18.18.11).
func (r *sheetReader) shown(value string) string {
	switch r.kind {
	case "s":
		return r.formats.text(r.style, r.texts.at(value))
	case "str", "inlineStr":
		return r.formats.text(r.style, value)
	case "b":
		switch value {
		case "1":
			return "TRUE"
		case "0":
			return "FALSE"
		}
		return value
	case "d":
		return r.formats.date(r.style, value)
	case "e":
		return value
	}
	return r.formats.number(r.style, value)
}

// finish adds the row that was read to the table.
func (r *sheetReader) finish() {
	if len(r.row.Cells) > 0 {
		r.table.Rows = append(r.table.Rows, r.row)
	}
	r.row.Cells = nil
}

// header adds the text of a header or footer.
func (r *sheetReader) header(text string) {
	text = sheet.PlainHeaderText(text)
	if text != "" && !slices.Contains(r.headers, text) && len(r.headers) < extract.MaxDepth {
		r.headers = append(r.headers, text)
	}
}

// cellNumber returns the number that a value is.
func cellNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "+-.0123456789Ee") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
