package docx

import (
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// An openParagraph collects a paragraph while it is read.
type openParagraph struct {
	text        markdown.InlineText
	style       string
	outline     office.OutlineLevel
	number      listReference
	marker      string // list marker stored in the document (Word 2003); "" if none
	run         runFormat
	blocksAfter []markdown.Block // text boxes and other blocks to write after the paragraph
	lastAltText string           // last alternative text, so that a repetition of it is skipped
}

// A runFormat holds the properties of a run that change what its text says.
type runFormat struct {
	symbolFont string // font, for the conversion of symbols
	isRaised   bool   // whether the run is superscript
	isStruck   bool   // whether the run is struck out
	isHidden   bool   // whether Word neither shows nor prints the run
}

// A field is a field whose end has not been read yet.
type field struct {
	instruction string
	inResult    bool // whether its instruction has ended
}

func (d *document) readParagraph(x *zipxml.Reader, emit func(markdown.Block)) {
	p := openParagraph{outline: office.OutlineUnset}
	d.readInline(x, &p)
	d.comments.addText(" ")
	// Otherwise a field whose instruction never ends would hide the rest of the document.
	d.fields = slices.DeleteFunc(d.fields, func(f field) bool { return !f.inResult })
	if b := d.classifyParagraph(&p); strings.TrimSpace(b.Text) != "" {
		emit(b)
	}
	for _, b := range p.blocksAfter {
		emit(b)
	}
}

// classifyParagraph returns the paragraph as a heading, item or plain block, by its style and
// numbering.
func (d *document) classifyParagraph(p *openParagraph) markdown.Block {
	style, ok := d.styles[p.style]
	if !ok {
		style.outline = office.StyleOutlineLevel(p.style)
	}
	b := markdown.Block{Text: p.text.String()}
	number := p.number
	if number.id == "" {
		number = style.number
	}
	marker, level := d.numbers.nextMarker(number)
	if p.marker != "" {
		marker, level = p.marker, min(max(p.number.level, 0), office.ListLevelCount-1)
	}
	if p.outline == office.OutlineUnset {
		p.outline = style.outline
	}
	switch headingLevel, isHeading := p.outline.HeadingLevel(); {
	case isHeading:
		b.Kind, b.Level = markdown.Heading, headingLevel
		if marker != markdown.Bullet {
			b.Marker = marker
		}
	case marker != "":
		b.Kind, b.Level, b.Marker = markdown.ListItem, level, marker
	}
	return b
}

// readInline reads the content of a paragraph or of an inline element.
func (d *document) readInline(x *zipxml.Reader, p *openParagraph) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "pPr":
			d.readProperties(x, p)
		case "r":
			d.readRun(x, p)
		case "rPr":
			d.readRunProperties(x, p)
		case "t":
			text := office.SymbolText(p.run.symbolFont, x.ReadText())
			if p.run.isRaised {
				text = markdown.Superscript(text)
			}
			d.addText(p, text)
		case "fldChar":
			d.addText(p, readFormField(x)) // the state comes before the field, whose instruction is not shown
			d.changeFieldState(e.Attribute("fldCharType"))
		case "instrText":
			d.addFieldInstruction(x.ReadText())
		case "fldSimple":
			if !isPageNumber(e.Attribute("instr")) {
				d.readInline(x, p)
			}
		case "annotation":
			d.readAnnotation(x, e, func() { d.readInline(x, p) })
		case "sdtPr":
			d.readControl(x)
		case "sdtContent":
			d.readInline(x, p)
			d.tick = ""
		case "del", "moveFrom", "delText", "delInstrText", "sdtEndPr", "rt", "rubyPr", "tblPr":
		default:
			if !d.readCommentMark(x, e) && !p.run.isHidden && !d.addEmptyElement(x, e, p) {
				d.readInline(x, p)
			}
		}
	}, nil)
}

// readRun reads a run, which has the format of the paragraph's style unless its own properties
// differ.
func (d *document) readRun(x *zipxml.Reader, p *openParagraph) {
	outer, style := p.run, d.styles[p.style]
	p.run = runFormat{isStruck: style.isStruck, isHidden: style.isHidden || outer.isHidden}
	d.readInline(x, p)
	p.run = outer
}

// addEmptyElement adds the text of an empty element, such as a tab, a note or a formula. It reports
// whether the element was handled, here or by readGraphic.
func (d *document) addEmptyElement(x *zipxml.Reader, e zipxml.Element, p *openParagraph) bool {
	switch e.Name {
	case "tab", "ptab":
		d.addText(p, "\t")
	case "br", "cr":
		d.addText(p, "\n")
	case "noBreakHyphen":
		d.addText(p, "-")
	case "sym":
		d.addText(p, office.SymbolCharacter(e.Attribute("font"), e.Attribute("char")))
	case "footnoteReference":
		d.addNoteMarker(p, d.footnotes, e.Attribute("id"))
	case "endnoteReference":
		d.addNoteMarker(p, d.endnotes, e.Attribute("id"))
	case "oMath":
		d.addText(p, office.ReadFormula(x))
	default:
		return d.readGraphic(x, e, p)
	}
	return true
}

