package spreadsheetml

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// Limits of Excel for a sheet.
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// readTablePart reads the element e of a table: a row, or the style of a column.
func (r *sheetReader) readTablePart(e zipxml.Element) {
	switch e.Name {
	case "Column":
		r.addColumnStyle(e)
	case "Row":
		r.readRow(e)
	}
}

// addColumnStyle records the style of a column and of the further columns it spans. Columns come in
// order.
func (r *sheetReader) addColumnStyle(e zipxml.Element) {
	first := e.NumberAttribute("Index", r.nextColumn+1) - 1
	if first < r.nextColumn || first >= lastColumn {
		return
	}
	r.nextColumn = min(first+1+max(e.NumberAttribute("Span", 0), 0), lastColumn)
	if e.Attribute("Hidden") == "1" {
		r.hidden.AddColumns(first, r.nextColumn-1)
	}
	style := e.Attribute("StyleID")
	if style == "" {
		return
	}
	for column := first; column < r.nextColumn; column++ {
		for len(r.columnStyles) <= column {
			r.columnStyles = append(r.columnStyles, "")
		}
		r.columnStyles[column] = style
	}
}

// readRow reads a row, which has a number or else follows the previous row.
func (r *sheetReader) readRow(e zipxml.Element) {
	row := e.NumberAttribute("Index", r.nextRow+1) - 1
	if row < 0 || row >= lastRow || r.table.IsTruncated {
		r.table.IsTruncated = true
		return
	}
	r.nextRow = row + 1 + min(max(e.NumberAttribute("Span", 0), 0), lastRow)
	r.row = sheet.Row{Number: row + 1}
	if e.Attribute("Hidden") == "1" {
		for hidden := row; hidden < min(r.nextRow, lastRow) && r.hiddenRows < lastRow; hidden++ {
			r.hidden.AddRow(hidden + 1)
			r.hiddenRows++
		}
	}
	column, style := 0, e.Attribute("StyleID")
	r.x.EachChild(func(e zipxml.Element) {
		if e.Name != "Cell" {
			return
		}
		column = e.NumberAttribute("Index", column+1) - 1
		if column < 0 || column >= lastColumn {
			r.table.IsTruncated = true
			column = lastColumn
			return
		}
		r.readCell(column, cmp.Or(e.Attribute("StyleID"), style, r.columnStyle(column), r.tableStyle))
		across := min(max(e.NumberAttribute("MergeAcross", 0), 0), lastColumn)
		down := min(max(e.NumberAttribute("MergeDown", 0), 0), lastRow)
		r.hidden.AddMerge(sheet.Merge{FirstRow: row + 1, LastRow: row + 1 + down, FirstColumn: column, LastColumn: column + across})
		column += 1 + across
	}, nil)
	if len(r.row.Cells) > 0 {
		r.table.Rows = append(r.table.Rows, r.row)
	}
}

func (r *sheetReader) columnStyle(column int) string {
	if column < len(r.columnStyles) {
		return r.columnStyles[column]
	}
	return ""
}

// readCell reads a cell and its comment, and adds them to the row and to the comments of the sheet.
func (r *sheetReader) readCell(column int, style string) {
	r.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "Data":
			value, isFormatted := r.readFormattedText() // in which tildes are no marks
			text := r.shownValue(e.Attribute("Type"), value, style)
			if !isFormatted && r.isStruck(style) {
				text = markdown.MarkStruckCell(text, markdown.AllInCellFont)
			}
			if text = markdown.OneLine(text); text == "" || r.table.IsTruncated {
				return
			}
			r.row.Cells = append(r.row.Cells, sheet.Cell{Column: column, Text: text})
			r.table.IsTruncated = !r.table.CountTowardsLimit(text)
		case "Comment":
			if text := markdown.OneLine(r.x.ReadText()); text != "" {
				r.x.CountBytes(extract.CellOverheadBytes)
				r.comments = append(r.comments, sheet.CellName(r.row.Number-1, column)+": "+text)
			}
		}
	}, nil)
}

// readFormattedText returns the text of a value, parts of which may be formatted by HTML elements.
// Superscript digits become superscript characters, and struck-out text has marks. isFormatted reports
// whether there is such a part.
func (r *sheetReader) readFormattedText() (text string, isFormatted bool) {
	var written markdown.InlineText
	var read func(isRaised, isStruck bool)
	read = func(isRaised, isStruck bool) {
		r.x.EachChild(func(e zipxml.Element) {
			isFormatted = true
			read(isRaised || e.Name == "Sup", isStruck || e.Name == "S")
		}, func(b []byte) {
			if r.x.CountBytes(len(b)); r.x.Err != nil {
				return
			}
			text := string(b)
			if isRaised {
				text = markdown.Superscript(text)
			}
			written.IsNextStruck = isStruck
			written.WriteString(text)
		})
	}
	read(false, false)
	return written.String(), isFormatted
}

// readFilter reads the filter of a sheet. The rows that it hides do not count as hidden by hand, as a
// click shows them again. A filter that is not used hides none.
func (r *sheetReader) readFilter(e zipxml.Element) {
	isUsed := false
	r.x.EachChild(func(e zipxml.Element) {
		isUsed = isUsed || e.Name == "AutoFilterColumn" && e.Attribute("Type") != "" && e.Attribute("Type") != "All"
	}, nil)
	if m := filterRange.FindStringSubmatch(e.Attribute("Range")); isUsed && m != nil {
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(m[2])
		r.hidden.ExemptFilteredRows(first, last)
	}
}

var filterRange = lazyregexp.New(`^R(\d+)C\d+:R(\d+)C\d+$`)

// readOption reads whether the sheet is hidden, or a header or footer of it, and reports whether the
// element e is one of these.
func (r *sheetReader) readOption(e zipxml.Element) (handled bool) {
	switch e.Name {
	case "Visible":
		r.isHidden = strings.HasSuffix(strings.TrimSpace(r.x.ReadText()), "Hidden")
	case "Header", "Footer":
		text := sheet.StripHeaderFooterCodes(e.Attribute("Data"))
		if text != "" && !slices.Contains(r.headers, text) && len(r.headers) < extract.MaxNestingDepth {
			r.headers = append(r.headers, text)
		}
	default:
		return false
	}
	return true
}
