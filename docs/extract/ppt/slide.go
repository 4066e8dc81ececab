package ppt

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A slideReader holds the state while a slide or a notes page is read.
type slideReader struct {
	*presentation
	isNotes     bool       // whether it is a notes page, of which only the notes are read
	outline     []textBody // texts of placeholders, to which shapes refer
	usedOutline []bool     // for each text in outline, whether a shape has shown it
	title       string
	blocks      []markdown.Block
}

// Types of placeholders ([MS-PPT] 2.13.22).
const (
	masterDate   = 0x07
	masterNumber = 0x08
	masterFooter = 0x09
	masterHeader = 0x0A
)

// read reads the shapes of a slide, and then the texts in outline that no shape shows.
func (s *slideReader) read(slide record) {
	s.usedOutline = make([]bool, len(s.outline))
	s.readShapes(slide, 0)
	for i := range s.outline {
		if !s.usedOutline[i] {
			s.addText(s.outline[i])
		}
	}
}

// readShapes reads the shapes in a container, including nested groups.
func (s *slideReader) readShapes(container record, depth int) {
	if depth > extract.MaxNestingDepth {
		return
	}
	for r := range container.children() {
		switch {
		case r.kind == shapeContainer:
			s.readShape(r)
		case r.kind == shapeGroup && isTable(r):
			s.readTable(r)
		case r.isContainer:
			s.readShapes(r, depth+1)
		}
	}
}

// readShape reads the text of a shape.
func (s *slideReader) readShape(shape record) {
	text, ok := s.shapeText(shape.firstChild(clientTextbox))
	if !ok {
		s.addWordArt(shape)
		s.addFormula(shape)
		return
	}
	placeholder := 0
	if p := shape.firstChild(clientData).firstChild(placeholderAtom); len(p.data) > 4 {
		placeholder = int(p.data[4])
	}
	switch placeholder {
	case masterNumber:
	case masterDate, masterFooter, masterHeader:
		if !s.isNotes {
			s.blocks = append(s.blocks, s.footers.KeepUnseen(text.blocks())...)
		}
	default:
		s.addText(text)
	}
}

// wordArtText is the property with the text of a WordArt object ([MS-ODRAW] 2.3.22.1).
const wordArtText = 0x00C0

// addWordArt adds the text of a WordArt object, which is stored as a property of the shape.
func (s *slideReader) addWordArt(shape record) {
	text := strings.ReplaceAll(decodeUTF16(shape.firstChild(shapeProperties).complexProperty(wordArtText)), "\r", "\n")
	if text = markdown.OneLine(text); text != "" && !s.isNotes {
		s.blocks = append(s.blocks, markdown.Block{Text: text})
	}
}

// shapeText returns the text of a text box: its own, or one of the texts in outline. If several
// boxes refer to the same of these, only the first shows it. ok is false if there is no text to
// show.
func (s *slideReader) shapeText(box record) (text textBody, ok bool) {
	var own []textBody
	for r := range box.children() {
		if i := uint32At(r.data, 0); r.kind == outlineTextRef && i < len(s.outline) {
			isShown := s.usedOutline[i]
			s.usedOutline[i] = true
			return s.outline[i], !isShown
		}
		own = addText(own, r)
	}
	if len(own) == 0 {
		return textBody{}, false
	}
	return own[0], true
}

// addText adds a text to the slide. The first title becomes the title of the slide.
func (s *slideReader) addText(text textBody) {
	blocks := text.blocks()
	if isTitle := text.kind == titleText || text.kind == centerTitleText; isTitle && s.title == "" && !s.isNotes {
		s.title = oneLine(blocks)
		return
	}
	s.blocks = append(s.blocks, blocks...)
}

func oneLine(blocks []markdown.Block) string {
	var l markdown.BlockLineBuilder
	for _, b := range blocks {
		l.AddBlock(b)
	}
	return markdown.OneLine(l.String())
}

// footerFlags are the flags that show a header or footer, by the instance of its text ([MS-PPT]
// 2.4.15.1 and 2.4.15.2).
var footerFlags = map[int]int{1: 0x10, 2: 0x20}

// unseenFooters returns the headers and footers that a slide or the document defines, except those
// of earlier slides.
func (p *presentation) unseenFooters(container record) (all []markdown.Block) {
	for edges := range container.children() {
		if edges.kind != headersFooters {
			continue
		}
		shown := uint16At(edges.firstChild(shownAtom).data, 2)
		for r := range edges.children() {
			if text := markdown.OneLine(decodeUTF16(r.data)); r.kind == cString && footerFlags[r.instance]&shown != 0 && text != "" {
				all = append(all, markdown.Block{Text: text})
			}
		}
	}
	return p.footers.KeepUnseen(all)
}

// tableProperties is the property that marks a group as a table ([MS-ODRAW] 2.3.4.37).
const tableProperties = 0x039F

// isTable reports whether a group of shapes is a table.
func isTable(group record) bool {
	first := group.firstChild(shapeContainer)
	properties := first.firstChild(groupProperties)
	for i := range properties.instance {
		if uint16At(properties.data, 6*i)&0x3FFF == tableProperties {
			return uint32At(properties.data, 6*i+2)&1 != 0
		}
	}
	return false
}

// childAnchor is the record with the position of a shape in its group ([MS-ODRAW] 2.2.39).
const childAnchor = 0xF00F

// readTable reads a table: a group whose shapes are the cells, row by row.
func (s *slideReader) readTable(group record) {
	type cell struct {
		left, top int32
		blocks    []markdown.Block
	}
	var cells []cell
	for shape := range group.children() {
		anchor := shape.firstChild(childAnchor).data
		if text, ok := s.shapeText(shape.firstChild(clientTextbox)); ok && len(anchor) >= 16 {
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

// readComments reads the comments of PowerPoint 2002 and later, which are deeply nested in a slide.
// The second text of each is its content ([MS-PPT] 2.5.20).
func (s *slideReader) readComments(container record, depth int) (all []markdown.Block) {
	if depth > extract.MaxNestingDepth {
		return nil
	}
	for r := range container.children() {
		switch {
		case r.kind == comment:
			for t := range r.children() {
				if said := strings.TrimSpace(decodeUTF16(t.data)); t.kind == cString && t.instance == 1 && said != "" {
					all = append(all, markdown.Block{Text: "Comment: " + markdown.OneLine(said)})
				}
			}
		case r.isContainer, r.kind == binaryTagData:
			all = append(all, s.readComments(r, depth+1)...)
		}
	}
	return all
}

// decodeUTF16 decodes little-endian UTF-16.
func decodeUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return lineBreakReplacer.Replace(string(utf16.Decode(units)))
}
