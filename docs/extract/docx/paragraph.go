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

// An openParagraph is one that is being read.
type openParagraph struct {
	text    strings.Builder
	style   string
	outline int // level as a heading, from 0, or OutlineUnset
	number  listNumber
	font    string           // of the run, where it is one of symbols
	after   []markdown.Block // text boxes in it, to follow it
	caption string           // the last alternative text
}

// A field is one in which the reader is.
type field struct {
	instruction string
	result      bool // the instruction is over
}

const outlineBody = 9 // ECMA-376 part 1, 17.3.1.20

func (d *document) paragraph(x *zipxml.Reader, emit func(markdown.Block)) {
	p := openParagraph{outline: office.OutlineUnset}
	d.inline(x, &p)
	// A field whose instruction never ends would hide the rest of the document.
	d.fields = slices.DeleteFunc(d.fields, func(f field) bool { return !f.result })
	if b := d.classify(&p); strings.TrimSpace(b.Text) != "" {
		emit(b)
	}
	for _, b := range p.after {
		emit(b)
	}
}

// classify returns the paragraph as what its style and its numbering make it.
func (d *document) classify(p *openParagraph) markdown.Block {
	style, ok := d.styles[p.style]
	if !ok {
		style.outline = office.StyleOutline(p.style)
	}
	b := markdown.Block{Text: p.text.String()}
	number := p.number
	if number.id == "" {
		number = style.number
	}
	marker, level := d.numbers.next(number)
	if p.outline == office.OutlineUnset {
		p.outline = style.outline
	}
	switch {
	case 0 <= p.outline && p.outline < outlineBody:
		b.Kind, b.Level = markdown.Heading, p.outline+1
		if marker != markdown.Bullet {
			b.Marker = marker
		}
	case marker != "":
		b.Kind, b.Level, b.Marker = markdown.Item, level, marker
	}
	return b
}

// inline reads the content of a paragraph, or of a part of one.
func (d *document) inline(x *zipxml.Reader, p *openParagraph) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "pPr":
			p.properties(x)
		case "r":
			p.font = ""
			d.inline(x, p)
		case "rPr":
			p.runProperties(x)
		case "t":
			d.add(p, office.SymbolText(p.font, x.ReadText()))
		case "fldChar":
			d.field(e.Attribute("fldCharType"))
		case "instrText":
			d.instruct(x.ReadText())
		case "fldSimple":
			if !isPageNumber(e.Attribute("instr")) {
				d.inline(x, p)
			}
		case "del", "moveFrom", "delText", "delInstrText", "sdtPr", "sdtEndPr", "rt", "rubyPr", "tblPr":
		default:
			if !d.mark(x, e, p) {
				d.inline(x, p)
			}
		}
	}, nil)
}

// mark adds what an element without text of its own stands for.
func (d *document) mark(x *zipxml.Reader, e zipxml.Element, p *openParagraph) bool {
	switch e.Name {
	case "tab", "ptab":
		d.add(p, "\t")
	case "br", "cr":
		d.add(p, "\n")
	case "noBreakHyphen":
		d.add(p, "-")
	case "sym":
		d.add(p, office.SymbolCharacter(e.Attribute("font"), e.Attribute("char")))
	case "footnoteReference":
		d.note(p, d.footnotes, e.Attribute("id"))
	case "endnoteReference":
		d.note(p, d.endnotes, e.Attribute("id"))
	case "oMath":
		d.add(p, office.ReadFormula(x))
	default:
		return d.graphic(x, e, p)
	}
	return true
}

// graphic reads what pictures and shapes say.
func (d *document) graphic(x *zipxml.Reader, e zipxml.Element, p *openParagraph) bool {
	emit := func(b markdown.Block) { p.after = append(p.after, b) }
	switch e.Name {
	case "AlternateContent":
		d.alternate(x, func() { d.inline(x, p) })
	case "txbxContent":
		d.box(x, emit)
	case "p":
		d.paragraph(x, emit)
	case "docPr", "cNvPr":
		d.describe(x, p, e.Attribute("descr"))
		return false
	case "shape", "rect", "imagedata":
		d.describe(x, p, e.Attribute("alt"))
		return false
	case "textpath": // WordArt
		d.add(p, e.Attribute("string"))
	case "chart":
		d.related(x, d.ReadChart(d.links.TargetByID[e.PrefixedAttribute("id")]), emit)
	case "relIds":
		d.related(x, d.ReadDiagram(d.links.TargetByID[e.PrefixedAttribute("dm")]), emit)
	default:
		return false
	}
	return true
}

// related takes the blocks of another part that belongs here.
func (d *document) related(x *zipxml.Reader, blocks []markdown.Block, emit func(markdown.Block)) {
	for i := range blocks {
		x.CountBytes(blocks[i].HeldSize())
		emit(blocks[i])
	}
}

// box reads a text box, whose fields are its own.
func (d *document) box(x *zipxml.Reader, emit func(markdown.Block)) {
	fields := d.fields
	d.fields = nil
	d.blocks(x, emit)
	d.fields = fields
}

// describe adds an alternative text, which a picture may have in two places.
func (d *document) describe(x *zipxml.Reader, p *openParagraph, text string) {
	if text = markdown.CleanAltText(text); text == "" || text == p.caption {
		return
	}
	p.caption = text
	x.CountBytes(len(text))
	p.after = append(p.after, markdown.Block{Text: text})
}

// add adds text, unless it belongs to the instruction of a field or is the
// number of a page.
func (d *document) add(p *openParagraph, text string) {
	for _, f := range d.fields {
		if !f.result || isPageNumber(f.instruction) {
			return
		}
	}
	p.text.WriteString(text)
}

func (d *document) field(kind string) {
	last := len(d.fields) - 1
	switch {
	case kind == "begin" && len(d.fields) < extract.MaxDepth:
		d.fields = append(d.fields, field{})
	case kind == "separate" && last >= 0:
		d.fields[last].result = true
	case kind == "end" && last >= 0:
		d.fields = d.fields[:last]
	}
}

func (d *document) instruct(text string) {
	if last := len(d.fields) - 1; last >= 0 && len(d.fields[last].instruction) < markdown.LongHeading {
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

func (p *openParagraph) properties(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "pStyle":
			p.style = e.Attribute("val")
		case "outlineLvl":
			p.outline = e.NumberAttribute("val", office.OutlineUnset)
		case "numPr":
			p.number = readNumber(x)
		}
	}, nil)
}

func (p *openParagraph) runProperties(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "rFonts" {
			p.font = e.Attribute("ascii")
		}
	}, nil)
}

// note marks a footnote or endnote, whose text follows the block.
func (d *document) note(p *openParagraph, notes map[string]string, id string) {
	text := notes[id]
	if text == "" {
		return
	}
	delete(notes, id) // each is written once
	d.noteCount++
	marker := "[^" + strconv.Itoa(d.noteCount) + "]"
	d.add(p, marker)
	d.notes = append(d.notes, marker+": "+text)
}
