package odf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/message"
)

// Limits of LibreOffice Calc and Excel for a sheet.
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// maxRepeats is the maximum number of times that a row or cell which is stored once with a repeat
// count is written: people seldom repeat anything more often, but programs fill whole columns.
const maxRepeats = markdown.MaxColumnSpan

// ReadSheets returns the visible text of the cells of a spreadsheet (OpenDocument 1.3, part 3,
// clause 9): a table for each sheet, with comments and the texts of drawings. What is hidden by
// hand, sheets, rows and columns, is left out.
func ReadSheets(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := openDocument(raw)
	if err != nil {
		return extract.Content{}, err
	}
	sheets, lost := 0, []message.Message(nil)
	var hidden sheet.HiddenPartsReport
	d.ReadXMLFile("styles.xml", func(x *zipxml.Reader) { d.readStyles(x) })
	err = d.ReadXMLFile("content.xml", func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch {
			case e.Name == "automatic-styles":
				d.readStyles(x)
			case e.Name == "tracked-changes":
			case e.Name == "table" && strings.HasPrefix(e.Attribute("name"), "'file:"): // a sheet of another file, of which a copy is kept
			case e.Name == "table" && sheets < extract.MaxArchiveEntries:
				sheets++
				s := sheetReader{document: d, x: x, name: markdown.OneLine(e.Attribute("name")), nextRow: 1}
				s.read()
				if d.hiddenStyles[e.Attribute("style-name")] {
					hidden.AddHiddenSheet(s.name, &s.table)
					return true
				}
				s.writeSheet(sheets)
				hidden.AddSheetWithHiddenCells(s.name, &s.hidden)
				lost = append(lost, s.omissionNotes()...)
			default:
				return false
			}
			return true
		})
	})
	c, err := d.contentUntilError(err)
	if c.ExtractionNote == "" {
		c.ExtractionNote = message.Join(append(lost[:min(len(lost), 10)], hidden.Notes()...)...)
	}
	return c, hidden.ExplainNoText(err)
}

// sheetReader holds the state while a sheet of an OpenDocument spreadsheet is read.
type sheetReader struct {
	*document
	x            *zipxml.Reader
	name         string
	table        sheet.Table
	nextRow      int      // number of the next row
	columnStyles []string // styles of the cells in a column that have none of their own
	drawingTexts []string // texts outside the cells
	hidden       sheet.HiddenRanges
	openGroups   int  // number of open groups of rows or columns, which a reader can open
	repeatsCut   bool // whether repeated rows or cells were written fewer times than the file says
}

// omissionNotes returns notes on the rows and the repeated cells of the sheet that were not
// written.
func (s *sheetReader) omissionNotes() []message.Message {
	switch {
	case s.table.IsTruncated:
		return []message.Message{message.New("sheet %q is read only to row %d", s.name, s.table.LastRowNumber())}
	case s.repeatsCut:
		return []message.Message{message.New("sheet %q has identical rows or cells, of which only %d in a row are read", s.name, maxRepeats)}
	}
	return nil
}

func (s *sheetReader) read() {
	s.x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "table-column":
			n := min(repeatCount(e, "number-columns-repeated", lastColumn), lastColumn-len(s.columnStyles))
			if s.isHiddenByHand(e) {
				s.hidden.AddColumns(len(s.columnStyles), len(s.columnStyles)+n-1)
			}
			s.columnStyles = append(s.columnStyles, slices.Repeat([]string{e.Attribute("default-cell-style-name")}, n)...)
		case "table-row":
			s.readRow(e)
		case "table-row-group", "table-column-group":
			s.openGroups++
			s.read()
			s.openGroups--
		case "shapes":
			s.readBlocks(s.x, blockPosition{}, s.addDrawingText)
		case "forms", "named-expressions", "scenario", "table":
		default:
			return false
		}
		return true
	})
}

// readRow reads a row, which may stand for several equal ones.
func (s *sheetReader) readRow(e zipxml.Element) {
	repeats := repeatCount(e, "number-rows-repeated", lastRow)
	if s.nextRow > lastRow {
		s.table.IsTruncated = true
		return
	}
	r := sheet.Row{Number: s.nextRow}
	s.nextRow += repeats
	column, rowStyle := 0, e.Attribute("default-cell-style-name")
	s.x.EachChild(func(e zipxml.Element) {
		if e.Name != "table-cell" && e.Name != "covered-table-cell" {
			return
		}
		n := repeatCount(e, "number-columns-repeated", lastColumn)
		if e.Name == "table-cell" && column < lastColumn {
			format := formatOfStyle(s.cellStyles, cmp.Or(e.Attribute("style-name"), rowStyle, s.columnStyle(column)))
			text := s.readCell(e, format, cellName(column, r.Number))
			s.repeatsCut = s.repeatsCut || n > maxRepeats && text != ""
			if text != "" {
				rows, columns := repeatCount(e, "number-rows-spanned", lastRow), repeatCount(e, "number-columns-spanned", lastColumn)
				s.hidden.AddMerge(sheet.Merge{FirstRow: r.Number, LastRow: r.Number + rows - 1, FirstColumn: column, LastColumn: column + columns - 1})
			}
			for i := range min(n, maxRepeats, lastColumn-column) {
				r.Cells = s.appendCell(r.Cells, column+i, text)
			}
		}
		column += n
	}, nil)
	s.repeatsCut = s.repeatsCut || repeats > maxRepeats && len(r.Cells) > 0
	for i := range min(repeats, maxRepeats, lastRow+1-r.Number) {
		s.addRow(r, i)
		if s.isHiddenByHand(e) {
			s.hidden.AddRow(r.Number + i)
		}
	}
}

