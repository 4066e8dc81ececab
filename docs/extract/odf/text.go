package odf

import (
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// ReadText returns the text of a text document.
func ReadText(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := openDocument(raw)
	if err != nil {
		return extract.Content{}, err
	}
	var edges []string
	d.ReadXMLFile("styles.xml", func(x *zipxml.Reader) { edges = d.readStyles(x) })
	err = d.ReadXMLFile("content.xml", func(x *zipxml.Reader) {
		d.readContent(x, func(b markdown.Block) {
			b.Write(&d.w)
			d.writeNotes()
			if d.w.IsFull {
				x.StopWith(extract.ErrTooMuchText)
			}
		})
	})
	if err == nil || !extract.IsLimitError(err) && d.w.Text.Len() > 0 {
		for _, text := range edges {
			d.w.WriteParagraph(text)
		}
		d.writeNotes()
	}
	return d.contentUntilError(err)
}

// readContent reads content.xml: its automatic styles and then its text.
func (d *document) readContent(x *zipxml.Reader, emit func(markdown.Block)) {
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "automatic-styles":
			d.readStyles(x)
		case "body":
			d.readBlocks(x, blockPosition{}, emit)
		default:
			return false
		}
		return true
	})
}

// readHeadersFooters returns the headers and footers of the page styles, each once.
func (d *document) readHeadersFooters(x *zipxml.Reader) []string {
	var edges []string
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "header", "footer", "header-left", "footer-left", "header-first", "footer-first":
			var lines markdown.BlockLineBuilder
			d.readBlocks(x, blockPosition{}, lines.AddBlock)
			if text := lines.String(); office.ContainsLetter(text) && !office.IsPageLabel(text) && !slices.Contains(edges, text) && len(edges) < extract.MaxNestingDepth {
				edges = append(edges, text)
			}
			return true
		}
		return false
	})
	return edges
}

// A blockPosition is the place of a block in a list.
type blockPosition struct {
	list   *listCounter
	level  int    // level of the list, from 1; 0 outside lists
	marker string // marker of the list item, for its first paragraph
}

func (d *document) readBlocks(x *zipxml.Reader, at blockPosition, emit func(markdown.Block)) {
	x.EachChild(func(e zipxml.Element) { d.readBlock(x, e, &at, emit) }, nil)
}

func (d *document) readBlock(x *zipxml.Reader, e zipxml.Element, at *blockPosition, emit func(markdown.Block)) {
	switch e.Name {
	case "p", "h":
		d.readParagraph(x, e, at, emit)
	case "list":
		d.readList(x, e, *at, emit)
	case "table":
		d.readTable(x, emit)
	case "frame", "custom-shape", "rect", "line", "ellipse", "text-box", "g":
		d.readFrame(x, emit)
	case "annotation":
		d.readAnnotation(x)
	case "section":
		if !isHiddenPart(e) {
			d.readBlocks(x, *at, emit)
		}
	case "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "automatic-styles",
		"table-of-content-source", "script", "settings":
	default:
		d.readBlocks(x, *at, emit)
	}
}

func (d *document) readTable(x *zipxml.Reader, emit func(markdown.Block)) {
	var g markdown.TableBuilder
	var rowsLeft []int // for each column, the number of further rows that the cell above spans
	column := 0
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "table-row":
			x.CountBytes(extract.CellOverheadBytes)
			g.BeginRow()
			column = 0
		case "table-cell":
			x.CountBytes(extract.CellOverheadBytes)
			var c markdown.Cell
			d.readBlocks(x, blockPosition{}, func(b markdown.Block) { c = append(c, b) })
			g.AddCell(c, 1)
			for len(rowsLeft) <= column {
				rowsLeft = append(rowsLeft, 0)
			}
			rowsLeft[column] = repeatCount(e, "number-rows-spanned", lastRow) - 1
			column++
			return true
		case "covered-table-cell":
			x.CountBytes(extract.CellOverheadBytes)
			if column < len(rowsLeft) && rowsLeft[column] > 0 {
				rowsLeft[column]--
				g.AddMergedCell(1)
			} else {
				g.AddCell(nil, 1)
			}
			column++
			return true
		}
		return false
	})
	for _, b := range g.Blocks() {
		emit(b)
	}
}

func (d *document) readParagraph(x *zipxml.Reader, e zipxml.Element, at *blockPosition, emit func(markdown.Block)) {
	p := paragraph{format: d.paragraphFormat(e.Attribute("style-name")).or(d.cellFormat)}
	d.readInline(x, &p)
	if p.isHidden {
		return
	}
	b := markdown.Block{Text: strings.TrimSpace(p.text.String())}
	level := e.NumberAttribute("outline-level", 1)
	if e.Name == "p" {
		level = d.headingLevel(e.Attribute("style-name"))
	}
	switch {
	case b.Text == "":
	case level > 0:
		b.Kind, b.Level = markdown.Heading, level
		if b.Marker = at.takeMarker(); e.Name == "h" && b.Marker == "" && e.Attribute("is-list-header") != "true" {
			b.Marker = d.outline.nextMarker(level, 0)
		}
	case at.marker != "":
		b.Kind, b.Level, b.Marker = markdown.ListItem, at.level-1, at.takeMarker()
	}
	if b.Text != "" {
		emit(b)
	}
	for _, b := range p.blocksAfter {
		emit(b)
	}
}

