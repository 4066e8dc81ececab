package extract

import "slices"

// A docx reads a WordprocessingML document (ECMA-376 part 1, clause 17).
type docx struct {
	*opcPackage
	w         writer
	styles    map[string]docxStyle
	numbers   numbering
	footnotes map[string]string
	endnotes  map[string]string
	comments  map[string]string
	links     relations // of the part that is being read
	noteCount int
	notes     []string // that the block being read refers to, to be written after it
	fields    []docxField
	failed    error
}

func readDOCX(raw []byte, _ Progress) (Content, error) {
	a, err := openPackage(raw)
	if err != nil {
		return Content{}, err
	}
	d := &docx{opcPackage: a}
	part := a.mainPart("word/document.xml")
	d.prepare(part)
	if err := d.body(part); err != nil {
		return Content{}, err
	}
	d.edges()
	c, err := d.w.content()
	c.Title = a.officeTitle()
	if d.failed != nil {
		c.Note = "the rest could not be read: " + d.failed.Error()
	}
	return c, err
}

// prepare reads what the document refers to. A part that cannot be read takes
// nothing else with it.
func (d *docx) prepare(part string) {
	links := d.relations(part)
	d.styles = readStyles(d.archive, links.part("styles"))
	d.numbers = readNumbering(d.archive, links.part("numbering"))
	d.footnotes = d.readNotes(links.part("footnotes"), "footnote")
	d.endnotes = d.readNotes(links.part("endnotes"), "endnote")
	d.comments = d.readNotes(links.part("comments"), "comment")
}

// body writes the text of the main part. It fails if there is none for a
// reason that the user should know.
func (d *docx) body(part string) error {
	d.links = d.relations(part)
	err := d.walk(part, func(x *xmlReader) {
		d.blocks(x, func(b block) {
			b.write(&d.w)
			d.writeNotes()
			if d.w.full && x.err == nil {
				x.err = ErrTooMuchText
			}
		})
	})
	if err == nil {
		return nil
	}
	if d.w.text.Len() == 0 || isLimit(err) {
		return asSkip(err)
	}
	d.failed = err
	return nil
}

func (d *docx) writeNotes() {
	notes := d.notes
	d.notes = nil
	for _, n := range notes {
		d.w.paragraph(n)
	}
}

// edges writes what headers and footers say, each text once.
func (d *docx) edges() {
	var written []string
	for _, link := range d.links.all {
		if link.kind != "header" && link.kind != "footer" {
			continue
		}
		text := d.partText(link.target)
		if hasLetter(text) && !slices.Contains(written, text) && len(written) < maxDepth {
			written = append(written, text)
			d.w.paragraph(text)
		}
	}
	d.writeNotes()
}

// partText returns the text of a part, one line for each block.
func (d *docx) partText(part string) string {
	var lines blockLines
	d.fields = nil
	if err := d.walk(part, func(x *xmlReader) { d.blocks(x, lines.add) }); err != nil && d.failed == nil && isLimit(err) {
		d.failed = err
	}
	return lines.String()
}

// blocks reads the children of a body, cell, note or text box.
func (d *docx) blocks(x *xmlReader, emit func(block)) {
	x.children(func(e element) { d.block(x, e, emit) }, nil)
}

func (d *docx) block(x *xmlReader, e element, emit func(block)) {
	switch e.name {
	case "p":
		d.paragraph(x, emit)
	case "tbl":
		d.table(x, emit)
	case "oMathPara", "oMath":
		if text := formula(x); text != "" {
			emit(block{text: text})
		}
	case "AlternateContent":
		d.alternate(x, func() { d.blocks(x, emit) })
	case "del", "moveFrom", "sdtPr", "sdtEndPr", "sectPr", "customXmlPr", "pPr", "rPr":
	case "altChunk":
		d.foreign(x, d.links.targets[e.reference("id")], emit)
	default:
		d.blocks(x, emit)
	}
}

// alternate reads the first choice of several forms of the same content, and
// the others only while none held text (ECMA-376 part 3, clause 7).
func (d *docx) alternate(x *xmlReader, read func()) {
	before := x.taken
	x.children(func(element) {
		if x.taken == before {
			read()
		}
	}, nil)
}

func (d *docx) table(x *xmlReader, emit func(block)) {
	var g grid
	d.rows(x, &g)
	for _, b := range g.blocks() {
		emit(b)
	}
}

func (d *docx) rows(x *xmlReader, g *grid) {
	x.children(func(e element) {
		switch e.name {
		case "tr":
			g.row()
			if x.take(cellCost); d.cells(x, g) {
				g.dropRow()
			}
		case "tblPr", "tblGrid":
		default:
			d.rows(x, g)
		}
	}, nil)
}

// cells reads a row, and tells whether it was deleted.
func (d *docx) cells(x *xmlReader, g *grid) (deleted bool) {
	x.children(func(e element) {
		switch e.name {
		case "tc":
			d.cell(x, g)
		case "trPr":
			x.children(func(e element) {
				switch e.name {
				case "del":
					deleted = true
				case "gridBefore":
					g.cell(nil, e.number("val", 1))
				}
			}, nil)
		case "tblPrEx", "sdtPr":
		default:
			deleted = d.cells(x, g) || deleted
		}
	}, nil)
	return deleted
}

func (d *docx) cell(x *xmlReader, g *grid) {
	var c gridCell
	span := 1
	x.take(cellCost)
	x.children(func(e element) {
		if e.name == "tcPr" {
			x.children(func(e element) {
				if e.name == "gridSpan" {
					span = e.number("val", 1)
				}
			}, nil)
			return
		}
		d.block(x, e, func(b block) { c = append(c, b) })
	}, nil)
	x.take(cellCost * min(span, maxSpan))
	g.cell(c, span)
}
