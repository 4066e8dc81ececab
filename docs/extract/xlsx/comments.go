package xlsx

import (
	"slices"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
)

// textsBesideCells returns the texts on a sheet outside its cells: comments, drawings, charts and
// diagrams.
func (x *workbook) textsBesideCells(part string, hidden *sheet.HiddenRanges) (texts []string) {
	links := x.ReadRelations(part)
	threads := x.readThreads(links.FirstTargetOfKind("threadedComment"))
	texts = append(threads, x.readComments(links.FirstTargetOfKind("comments"), len(threads) > 0)...)
	texts = slices.DeleteFunc(texts, hidden.IsTextOfHiddenCell)
	drawing := links.FirstTargetOfKind("drawing")
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
			texts = append(texts, b.Text) // the values of a chart are also in cells, so that only its texts are used
		}
	}
	return slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// readThreads returns the threaded comments of a sheet ([MS-XLSX] 2.6.203), including replies, each
// with the name of its cell.
func (x *workbook) readThreads(part string) (texts []string) {
	_ = x.ReadXMLFile(part, func(r *zipxml.Reader) { // on error, use what could be read
		r.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "threadedComment" {
				texts = appendComment(texts, e, r.ReadText())
			}
			return e.Name == "threadedComment"
		})
	})
	return texts
}

// readComments returns the comments of a sheet (ECMA-376 part 1, 18.7), each with the name of its
// cell. With omitsCopies, it leaves out the copies of threaded comments that Excel writes for older
// versions, with authors such as tc={…}.
func (x *workbook) readComments(part string, omitsCopies bool) (texts []string) {
	var authors []string
	isCopy := func(e zipxml.Element) bool {
		author := e.NumberAttribute("authorId", -1)
		return omitsCopies && 0 <= author && author < len(authors) && strings.HasPrefix(authors[author], "tc={")
	}
	_ = x.ReadXMLFile(part, func(r *zipxml.Reader) { // on error, use what could be read
		r.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "author":
				authors = append(authors, r.ReadText())
			case "comment":
				if !isCopy(e) {
					texts = appendComment(texts, e, office.ReadRuns(r))
				}
			default:
				return false
			}
			return true
		})
	})
	return texts
}

// appendComment appends the text of a comment to texts, with the name of its cell, which is an
// attribute of e.
func appendComment(texts []string, e zipxml.Element, text string) []string {
	if text = markdown.OneLine(text); text == "" {
		return texts
	}
	return append(texts, e.Attribute("ref")+": "+text)
}

// readDrawing returns the paragraphs of DrawingML (ECMA-376 part 1, 21.1.2) in a
// part, and the descriptions of pictures.
func (x *workbook) readDrawing(part string) (texts []string) {
	_ = x.ReadXMLFile(part, func(r *zipxml.Reader) { // on error, use what could be read
		r.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "p":
				texts = append(texts, markdown.OneLine(office.ReadRuns(r)))
				return true
			case "cNvPr":
				texts = append(texts, markdown.CleanAltText(e.Attribute("descr")))
			}
			return e.Name == "Fallback" // the fallback repeats the content
		})
	})
	return texts
}
