package extract

import (
	"regexp"
	"slices"
	"strings"
)

// beside returns what lies on a sheet beside its cells: comments, and the texts
// of drawings, charts and diagrams.
func (x *xlsxReader) beside(sheet string) (texts []string) {
	links := x.archive.relations(sheet)
	threaded := links.part("threadedComment")
	if threaded != "" {
		texts = x.comments(threaded)
	} else {
		texts = x.comments(links.part("comments"))
	}
	drawing := links.part("drawing")
	texts = append(texts, x.drawing(drawing)...)
	for _, r := range x.archive.relations(drawing).all {
		var blocks []block
		switch r.kind {
		case "chart", "chartEx":
			blocks = x.archive.chart(r.target)
		case "diagramData":
			blocks = x.archive.diagram(r.target)
		}
		for _, b := range blocks {
			texts = append(texts, b.text) // the values of a chart are those of cells
		}
	}
	return slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// comments returns the comments of a sheet (ECMA-376 part 1, 18.7), or those
// with answers ([MS-XLSX] 2.6.203), each with the name of its cell.
func (x *xlsxReader) comments(part string) (texts []string) {
	_ = x.archive.walk(part, func(r *xmlReader) { // what can be read
		r.descend(func(e element) bool {
			var text string
			switch e.name {
			case "comment":
				text = runs(r)
			case "threadedComment":
				text = r.text()
			default:
				return false
			}
			if text = oneLine(text); text != "" {
				texts = append(texts, e.attr("ref")+": "+text)
			}
			return true
		})
	})
	return texts
}

// drawing returns the paragraphs of DrawingML (ECMA-376 part 1, 21.1.2) in a
// part, and the descriptions of pictures.
func (x *xlsxReader) drawing(part string) (texts []string) {
	_ = x.archive.walk(part, func(r *xmlReader) { // what can be read
		r.descend(func(e element) bool {
			switch e.name {
			case "p":
				texts = append(texts, oneLine(runs(r)))
				return true
			case "cNvPr":
				texts = append(texts, caption(e.attr("descr")))
			}
			return e.name == "Fallback" // says the same again
		})
	})
	return texts
}

// headerCodes are the codes of headers and footers (ECMA-376 part 1, 18.3.1.39).
var headerCodes = regexp.MustCompile(`&("[^"]*"|[0-9]+|K[0-9A-Fa-f+-]+|[A-Za-z])`)
