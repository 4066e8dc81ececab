package doc

import "vademecum/docs/extract/office"

// A style is a paragraph style ([MS-DOC] 2.9.260).
type style struct {
	name       string
	base       int
	properties []byte
}

// readStyles reads the styles, by their numbers. The function read decodes a style in the format of
// the version of Word ([MS-DOC] 2.9.271).
func readStyles(sheet []byte, read func(d []byte, fixed int) style) []style {
	size := uint16At(sheet, 0)
	count, base := uint16At(sheet, 2), uint16At(sheet, 4)
	if size+2 > len(sheet) {
		return nil
	}
	var all []style
	rest := sheet[2+size:]
	for range count {
		n := uint16At(rest, 0)
		if n+2 > len(rest) {
			break
		}
		all = append(all, read(rest[2:2+n], base))
		rest = rest[2+n:]
	}
	return all
}

func readStyle(d []byte, fixed int) style {
	const none = 0xFFF
	s := style{base: none}
	if len(d) < fixed+2 || fixed < 4 {
		return s
	}
	const paragraphs = 1
	isOfParagraphs := uint16At(d, 2)&15 == paragraphs
	s.base = uint16At(d, 2) >> 4
	n := uint16At(d, fixed)
	end := fixed + 2 + 2*n
	if end+2 > len(d) {
		return s
	}
	s.name = decodeUTF16(d[fixed+2 : end])
	if end += 2; isOfParagraphs && end+4 <= len(d) {
		if n := uint16At(d, end); n >= 2 && end+2+n <= len(d) {
			s.properties = d[end+4 : end+2+n]
		}
	}
	return s
}

// paragraphProperties are the properties that decide which Markdown block a paragraph becomes.
type paragraphProperties struct {
	outline office.OutlineLevel
	list    int // number of the list use; 0 if the paragraph is not a list item
	level   int // list level
	inTable bool
	endsRow bool
}

// paragraphOf returns the properties of a paragraph, including those of its style.
func (d *document) paragraphOf(r propertyRun) paragraphProperties {
	p, known := d.resolvedStyles[r.style]
	if !known {
		p = paragraphProperties{outline: office.OutlineUnset}
		d.applyStyle(&p, r.style, 0)
		d.resolvedStyles[r.style] = p
	}
	p.applyModifiers(r.properties)
	return p
}

// applyStyle applies a style to p, after the styles on which it is based.
func (d *document) applyStyle(p *paragraphProperties, number, depth int) {
	if number >= len(d.styles) || depth > office.MaxBaseStyles {
		return
	}
	s := &d.styles[number]
	d.applyStyle(p, s.base, depth+1)
	if o := office.StyleOutlineLevel(s.name); o != office.OutlineUnset {
		p.outline = o
	}
	p.applyModifiers(s.properties)
}

func (p *paragraphProperties) applyModifiers(properties []byte) {
	for kind, operand := range eachModifier(properties) {
		switch kind {
		case sprmPFInTable:
			p.inTable = operand[0] != 0
		case sprmPFTtp:
			p.endsRow = operand[0] != 0
		case sprmPOutLvl:
			p.outline = office.OutlineLevel(operand[0])
		case sprmPIlvl:
			p.level = int(operand[0])
		case sprmPIlfo:
			p.list = uint16At(operand, 0)
		}
	}
}
