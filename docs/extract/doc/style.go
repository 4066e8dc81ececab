package doc

import (
	"unicode/utf16"

	"vademecum/docs/extract/office"
)

// A style is what one of paragraphs says ([MS-DOC] 2.9.260).
type style struct {
	name       string
	base       int
	properties []byte
}

// readStyles reads the styles, by their numbers, each by the reader of its version ([MS-DOC]
// 2.9.271).
func readStyles(sheet []byte, read func(d []byte, fixed int) style) []style {
	size := short(sheet, 0)
	count, base := short(sheet, 2), short(sheet, 4)
	if size+2 > len(sheet) {
		return nil
	}
	var all []style
	rest := sheet[2+size:]
	for range count {
		n := short(rest, 0)
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
	isOfParagraphs := short(d, 2)&15 == paragraphs
	s.base = short(d, 2) >> 4
	n := short(d, fixed)
	end := fixed + 2 + 2*n
	if end+2 > len(d) {
		return s
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = uint16(short(d, fixed+2+2*i))
	}
	s.name = string(utf16.Decode(units))
	if end += 2; isOfParagraphs && end+4 <= len(d) {
		if n := short(d, end); n >= 2 && end+2+n <= len(d) {
			s.properties = d[end+4 : end+2+n]
		}
	}
	return s
}

// A paragraph is what is known of one.
type paragraph struct {
	outline int // from 0, or office.OutlineUnset
	list    int // 0: it is no item
	level   int // of an item
	inTable bool
	endsRow bool
}

// paragraphOf resolves the properties of a paragraph with those of its style.
func (d *document) paragraphOf(r run) paragraph {
	p, known := d.resolved[r.style]
	if !known {
		p = paragraph{outline: office.OutlineUnset}
		d.applyStyle(&p, r.style, 0)
		d.resolved[r.style] = p
	}
	p.apply(r.properties)
	return p
}

// applyStyle applies a style to a paragraph, after those that it is based on.
func (d *document) applyStyle(p *paragraph, number, depth int) {
	if number >= len(d.styles) || depth > office.MaxBases {
		return
	}
	s := &d.styles[number]
	d.applyStyle(p, s.base, depth+1)
	if o := office.StyleOutline(s.name); o != office.OutlineUnset {
		p.outline = o
	}
	p.apply(s.properties)
}

func (p *paragraph) apply(properties []byte) {
	for kind, operand := range changes(properties) {
		switch kind {
		case isInTable:
			p.inTable = operand[0] != 0
		case endsRow:
			p.endsRow = operand[0] != 0
		case outline:
			p.outline = int(operand[0])
		case levelInList:
			p.level = int(operand[0])
		case list:
			p.list = short(operand, 0)
		}
	}
}
