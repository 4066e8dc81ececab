package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"

	"github.com/xuri/excelize/v2"
)

// An xlsxSheet is a sheet of a spreadsheet and the part that holds it.
type xlsxSheet struct{ name, path string }

// openBook reads what the sheets share.
func (x *xlsxReader) openBook() error {
	book := x.archive.mainPart("xl/workbook.xml")
	links := x.archive.relations(book)
	date1904 := false
	err := x.archive.walk(book, func(r *xmlReader) {
		r.descend(func(e element) bool {
			switch e.name {
			case "sheet":
				if target := links.targets[e.reference("id")]; target != "" && len(x.sheets) < maxEntries {
					x.sheets = append(x.sheets, xlsxSheet{e.attr("name"), target})
				}
			case "workbookPr":
				v := e.attr("date1904")
				date1904 = v == "1" || v == "true"
			}
			return false
		})
	})
	switch damage := new(SkipError); {
	case len(x.sheets) > 0:
	case errors.As(err, &damage):
		return err
	default:
		return skip(reasonDamagedSheets)
	}
	if err := x.openCells(links.part("styles"), date1904); err != nil {
		return skip(reasonDamagedSheets)
	}
	x.openTexts(links.part("sharedStrings"))
	return nil
}

// openTexts reads the shared texts, as many as there are.
func (x *xlsxReader) openTexts(part string) {
	data, err := x.part(part)
	if part == "" || errors.Is(err, fs.ErrNotExist) {
		x.texts = new(sharedTexts)
		return
	}
	whole := false
	if x.texts, whole = readTexts(data); err != nil || !whole {
		x.lose("some texts of cells are damaged")
	}
}

// openCells opens a book of one sheet with the styles of this one.
func (x *xlsxReader) openCells(styles string, date1904 bool) error {
	data, err := x.part(styles)
	if styles != "" && err == nil {
		if x.cells, err = newCells(data, date1904); err == nil {
			return nil
		}
		x.lose("the number formats are damaged")
	}
	x.cells, err = newCells(nil, date1904)
	return err
}

const (
	cellsName  = "s"
	cellsPath  = "xl/worksheets/sheet1.xml"
	emptySheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`
)

// newCells returns a book of one sheet. Written by us, it opens whatever the
// names and parts of the real one, takes no more memory than the sheet that is
// put into it, and never touches the disk.
func newCells(styles []byte, date1904 bool) (*excelize.File, error) {
	const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/></Relationships>`
	parts := [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", fmt.Sprintf(relations, "officeDocument", "xl/workbook.xml")},
		{"xl/workbook.xml", fmt.Sprintf(`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" `+
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="%t"/>`+
			`<sheets><sheet name="%s" sheetId="1" r:id="r1"/></sheets></workbook>`, date1904, cellsName)},
		{"xl/_rels/workbook.xml.rels", fmt.Sprintf(relations, "worksheet", "worksheets/sheet1.xml")},
		{cellsPath, emptySheet},
		{"xl/sharedStrings.xml", `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`},
	}
	if len(styles) > 0 {
		styles = dateCodes.ReplaceAll(styles, []byte(`${1}[$$-409]${2}`))
		parts = append(parts, [2]string{"xl/styles.xml", string(styles)})
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		w, err := z.Create(p[0])
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, p[1]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	// Dates that follow the settings of the system are shown as ISO 8601 has
	// them, and those that only East Asian versions have, as the Chinese one does.
	f, err := excelize.OpenReader(&b, excelize.Options{
		UnzipSizeLimit: maxUnpack, UnzipXMLSizeLimit: maxUnpack,
		ShortDatePattern: "[$-409]yyyy-mm-dd", CultureInfo: excelize.CultureNameZhCN,
	})
	if err != nil {
		return nil, err
	}
	return f.CharsetTranscoder(alreadyUTF8), nil
}

// alreadyUTF8 is for XML that was decoded before, whatever it declares.
func alreadyUTF8(_ string, r io.Reader) (io.Reader, error) { return r, nil }

// dateCodes finds number formats that begin with a part of a date, without a
// language. With one, excelize is four times as fast.
var dateCodes = regexp.MustCompile(`(formatCode\s*=\s*["'])([yYdD])`)

// lenientXML returns a decoder that reads on where it can.
func lenientXML(data []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = alreadyUTF8
	return d
}