// isHiddenByHand reports whether a row or column is hidden by hand (OpenDocument 1.3, part 3, 19.768):
// what a filter hides has another value, and a group can be opened.
func (s *sheetReader) isHiddenByHand(e zipxml.Element) bool {
	return s.openGroups == 0 && e.Attribute("visibility") == "collapse"
}

// columnStyle returns the style of the cells in a column that have none of their own, or "".
func (s *sheetReader) columnStyle(column int) string {
	if column < len(s.columnStyles) {
		return s.columnStyles[column]
	}
	return ""
}

// repeatCount returns how often an element is repeated, at most limit.
func repeatCount(e zipxml.Element, attribute string, limit int) int {
	return min(max(e.NumberAttribute(attribute, 1), 1), limit)
}

// appendCell adds a cell to a row if it has visible text.
func (s *sheetReader) appendCell(cells []sheet.Cell, column int, text string) []sheet.Cell {
	if text == "" || s.x.Err != nil {
		return cells
	}
	if !s.table.CountTowardsLimit(text) {
		s.x.StopWith(extract.ErrTooMuchText)
	}
	return append(cells, sheet.Cell{Column: column, Text: text})
}

// addRow adds a row to the table, with its number increased by below, for a repeated row.
func (s *sheetReader) addRow(r sheet.Row, below int) {
	if len(r.Cells) == 0 || s.x.Err != nil {
		return
	}
	if below > 0 {
		for _, c := range r.Cells {
			if !s.table.CountTowardsLimit(c.Text) {
				s.x.StopWith(extract.ErrTooMuchText)
				return
			}
		}
	}
	r.Number += below
	s.table.Rows = append(s.table.Rows, r)
}

// readCell returns the visible text of a cell: its paragraphs or, if a program wrote none, its
// value.
func (s *sheetReader) readCell(e zipxml.Element, format textFormat, name string) string {
	var lines markdown.BlockLineBuilder
	bare := true
	s.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "p", "h":
			bare, s.cellFormat = false, format
			s.readBlock(s.x, e, &blockPosition{}, lines.AddBlock)
			s.cellFormat = textFormat{} // not that of drawings and comments
		case "annotation":
			s.readAnnotation(s.x)
		default:
			s.readBlock(s.x, e, &blockPosition{}, s.addDrawingText)
		}
	}, nil)
	for _, note := range s.pendingNotes {
		s.drawingTexts = append(s.drawingTexts, name+": "+strings.TrimPrefix(note, "Comment: "))
	}
	s.pendingNotes = nil
	if text := markdown.OneLine(lines.String()); !bare {
		return text
	}
	for _, attribute := range []string{"string-value", "date-value", "time-value", "boolean-value", "value"} {
		value := markdown.OneLine(e.Attribute(attribute))
		switch {
		case value == "":
		case format.struck == on:
			return markdown.MarkStruckCell(value, markdown.AllInCellFont)
		default:
			return value
		}
	}
	return ""
}

// addDrawingText adds a text of a drawing or chart. The values of a chart are left out, as they are
// also in cells.
func (s *sheetReader) addDrawingText(b markdown.Block) {
	if b.Kind != markdown.Table && b.Text != "" {
		s.drawingTexts = append(s.drawingTexts, b.Text)
	}
}

// cellName returns the name of a cell, such as B7; column counts from 0, row from 1.
func cellName(column, row int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return fmt.Sprint(name, row)
}

// writeSheet writes the rows read and the texts of drawings as the sheet with the given number, and
// stops the reader if the text is too long.
func (s *sheetReader) writeSheet(number int) {
	s.table.SortRows()
	s.table.RemoveHidden(&s.hidden)
	s.drawingTexts = slices.DeleteFunc(s.drawingTexts, s.hidden.IsTextOfHiddenCell)
	s.table.Write(&s.w, extract.Part{Kind: extract.Sheet, Number: number, Name: s.name}, s.drawingTexts)
	if s.w.IsFull {
		s.x.StopWith(extract.ErrTooMuchText)
	}
}