// takeMarker returns the marker of the list item and clears it, so that only the first paragraph
// has it.
func (at *blockPosition) takeMarker() string {
	marker := at.marker
	at.marker = ""
	return marker
}

// A paragraph holds the text of the paragraph that is being read.
type paragraph struct {
	text        markdown.InlineText
	format      textFormat       // format of the text that is being read
	isHidden    bool             // whether a field hides the paragraph
	blocksAfter []markdown.Block // text boxes and pictures in the paragraph, which are written after it
}

// write appends text in the current format, unless it is hidden.
func (p *paragraph) write(text string) { p.writeMarkdown(markdown.EscapeTildes(text)) }

// writeMarkdown is write for text that has marks already.
func (p *paragraph) writeMarkdown(text string) {
	if p.format.hidden != on {
		p.text.IsNextStruck = p.format.struck == on
		p.text.WriteMarkdown(text)
	}
}

func (d *document) readInline(x *zipxml.Reader, p *paragraph) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "s":
			p.write(strings.Repeat(" ", min(max(e.NumberAttribute("c", 1), 1), markdown.MaxColumnSpan)))
		case "tab":
			p.write("\t")
		case "line-break":
			p.write("\n")
		case "note":
			d.readNote(x, p)
		case "annotation":
			d.readAnnotation(x)
		case "span":
			d.readSpan(x, e, p)
		case "frame", "custom-shape", "rect", "line", "ellipse", "text-box", "g", "p", "list", "table":
			d.readAnchored(x, e, p)
		case "ruby-text", "tracked-changes", "script", "page-number", "page-count", "event-listeners":
		case "hidden-text":
			if !isHiddenPart(e) {
				d.readInline(x, p)
			}
		case "hidden-paragraph":
			p.isHidden = p.isHidden || isHiddenPart(e)
		default:
			d.readInline(x, p)
		}
	}, func(b []byte) {
		x.CountBytes(len(b))
		p.write(collapseSpace(b, p.text.EndsWithSpace()))
	})
}

// readSpan reads a span of text, which has a text style, into p.
func (d *document) readSpan(x *zipxml.Reader, e zipxml.Element, p *paragraph) {
	outer := p.format
	defer func() { p.format = outer }()
	p.format = formatOfStyle(d.textStyles, e.Attribute("style-name")).or(outer)
	if p.format.raised != on || outer.raised == on {
		d.readInline(x, p)
		return
	}
	inner := paragraph{format: textFormat{raised: on, hidden: p.format.hidden}}
	d.readInline(x, &inner)
	p.writeMarkdown(markdown.Superscript(inner.text.String()))
	p.blocksAfter = append(p.blocksAfter, inner.blocksAfter...)
}

func (d *document) readAnchored(x *zipxml.Reader, e zipxml.Element, p *paragraph) {
	emit := func(b markdown.Block) {
		if b.IsInlineFormula {
			p.write(b.Text)
			return
		}
		if p.format.hidden == on {
			return
		}
		p.blocksAfter = append(p.blocksAfter, b)
	}
	d.readBlock(x, e, &blockPosition{}, emit)
}

// collapseSpace returns text with every run of white space replaced by one space, and without any
// at the start if a space comes before it (OpenDocument 1.3, part 3, 6.1.2).
func collapseSpace(b []byte, afterSpace bool) string {
	var s strings.Builder
	for start := 0; start < len(b); {
		end := start
		for end < len(b) && !isXMLSpace(b[end]) {
			end++
		}
		if end > start {
			s.Write(b[start:end])
			afterSpace = false
		}
		for start = end; start < len(b) && isXMLSpace(b[start]); start++ {
			if !afterSpace {
				s.WriteByte(' ')
				afterSpace = true
			}
		}
	}
	return s.String()
}

func isXMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// readNote reads a footnote or endnote, whose text is written after the block.
func (d *document) readNote(x *zipxml.Reader, p *paragraph) {
	var lines markdown.BlockLineBuilder
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "note-body" {
			d.readBlocks(x, blockPosition{}, lines.AddBlock)
		}
	}, nil)
	text := markdown.OneLine(lines.String())
	if text == "" || p.format.hidden == on {
		return
	}
	d.noteCount++
	marker := "[^" + strconv.Itoa(d.noteCount) + "]"
	p.write(marker)
	d.pendingNotes = append(d.pendingNotes, marker+": "+text)
}

// readAnnotation reads a comment, which is written after the block.
func (d *document) readAnnotation(x *zipxml.Reader) {
	var lines markdown.BlockLineBuilder
	author := ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "creator":
			author = markdown.OneLine(x.ReadText()) + ": "
		case "date", "date-string", "creator-initials", "sender-initials", "meta-creator-initials":
		default:
			d.readBlock(x, e, &blockPosition{}, lines.AddBlock)
		}
	}, nil)
	if text := markdown.OneLine(lines.String()); text != "" {
		d.pendingNotes = append(d.pendingNotes, "Comment: "+author+text)
	}
}
