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

// Limits of Excel for a sheet (ECMA-376 part 1, 18.3.1.73 and 18.3.1.4).
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// A sheetReader reads the cells of a sheet (ECMA-376 part 1, 18.3.1.80), and its headers and
// footers. It does not track the structure around the elements it reads, as a sheet may have
// millions.
type sheetReader struct {
	x             *zipxml.Reader
	formats       *cellFormats
	texts         *sharedTexts
	table         sheet.Table
	headers       []string
	openElements  []string // names of the elements that enclose the current one
	state         sheetState
	rowIsBroken   bool // whether the rest of the row is ignored, because of an error in it
	row           sheet.Row
	column        int // number of the column of the last cell, from 1
	kind          string
	style         int
	value         []byte    // text of the current cell or header
	inValue       bool      // whether text that follows belongs to value or inline
	inline        *richText // text of the current cell if the cell itself contains it, otherwise nil
	plain         int       // how many bytes at the start of value have the font of the cell, or markdown.AllInCellFont
	phoneticDepth int       // number of open phonetic runs
	hidden        sheet.HiddenRanges
	isFiltered    bool // whether the sheet has a filter that hides rows, and its range has not been read
	filter        filter
	conditional   conditionalFormats
}

type sheetState uint8

const (
	beforeCells sheetState = iota
	inCells
	afterCells
)

// read reads a sheet, up to the first damage.
func (r *sheetReader) read() {
	for {
		switch t := r.x.NextToken().(type) {
		case nil:
			if r.state == inCells {
				r.finishRow()
				r.table.IsTruncated = true
			}
			if r.isFiltered {
				r.hidden.ExemptFilteredRows(1, lastRow)
			}
			r.table.SortRows()
			return
		case xml.StartElement:
			r.startElement(zipxml.Element{Name: t.Name.Local, Attributes: t.Attr})
		case xml.CharData:
			r.addText(t)
		case xml.EndElement:
			r.endElement(t.Name.Local)
		}
	}
}

// addText adds text to the value of the current cell or header.
func (r *sheetReader) addText(text []byte) {
	switch {
	case !r.inValue:
	case r.inline == nil && len(r.value)+len(text) <= zipxml.DefaultMaxTokenBytes:
		r.value = append(r.value, text...)
	case r.inline != nil && r.inline.text.Len()+len(text) <= zipxml.DefaultMaxTokenBytes:
		r.inline.add(string(text))
	}
}

func (r *sheetReader) startElement(e zipxml.Element) {
	if len(r.openElements) > extract.MaxNestingDepth {
		r.x.Err = extract.ErrNestedTooDeeply
		return
	}
	if r.inHeader() {
		r.value, r.inValue = r.value[:0], true
	}
	r.openElements = append(r.openElements, e.Name)
	if e.Name == "sheetData" && r.state == beforeCells {
		r.state = inCells
	}
	if r.state == inCells {
		r.startCell(e)
	} else {
		r.readLayout(e)
	}
}

// inHeader reports whether a header or footer of the sheet is being read, rather than one of a
// custom view.
func (r *sheetReader) inHeader() bool {
	n := len(r.openElements)
	return n > 0 && r.openElements[n-1] == "headerFooter" && !slices.Contains(r.openElements, "customSheetView")
}

func (r *sheetReader) startCell(e zipxml.Element) {
	switch e.Name {
	case "row":
		r.startRow(e.Attribute("r"))
		if isHiddenByHand(e) {
			r.hidden.AddRow(r.row.Number)
		}
	case "c":
		r.column++
		r.kind, r.style, r.value, r.inline, r.plain, r.phoneticDepth = "", 0, r.value[:0], nil, markdown.AllInCellFont, 0
		for _, a := range e.Attributes {
			switch a.Name.Local {
			case "r":
				r.setColumn(a.Value)
			case "s":
				r.style, _ = strconv.Atoi(a.Value) // on error, 0, which is the default style
			case "t":
				r.kind = a.Value
			}
		}
	case "is":
		r.inline = new(richText)
	case "r", "rPr", "strike", "vertAlign":
		if r.inline != nil {
			r.inline.readFormat(e)
		}
	case "v":
		r.inValue = true
	case "t":
		r.inValue = r.phoneticDepth == 0
	case "rPh":
		r.phoneticDepth++
	}
}

// startRow begins the row with that number, or the next row if number is not a row number.
func (r *sheetReader) startRow(number string) {
	r.finishRow()
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 {
		n = r.row.Number + 1
	}
	r.row, r.column, r.rowIsBroken = sheet.Row{Number: n}, 0, n > lastRow
	if n > lastRow {
		r.stopCells()
	}
}

