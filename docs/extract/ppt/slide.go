package ppt

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A slideReader is a slide, or the page with its notes, that is being read.
type slideReader struct {
	*presentation
	isNotes bool   // of which only the notes matter
	outline []body // texts to which shapes refer
	used    []bool // of these
	title   string
	blocks  []markdown.Block
}

// Placeholders ([MS-PPT] 2.13.22).
const (
	masterDate   = 0x07
	masterNumber = 0x08
	masterFooter = 0x09
	masterHeader = 0x0A
)

// read reads the shapes, and then the texts of the outline that none of them shows.
func (s *slideReader) read(slide record) {
	s.used = make([]bool, len(s.outline))
	s.walk(slide, 0)
	for i := range s.outline {
		if !s.used[i] {
			s.add(s.outline[i])
		}
	}
}

// walk reads the shapes in a container, and in the groups in it.
func (s *slideReader) walk(container record, depth int) {
	if depth > extract.MaxDepth {
		return
	}
	for _, r := range container.children() {
		if s.left--; s.left < 0 {
			return
		}
		switch {
		case r.kind == shapeContainer:
			s.shape(r)
		case r.kind == shapeGroup && isTable(r):
			s.table(r)
		case r.isContainer:
			s.walk(r, depth+1)
		}
	}
}

// shape reads the text of a shape.
func (s *slideReader) shape(shape record) {
	text, ok := s.text(shape.child(clientTextbox))
	if !ok {
		return
	}
	placeholder := 0
	if p := shape.child(clientData).child(placeholderAtom); len(p.data) > 4 {
		placeholder = int(p.data[4])
	}
	switch placeholder {
	case masterNumber:
	case masterDate, masterFooter, masterHeader:
		if !s.isNotes {
			s.blocks = append(s.blocks, s.footers.KeepUnseen(text.blocks())...)
		}
	default:
		s.add(text)
	}
}

// text is that of a box: its own, or one of the outline.
func (s *slideReader) text(box record) (text body, ok bool) {
	var own []body
	for _, r := range box.children() {
		if i := number(r.data, 0); r.kind == outlineTextRef && i < len(s.outline) {
			s.used[i] = true
			return s.outline[i], true
		}
		own = addText(own, r)
	}
	if len(own) == 0 {
		return body{}, false
	}
	return own[0], true
}

// add adds a text to the slide, its first title as that.
func (s *slideReader) add(text body) {
	blocks := text.blocks()
	if isTitle := text.kind == titleText || text.kind == centerTitleText; isTitle && s.title == "" && !s.isNotes {
		s.title = line(blocks)
		return
	}
	s.blocks = append(s.blocks, blocks...)
}

func line(blocks []markdown.Block) string {
	var l markdown.BlockLines
	for _, b := range blocks {
		l.AddBlock(b)
	}
	return markdown.OneLine(l.String())
}

// The texts of headers and footers by their instances, and the flags that have them shown
// ([MS-PPT] 2.4.15.1 and 2.4.15.2).
var edgeStrings = map[int]int{1: 0x10, 2: 0x20}

// footersOf returns the headers and footers that a slide, or the document, sets, as far as no
// slide before has them.
func (p *presentation) footersOf(container record) (all []markdown.Block) {
	for _, edges := range container.children() {
		if edges.kind != headersFooters {
			continue
		}
		shown := short(edges.child(shownAtom).data, 2)
		for _, r := range edges.children() {
			if text := markdown.OneLine(decode(r.data)); r.kind == cString && edgeStrings[r.instance]&shown != 0 && text != "" {
				all = append(all, markdown.Block{Text: text})
			}
		}
	}
	return p.footers.KeepUnseen(all)
}

// tableProperties is the property that the group of a table has ([MS-ODRAW] 2.3.4.37).
const tableProperties = 0x039F

// isTable tells whether a group of shapes is a table.
func isTable(group record) bool {
	first := group.child(shapeContainer)
	properties := first.child(groupProperties)
	for i := range properties.instance {
		if short(properties.data, 6*i)&0x3FFF == tableProperties {
			return number(properties.data, 6*i+2)&1 != 0
		}
	}
	return false
}

// childAnchor is the record with the place of a shape in its group ([MS-ODRAW] 2.2.39).
const childAnchor = 0xF00F

// table reads a group whose shapes are the cells, row by row.
func (s *slideReader) table(group record) {
	type cell struct {
		left, top int32
		blocks    []markdown.Block
	}
	var cells []cell
	for _, shape := range group.children() {
		if s.left--; s.left < 0 {
			return
		}
		anchor := shape.child(childAnchor).data
		if text, ok := s.text(shape.child(clientTextbox)); ok && len(anchor) >= 16 {
			text.kind = otherText
			cells = append(cells, cell{int32(binary.LittleEndian.Uint32(anchor)), int32(binary.LittleEndian.Uint32(anchor[4:])), text.blocks()})
		}
	}
	slices.SortStableFunc(cells, func(a, b cell) int {
		if a.top != b.top {
			return int(a.top) - int(b.top)
		}
		return int(a.left) - int(b.left)
	})
	var g markdown.TableBuilder
	for i, c := range cells {
		if i == 0 || c.top != cells[i-1].top {
			g.BeginRow()
		}
		g.AddCell(markdown.Cell(c.blocks), 1)
	}
	s.blocks = append(s.blocks, g.Blocks()...)
}

// comments reads those of PowerPoint 2002 and later, which lie deep in a slide: of the
// texts of each the second is what it says ([MS-PPT] 2.5.20).
func (s *slideReader) comments(container record, depth int) (all []markdown.Block) {
	if depth > extract.MaxDepth {
		return nil
	}
	for _, r := range container.children() {
		if s.left--; s.left < 0 {
			return all
		}
		switch {
		case r.kind == comment:
			for _, t := range r.children() {
				if said := strings.TrimSpace(decode(t.data)); t.kind == cString && t.instance == 1 && said != "" {
					all = append(all, markdown.Block{Text: "Comment: " + markdown.OneLine(said)})
				}
			}
		case r.isContainer, r.kind == binaryTagData:
			all = append(all, s.comments(r, depth+1)...)
		}
	}
	return all
}

// decode is a text of UTF-16.
func decode(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return lineBreaks.Replace(string(utf16.Decode(units)))
}
