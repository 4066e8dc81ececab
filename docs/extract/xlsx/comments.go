package xlsx

import (
	"slices"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// textsBesideCells returns what lies on a sheet beside its cells: comments, and the texts
// of drawings, charts and diagrams.
func (x *workbook) textsBesideCells(sheet string) (texts []string) {
	links := x.ReadRelations(sheet)
	threaded := links.FirstOfKind("threadedComment")
	if threaded != "" {
		texts = x.readComments(threaded)
	} else {
		texts = x.readComments(links.FirstOfKind("comments"))
	}
	drawing := links.FirstOfKind("drawing")
	texts = append(texts, x.readDrawing(drawing)...)
	for _, r := range x.ReadRelations(drawing).All {
		var blocks []markdown.Block
		switch r.Kind {
		case "chart", "chartEx":
			blocks = x.ReadChart(r.Target)
		case "diagramData":
			blocks = x.ReadDiagram(r.Target)
		}
		for _, b := range blocks {
			texts = append(texts, b.Text) // the values of a chart are those of cells
		}
	}
	return slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// readComments returns the comments of a sheet (ECMA-376 part 1, 18.7), or those
// with answers ([MS-XLSX] 2.6.203), each with the name of its cell.
func (x *workbook) readComments(part string) (texts []string) {
	_ = x.WalkFile(part, func(r *zipxml.Reader) { // what can be read
		r.EachDescendant(func(e zipxml.Element) bool {
			var text string
			switch e.Name {
			case "comment":
				text = office.ReadRuns(r)
			case "threadedComment":
				text = r.ReadText()
			default:
				return false
			}
			if text = markdown.OneLine(text); text != "" {
				texts = append(texts, e.Attribute("ref")+": "+text)
			}
			return true
		})
	})
	return texts
}

// readDrawing returns the paragraphs of DrawingML (ECMA-376 part 1, 21.1.2) in a
// part, and the descriptions of pictures.
func (x *workbook) readDrawing(part string) (texts []string) {
	_ = x.WalkFile(part, func(r *zipxml.Reader) { // what can be read
		r.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "p":
				texts = append(texts, markdown.OneLine(office.ReadRuns(r)))
				return true
			case "cNvPr":
				texts = append(texts, markdown.CleanAltText(e.Attribute("descr")))
			}
			return e.Name == "Fallback" // says the same again
		})
	})
	return texts
}