// stopCells stops reading the cells of the sheet before their end.
func (r *sheetReader) stopCells() {
	r.state, r.inValue, r.inline, r.table.IsTruncated = afterCells, false, nil, true
}

// setColumn sets the current column to the one in the name of a cell, such as $B$7.
func (r *sheetReader) setColumn(name string) {
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
		r.rowIsBroken, r.table.IsTruncated = true, true
		return
	}
	r.column = column
}

func (r *sheetReader) endElement(name string) {
	n := len(r.openElements)
	if n == 0 || r.openElements[n-1] != name {
		if r.state == inCells {
			r.finishRow()
			r.stopCells()
		}
		r.openElements = r.openElements[:0]
		return
	}
	r.openElements = r.openElements[:n-1]
	switch {
	case r.inHeader():
		r.addHeader(string(r.value))
		r.inValue = false
	case r.state == inCells:
		r.endCell(name)
	case name == "formula":
		r.conditional.texts, r.inValue = append(r.conditional.texts, string(r.value)), false
	case name == "cfRule":
		r.conditional.finishRule(r.formats.isStruckIf(r.conditional.rule.NumberAttribute("dxfId", -1)))
	}
}

func (r *sheetReader) endCell(name string) {
	switch name {
	case "v", "t":
		r.inValue = false
	case "rPh":
		r.phoneticDepth--
	case "is":
		if r.inline != nil {
			if r.inline.isRich {
				r.plain = r.inline.plain
			}
			r.value, r.inline = append(r.value, r.inline.text.String()...), nil
		}
	case "c":
		if len(r.value) > 0 && !r.rowIsBroken {
			r.addCell()
		}
	case "row":
		r.finishRow()
	case "sheetData":
		r.finishRow()
		r.state = afterCells
	}
}

// addCell adds the current cell to its row.
func (r *sheetReader) addCell() {
	text := r.shownValue(string(r.value))
	if text = markdown.OneLine(unescapeOffice(text)); text == "" {
		return
	}
	if r.conditional.row != nil {
		r.conditional.row[r.column-1] = r.rawValue(text)
	}
	r.row.Cells = append(r.row.Cells, sheet.Cell{Column: r.column - 1, Text: text})
	if !r.table.CountTowardsLimit(text) {
		r.finishRow()
		r.stopCells()
		r.x.Err = extract.ErrTooMuchText
	}
}

// rawValue returns the value of the current cell, whose displayed form is text.
func (r *sheetReader) rawValue(text string) cellValue {
	if r.kind == "s" || r.kind == "str" || r.kind == "inlineStr" {
		return parseValue(r.kind, text)
	}
	return parseValue(r.kind, string(r.value))
}

// shownValue returns the displayed form of the value of the current cell, with marks if its font is
// struck out.
func (r *sheetReader) shownValue(value string) string {
	isText := r.kind == "s" || r.kind == "str" || r.kind == "inlineStr"
	if r.kind == "s" {
		value, r.plain = r.texts.textAt(value)
	} else if r.kind == "str" { // other texts have no marks but their own
		value = markdown.EscapeTildes(value)
	}
	isStruck := r.formats.isStruck(r.style)
	if isStruck && isText {
		value = markdown.MarkStruckCell(value, r.plain)
	}
	if isText {
		return r.formats.formatText(r.style, value)
	}
	shown := r.formattedValue(value)
	if isStruck {
		shown = markdown.MarkStruckCell(shown, markdown.AllInCellFont)
	}
	return shown
}

// formattedValue returns the displayed form of a value that is not a text (ECMA-376 part 1,
// 18.18.11).
func (r *sheetReader) formattedValue(value string) string {
	switch r.kind {
	case "b":
		switch value {
		case "1":
			return "TRUE"
		case "0":
			return "FALSE"
		}
		return value
	case "d":
		return r.formats.formatDate(r.style, value)
	case "e":
		return value
	}
	return r.formats.formatNumber(r.style, value)
}

// finishRow adds the current row to the table.
func (r *sheetReader) finishRow() {
	if r.conditional.row != nil {
		r.conditional.markRow(r.row)
	}
	if len(r.row.Cells) > 0 {
		r.table.Rows = append(r.table.Rows, r.row)
	}
	r.row.Cells = nil
}

// addHeader adds the text of a header or footer.
func (r *sheetReader) addHeader(text string) {
	text = sheet.StripHeaderFooterCodes(text)
	if text != "" && !slices.Contains(r.headers, text) && len(r.headers) < extract.MaxNestingDepth {
		r.headers = append(r.headers, text)
	}
}

// parseCellNumber parses the value of a numeric cell.
func parseCellNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "+-.0123456789Ee") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
