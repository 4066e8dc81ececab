// Package spreadsheetml reads the XML spreadsheets that Excel 2003 writes, and that information
// systems of hospitals, schools and shops export, mostly as .xls. It extracts the visible text of
// cells, as a table for each sheet.
//
// The format is described in Microsoft's "XML Spreadsheet Reference" of 2001. No Go library was
// available.
package spreadsheetml

import (
	"bytes"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

var errDamaged = extract.Skip("damaged spreadsheet")

const maxSheets = 1 << 16

var workbookElement = lazyregexp.New(`^<(?:[\w.-]+:)?Workbook[\s>]`)

// IsWorkbook reports whether a file begins like an XML spreadsheet.
func IsWorkbook(start []byte) bool {
	start = zipxml.SkipProlog(start)
	return workbookElement.Match(start) && bytes.Contains(start, []byte("urn:schemas-microsoft-com:office:spreadsheet"))
}

// controlReference matches a character reference to a control character, which Excel writes
// although XML forbids it.
var controlReference = lazyregexp.New(`&#(?:[xX]0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));`)

// A book holds the data that all sheets share.
type book struct {
	title    string
	styles   map[string]style
	parsed   map[string]*numberformat.Format // parsed number formats by format code; nil for one that cannot be parsed, whose values are shown unformatted
	date1904 bool
	sheets   int
	w        markdown.Writer
	losses   sheet.LossNotes
	hidden   sheet.HiddenPartsReport
}

// Read reads a spreadsheet, up to the first error. What is hidden by hand, sheets, rows and
// columns, is left out.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	b := &book{styles: make(map[string]style), parsed: make(map[string]*numberformat.Format)}
	isBook := false
	err := zipxml.ReadXML(bytes.NewReader(controlReference.ReplaceAll(raw, []byte(" "))), func(x *zipxml.Reader) {
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "Workbook" {
				isBook = true
				x.EachChild(func(e zipxml.Element) { b.readPart(x, e) }, nil)
			}
		}, nil)
	})
	c, noText := b.w.Content()
	switch {
	case !isBook, noText != nil && err != nil && !extract.IsLimitError(err):
		return extract.Content{}, errDamaged
	case noText != nil && err != nil:
		return extract.Content{}, err
	}
	c.Title = markdown.RemoveGeneratedTitle(b.title)
	c.ExtractionNote = message.Join(append(b.losses, b.hidden.Notes()...)...)
	return c, b.hidden.ExplainNoText(noText)
}

// readPart reads the child element e of the workbook.
func (b *book) readPart(x *zipxml.Reader, e zipxml.Element) {
	switch e.Name {
	case "DocumentProperties":
		x.EachChild(func(e zipxml.Element) {
			if e.Name == "Title" {
				b.title = markdown.OneLine(x.ReadText())
			}
		}, nil)
	case "ExcelWorkbook":
		x.EachChild(func(e zipxml.Element) { b.date1904 = b.date1904 || e.Name == "Date1904" }, nil)
	case "Styles":
		x.EachChild(func(e zipxml.Element) { b.readStyle(x, e) }, nil)
	case "Worksheet":
		b.readSheet(x, markdown.OneLine(e.Attribute("Name")))
	}
}

// readSheet reads a sheet and writes it unless it is empty or hidden.
func (b *book) readSheet(x *zipxml.Reader, name string) {
	if b.sheets++; b.sheets > maxSheets || b.w.IsFull {
		return
	}
	r := sheetReader{book: b, x: x}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "Table":
			r.tableStyle = e.Attribute("StyleID")
			x.EachChild(r.readTablePart, nil)
		case "WorksheetOptions":
			x.EachDescendant(r.readOption)
		case "AutoFilter":
			r.readFilter(e)
		}
	}, nil)
	if r.isHidden {
		b.hidden.AddHiddenSheet(name, &r.table)
		return
	}
	r.table.SortRows()
	switch {
	case r.table.IsTruncated || extract.IsLimitError(x.Err):
		b.losses.Addf("sheet %q is read only to row %d", name, r.table.LastRowNumber())
	case x.Err != nil:
		b.losses.Addf("sheet %q is damaged: %v", name, extract.Skip("damaged XML"))
	}
	r.table.RemoveHidden(&r.hidden)
	b.hidden.AddSheetWithHiddenCells(name, &r.hidden)
	r.comments = slices.DeleteFunc(r.comments, r.hidden.IsTextOfHiddenCell)
	r.table.Write(&b.w, extract.Part{Kind: extract.Sheet, Number: b.sheets, Name: name}, append(r.headers, r.comments...))
}

// sheetReader holds the state while a sheet of an XML Spreadsheet of 2003 is read.
type sheetReader struct {
	*book
	x            *zipxml.Reader
	table        sheet.Table
	tableStyle   string
	columnStyles []string // ids of the styles of columns, by column number from 0; "" for none
	nextColumn   int      // number of the next column to get a style, from 0
	nextRow      int      // number of the next row, from 0
	row          sheet.Row
	headers      []string
	comments     []string
	hidden       sheet.HiddenRanges
	hiddenRows   int  // number of rows added to hidden, of which a damaged file may repeat many
	isHidden     bool // whether the whole sheet is hidden
}