// readGraphic reads the text of pictures and shapes, and reports whether the element was handled.
func (d *document) readGraphic(x *zipxml.Reader, e zipxml.Element, p *openParagraph) bool {
	emit := func(b markdown.Block) { p.blocksAfter = append(p.blocksAfter, b) }
	switch e.Name {
	case "AlternateContent":
		d.readAlternateContent(x, func() { d.readInline(x, p) })
	case "txbxContent":
		d.readTextBox(x, emit)
	case "p":
		d.readParagraph(x, emit)
	case "docPr", "cNvPr":
		d.addAltText(x, p, e.Attribute("descr"))
		return false
	case "shape", "rect", "imagedata":
		d.addAltText(x, p, e.Attribute("alt"))
		return false
	case "textpath": // WordArt
		d.addText(p, e.Attribute("string"))
	case "chart":
		d.emitCountedBlocks(x, d.ReadChart(d.links.TargetByID[e.PrefixedAttribute("id")]), emit)
	case "OLEObject":
		text := d.ReadFormulaObject(d.links.TargetByID[e.PrefixedAttribute("id")])
		x.CountBytes(len(text))
		d.addText(p, text)
	case "relIds":
		d.emitCountedBlocks(x, d.ReadDiagram(d.links.TargetByID[e.PrefixedAttribute("dm")]), emit)
	default:
		return false
	}
	return true
}

// emitCountedBlocks emits blocks from another part, such as a chart, and counts their size.
func (d *document) emitCountedBlocks(x *zipxml.Reader, blocks []markdown.Block, emit func(markdown.Block)) {
	for i := range blocks {
		x.CountBytes(blocks[i].MemorySize())
		emit(blocks[i])
	}
}

// readTextBox reads a text box. Its fields are separate from those of the text around it.
func (d *document) readTextBox(x *zipxml.Reader, emit func(markdown.Block)) {
	fields := d.fields
	d.fields = nil
	d.readBlocks(x, emit)
	d.fields = fields
}

// addAltText adds the alternative text of a picture, unless it equals the last one of the paragraph: a
// picture often has the same text in two places.
func (d *document) addAltText(x *zipxml.Reader, p *openParagraph, text string) {
	if text = markdown.CleanAltText(text); text == "" || text == p.lastAltText {
		return
	}
	p.lastAltText = text
	x.CountBytes(len(text))
	p.blocksAfter = append(p.blocksAfter, markdown.Block{Text: text})
}

// addText adds text, unless it is hidden, belongs to a field instruction or is a page number.
func (d *document) addText(p *openParagraph, text string) {
	if p.run.isHidden {
		return
	}
	for _, f := range d.fields {
		if !f.inResult || isPageNumber(f.instruction) {
			return
		}
	}
	if d.tick != "" && strings.TrimSpace(text) != "" {
		text, d.tick = d.tick, ""
	}
	p.text.IsNextStruck = p.run.isStruck
	p.text.WriteString(text)
	d.comments.addText(text)
}

func (d *document) changeFieldState(kind string) {
	last := len(d.fields) - 1
	switch {
	case kind == "begin" && len(d.fields) < extract.MaxNestingDepth:
		d.fields = append(d.fields, field{})
	case kind == "separate" && last >= 0:
		d.fields[last].inResult = true
	case kind == "end" && last >= 0:
		d.fields = d.fields[:last]
	}
}

func (d *document) addFieldInstruction(text string) {
	if last := len(d.fields) - 1; last >= 0 && len(d.fields[last].instruction) < markdown.MaxHeadingBytes {
		d.fields[last].instruction += text
	}
}

func isPageNumber(instruction string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(instruction), " ")
	switch strings.ToUpper(word) {
	case "PAGE", "NUMPAGES", "SECTIONPAGES":
		return true
	}
	return false
}

func (d *document) readProperties(x *zipxml.Reader, p *openParagraph) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "pStyle":
			p.style = e.Attribute("val")
		case "outlineLvl":
			p.outline = office.OutlineLevel(e.NumberAttribute("val", int(office.OutlineUnset)))
		case "numPr":
			p.number = readListReference(x)
		case "sectPr":
			d.readSectionHeaders(x)
		case "listPr": // Word 2003
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "ilvl":
					p.number.level = e.NumberAttribute("val", 0)
				case "t":
					p.marker = listMarker(e.Attribute("val"))
				}
			}, nil)
		}
	}, nil)
}

func (d *document) readRunProperties(x *zipxml.Reader, p *openParagraph) {
	run, base := &p.run, d.styles[p.style]
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "rStyle": // a property that the paragraph style has as well is switched off again (ECMA-376 part 1, 17.7.3)
			style := d.styles[e.Attribute("val")]
			run.isRaised, run.isStruck, run.isHidden = style.isRaised, style.isStruck != base.isStruck, style.isHidden != base.isHidden
		case "rFonts":
			run.symbolFont = e.Attribute("ascii")
		case "vertAlign":
			run.isRaised = isRaised(e)
		case "strike", "dstrike":
			run.isStruck = e.IsSwitchedOn()
		case "vanish", "specVanish":
			run.isHidden = e.IsSwitchedOn()
		}
	}, nil)
}

// isRaised reports whether a run property is superscript.
func isRaised(property zipxml.Element) bool {
	return property.Name == "vertAlign" && property.Attribute("val") == "superscript"
}

// addNoteMarker adds the marker of a footnote or endnote. Its text follows the block.
func (d *document) addNoteMarker(p *openParagraph, notes map[string]string, id string) {
	text := notes[id]
	if text == "" {
		return
	}
	delete(notes, id) // so that the note is written only once
	d.noteCount++
	marker := "[^" + strconv.Itoa(d.noteCount) + "]"
	d.addText(p, marker)
	d.pendingNotes = append(d.pendingNotes, marker+": "+text)
}
