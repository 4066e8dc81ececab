package extract

import (
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"
)

// readXLSX reads a spreadsheet of Office Open XML (ECMA-376 part 1, 18): each
// sheet as a table of what its cells show, with its comments, the texts of its
// drawings and its headers and footers. Hidden sheets are read too.
func readXLSX(raw []byte) (Content, error) {
	a, err := openArchive(raw)
	if err != nil {
		return Content{}, err
	}
	if a.holds("xl/workbook.bin") {
		return Content{}, skip("Excel format that is not read (.xlsb): save it as .xlsx")
	}
	x := &xlsxReader{archive: a}
	if err := x.openBook(); err != nil {
		return Content{}, err
	}
	for i, s := range x.sheets {
		if x.w.full {
			break
		}
		x.sheet(i+1, s)
	}
	c, err := x.w.content()
	if err != nil && len(x.lost) > 0 && !x.w.full {
		return Content{}, skip(reasonDamagedSheets)
	}
	c.Title = x.archive.officeTitle()
	c.Note = strings.Join(x.lost, "; ")
	return c, err
}

const reasonDamagedSheets = "damaged spreadsheet"

// An xlsxReader reads the parts of a spreadsheet itself, and has excelize read
// the cells of one sheet at a time, so that only one is in memory.
type xlsxReader struct {
	archive *archive
	sheets  []xlsxSheet
	cells   *excelize.File // the book of one sheet, which holds that being read
	texts   *sharedTexts
	w       writer
	lost    []string // what could not be read
}

// lose notes what could not be read.
func (x *xlsxReader) lose(format string, args ...any) {
	const maxLost = 10
	if len(x.lost) < maxLost {
		x.lost = append(x.lost, fmt.Sprintf(format, args...))
	}
}

// part returns the content of a part as clean UTF-8, as much of it as is
// undamaged.
func (x *xlsxReader) part(name string) ([]byte, error) {
	r, err := x.archive.open(name)
	if err != nil {
		return nil, err
	}
	source := newXMLSource(r)
	source.limit = maxUnpack
	return io.ReadAll(source)
}

// sheet writes a sheet that holds anything.
func (x *xlsxReader) sheet(number int, s xlsxSheet) {
	data, err := x.part(s.path)
	if err != nil {
		x.lose("sheet %q is damaged: %v", s.name, err)
	}
	t, err := x.table(data)
	if err != nil {
		x.lose("sheet %q is damaged", s.name)
	}
	if t.short {
		x.lose("sheet %q is read only to row %d", s.name, t.last())
	}
	beside := append(headersOf(data), x.beside(s.path)...)
	if len(t.rows) == 0 && len(beside) == 0 {
		return
	}
	p := Part{Unit: Sheet, Number: number, Name: s.name}
	x.w.part(p)
	x.w.heading(2, s.name)
	x.writeTable(t, p)
	if len(beside) > 0 {
		x.w.part(p)
	}
	for _, text := range beside {
		x.w.paragraph(text)
	}
}

// table reads the cells of a sheet. What excelize makes of damaged ones is
// unknown, so that even a panic costs that sheet alone.
func (x *xlsxReader) table(data []byte) (t *sheetTable, err error) {
	t = new(sheetTable)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return t, x.readTable(t, data)
}
