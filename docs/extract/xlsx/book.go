package xlsx

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"

	"vademecum/docs/extract"
	"vademecum/docs/extract/zipxml"
)

// A worksheet is the name of a sheet and the name of its archive part.
type worksheet struct {
	name, path string
	isHidden   bool
}

// openWorkbook reads the data that all sheets share.
func (x *workbook) openWorkbook() error {
	book := x.MainPart("xl/workbook.xml")
	links := x.ReadRelations(book)
	date1904 := false
	err := x.ReadXMLFile(book, func(r *zipxml.Reader) {
		r.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "sheet":
				if target := links.TargetByID[e.PrefixedAttribute("id")]; target != "" && len(x.sheets) < extract.MaxArchiveEntries {
					state := e.Attribute("state")
					x.sheets = append(x.sheets, worksheet{e.Attribute("name"), target, state == "hidden" || state == "veryHidden"})
				}
			case "workbookPr":
				v := e.Attribute("date1904")
				date1904 = v == "1" || v == "true"
			}
			return false
		})
	})
	switch damage := new(extract.SkipError); {
	case len(x.sheets) > 0:
	case errors.As(err, &damage):
		return err
	default:
		return errDamaged
	}
	x.openFormats(links.FirstTargetOfKind("styles"), date1904)
	x.openSharedTexts(links.FirstTargetOfKind("sharedStrings"))
	return nil
}

// openSharedTexts reads the texts that cells share, up to the first damage.
func (x *workbook) openSharedTexts(part string) {
	data, err := x.readPart(part)
	if part == "" || errors.Is(err, fs.ErrNotExist) {
		x.texts = new(sharedTexts)
		return
	}
	whole := false
	if x.texts, whole = readTexts(data); err != nil || !whole {
		x.losses.Addf("the text of some cells is damaged")
	}
}

// alreadyUTF8 is a CharsetReader for XML that is already in UTF-8, whatever encoding it declares.
func alreadyUTF8(_ string, r io.Reader) (io.Reader, error) { return r, nil }

// lenientXML returns a decoder that tolerates errors in the XML if possible.
func lenientXML(data []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = alreadyUTF8
	return d
}
