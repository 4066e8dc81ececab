// Package docx reads Word documents: paragraphs, headings, lists and tables in their order, with
// notes, text boxes, headers and footers. Reviewers' comments follow the text.
package docx

import (
	"bytes"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A document holds the state while a WordprocessingML document is read (ECMA-376 part 1, clause
// 17).
type document struct {
	*office.Package
	w            markdown.Writer
	styles       map[string]paragraphStyle
	numbers      listNumbering
	footnotes    map[string]string
	endnotes     map[string]string
	links        office.Relations // relationships of the part that is being read
	noteCount    int
	pendingNotes []string // notes referenced in the block being read, to be written after it
	fields       []field  // open fields, innermost last
	tick         string   // tick of the current check box, which replaces the character stored for it; "" if there is none
	comments     commentReader
	failure      error

	sectionHeaders []string // headers and footers that are stored within the text, as in Word 2003 XML
}

// Read returns the text of a document, which is a zip archive or a single XML file.
func Read(raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	if !bytes.HasPrefix(raw, []byte("PK")) && bytes.Contains(raw[:min(len(raw), extract.SniffBytes)], []byte("<")) {
		return readXML(raw, p)
	}
	return readArchive(raw, p)
}

func readArchive(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := office.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	d := &document{Package: a}
	part := a.MainPart("word/document.xml")
	d.readReferencedParts(part)
	if err := d.writeMainPart(part); err != nil {
		return extract.Content{}, err
	}
	d.writeHeadersFooters()
	d.writeComments()
	c, err := d.w.Content()
	c.Title = a.DocumentTitle()
	if d.failure != nil {
		c.ExtractionNote = extract.UnfinishedNote(d.failure)
	}
	return c, a.ExplainNoText(err)
}

// readReferencedParts reads the styles, numbering and notes to which the main part refers. An
// unreadable part does not prevent the others from being read.
func (d *document) readReferencedParts(part string) {
	links := d.ReadRelations(part)
	d.styles = readStyles(d.Archive, links.FirstTargetOfKind("styles"))
	d.numbers = readNumbering(d.Archive, links.FirstTargetOfKind("numbering"))
	d.footnotes = d.readNotes(links.FirstTargetOfKind("footnotes"), "footnote")
	d.endnotes = d.readNotes(links.FirstTargetOfKind("endnotes"), "endnote")
	d.comments.part = links.FirstTargetOfKind("comments")
}

// writeMainPart writes the text of the main part. It fails if nothing was read or a limit was
// exceeded; any other error is kept in d.failure.
func (d *document) writeMainPart(part string) error {
	d.links = d.ReadRelations(part)
	err := d.ReadXMLFile(part, func(x *zipxml.Reader) {
		d.readBlocks(x, func(b markdown.Block) {
			b.Write(&d.w)
			d.writeNotes()
			if d.w.IsFull && x.Err == nil {
				x.Err = extract.ErrTooMuchText
			}
		})
	})
	if err == nil {
		return nil
	}
	if d.w.Text.Len() == 0 || extract.IsLimitError(err) {
		return zipxml.AsSkipError(err)
	}
	d.failure = err
	return nil
}

func (d *document) writeNotes() {
	notes := d.pendingNotes
	d.pendingNotes = nil
	for _, n := range notes {
		d.w.WriteParagraph(n)
	}
}

// writeHeadersFooters writes the headers and footers, each distinct text once.
func (d *document) writeHeadersFooters() {
	var written []string
	texts := d.sectionHeaders
	for _, link := range d.links.All {
		if link.Kind == "header" || link.Kind == "footer" {
			texts = append(texts, d.partText(link.Target))
		}
	}
	for _, text := range texts {
		if office.ContainsLetter(text) && !office.IsPageLabel(text) && !slices.Contains(written, text) && len(written) < extract.MaxNestingDepth {
			written = append(written, text)
			d.w.WriteParagraph(text)
		}
	}
	d.writeNotes()
}

// partText returns the text of a part, one line for each block.
func (d *document) partText(part string) string {
	var lines markdown.BlockLineBuilder
	d.fields = nil
	if err := d.ReadXMLFile(part, func(x *zipxml.Reader) { d.readBlocks(x, lines.AddBlock) }); err != nil && d.failure == nil && extract.IsLimitError(err) {
		d.failure = err
	}
	return lines.String()
}

// readBlocks reads the children of a body, cell, note or text box.
func (d *document) readBlocks(x *zipxml.Reader, emit func(markdown.Block)) {
	x.EachChild(func(e zipxml.Element) { d.readBlock(x, e, emit) }, nil)
}

func (d *document) readBlock(x *zipxml.Reader, e zipxml.Element, emit func(markdown.Block)) {
	switch e.Name {
	case "p":
		d.readParagraph(x, emit)
	case "tbl":
		d.readTable(x, emit)
	case "oMathPara", "oMath":
		if text := office.ReadFormula(x); text != "" {
			emit(markdown.Block{Text: text})
		}
	case "AlternateContent":
		d.readAlternateContent(x, func() { d.readBlocks(x, emit) })
	case "sdtPr":
		d.readControl(x)
	case "sdtContent":
		d.readBlocks(x, emit)
		d.tick = ""
	case "del", "moveFrom", "sdtEndPr", "customXmlPr", "pPr", "rPr":
	case "sectPr":
		d.readSectionHeaders(x)
	case "annotation":
		d.readAnnotation(x, e, func() { d.readBlocks(x, emit) })
	case "altChunk":
		d.readForeignPart(x, d.links.TargetByID[e.PrefixedAttribute("id")], emit)
	default:
		if !d.readCommentMark(x, e) {
			d.readBlocks(x, emit)
		}
	}
}

// readAlternateContent reads one of several alternative forms of the same content: the first that
// has text (ECMA-376 part 3, clause 7).
func (d *document) readAlternateContent(x *zipxml.Reader, read func()) {
	before := x.CountedTextBytes
	x.EachChild(func(zipxml.Element) {
		if x.CountedTextBytes == before {
			read()
		}
	}, nil)
}

func (d *document) readTable(x *zipxml.Reader, emit func(markdown.Block)) {
	var g markdown.TableBuilder
	d.readRows(x, &g)
	for _, b := range g.Blocks() {
		emit(b)
	}
}

func (d *document) readRows(x *zipxml.Reader, g *markdown.TableBuilder) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "tr":
			g.BeginRow()
			if x.CountBytes(extract.CellOverheadBytes); d.readRow(x, g) {
				g.DropRow()
			}
		case "tblPr", "tblGrid":
		default:
			d.readRows(x, g)
		}
	}, nil)
}

