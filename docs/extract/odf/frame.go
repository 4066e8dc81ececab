package odf

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/formula"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// readFrame reads a text box, picture, shape or object with its description (OpenDocument 1.3, part
// 3, clause 10).
func (d *document) readFrame(x *zipxml.Reader, emit func(markdown.Block)) {
	formula := false
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "title", "desc":
			if text := markdown.CleanAltText(x.ReadText()); text != "" && !formula {
				emit(markdown.Block{Text: text})
			}
		case "object":
			formula = d.readObject(x, e, emit)
		case "object-ole", "image", "event-listeners", "plugin":
		default:
			d.readBlock(x, e, &blockPosition{}, emit)
		}
	}, nil)
}

// readObject reads a formula or chart, which is an embedded document: in a folder of the archive,
// or inline. It reports whether it is a formula.
func (d *document) readObject(x *zipxml.Reader, e zipxml.Element, emit func(markdown.Block)) bool {
	formula := false
	read := func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "math":
				formula = true
				if text := readMathML(x); text != "" {
					emit(markdown.Block{Text: text, IsInlineFormula: true})
				}
			case "body":
				d.readBlocks(x, blockPosition{}, emit)
			default:
				return false
			}
			return true
		})
	}
	href := e.Attribute("href")
	if href == "" {
		read(x)
		return formula
	}
	if d.openObjects < maxObjects {
		d.openObjects++
		d.ReadXMLFile(zipxml.CleanEntryName(href+"/content.xml"), read)
		d.openObjects--
	}
	return formula
}

// maxObjects is the maximum nesting depth of objects, as an object may refer to itself.
const maxObjects = 2

// readMathML returns the source of a formula if LibreOffice saved it, otherwise the visible text of
// the formula.
func readMathML(x *zipxml.Reader) string {
	source := ""
	root := readFormula(x, zipxml.Element{Name: "math"}, &source)
	if source != "" {
		return source
	}
	return formula.MathMLText(root)
}

// readFormula returns the element e, which is the current one, with its descendants. If the formula
// contains its source, readFormula stores that in source.
func readFormula(x *zipxml.Reader, e zipxml.Element, source *string) *formula.Element {
	f := &formula.Element{Name: e.Name, Attributes: make(map[string]string)}
	for _, a := range e.Attributes {
		f.Attributes[a.Name.Local] = a.Value
	}
	var text strings.Builder
	x.EachChild(func(e zipxml.Element) {
		x.CountBytes(extract.CellOverheadBytes)
		if e.Name == "annotation" {
			*source = markdown.OneLine(x.ReadText())
			return
		}
		f.Children = append(f.Children, readFormula(x, e, source))
	}, func(b []byte) {
		x.CountBytes(len(b))
		text.Write(b)
	})
	f.Text = text.String()
	return f
}