// readRow reads a row, and reports whether it is hidden or was deleted by a tracked change.
func (d *document) readRow(x *zipxml.Reader, g *markdown.TableBuilder) (isUnseen bool) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "tc":
			d.readCell(x, g)
		case "trPr":
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "del":
					isUnseen = true
				case "hidden":
					isUnseen = isUnseen || e.IsSwitchedOn()
				case "gridBefore":
					g.AddCell(nil, e.NumberAttribute("val", 1))
				}
			}, nil)
		case "sdtPr":
			d.readControl(x)
		case "sdtContent":
			isUnseen = d.readRow(x, g) || isUnseen
			d.tick = ""
		case "tblPrEx":
		default:
			isUnseen = d.readRow(x, g) || isUnseen
		}
	}, nil)
	return isUnseen
}

func (d *document) readCell(x *zipxml.Reader, g *markdown.TableBuilder) {
	var c markdown.Cell
	span, isMerged := 1, false
	x.CountBytes(extract.CellOverheadBytes)
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "tcPr" {
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "gridSpan":
					span = e.NumberAttribute("val", 1)
				case "vMerge": // without a value, it continues the cell above
					isMerged = e.Attribute("val") != "restart"
				}
			}, nil)
			return
		}
		d.readBlock(x, e, func(b markdown.Block) { c = append(c, b) })
	}, nil)
	x.CountBytes(extract.CellOverheadBytes * min(span, markdown.MaxColumnSpan))
	if isMerged && len(c) == 0 {
		g.AddMergedCell(span)
		return
	}
	g.AddCell(c, span)
}
