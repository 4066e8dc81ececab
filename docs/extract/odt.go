package extract

import (
	"slices"
	"strconv"
	"strings"
)

// An odt reads a text in OpenDocument format (OpenDocument 1.3, part 3).
type odt struct {
	*archive
	w         writer
	styles    map[string]odtStyle
	lists     map[string]*odtList
	outline   odtList // numbers of the headings
	noteCount int
	notes     []string // of the block being read, to be written after it
	objects   int      // objects that are open, one in another
}

func readODT(raw []byte, _ Progress) (Content, error) {
	a, err := openArchive(raw)
	if err != nil {
		return Content{}, err
	}
	if isEncrypted(a) {
		return Content{}, ErrPassword
	}
	d := &odt{archive: a, styles: make(map[string]odtStyle), lists: make(map[string]*odtList)}
	var edges []string
	a.walk("styles.xml", func(x *xmlReader) { edges = d.readStyles(x) })
	err = a.walk("content.xml", func(x *xmlReader) {
		d.document(x, func(b block) {
			b.write(&d.w)
			d.writeNotes()
			if d.w.full && x.err == nil {
				x.err = ErrTooMuchText
			}
		})
	})
	if err != nil && (d.w.text.Len() == 0 || isLimit(err)) {
		return Content{}, asSkip(err)
	}
	for _, text := range edges {
		d.w.paragraph(text)
	}
	d.writeNotes()
	c, contentErr := d.w.content()
	c.Title = a.titleIn("meta.xml")
	if err != nil {
		c.Note = "the rest could not be read: " + err.Error()
	}
	return c, contentErr
}

// isEncrypted tells whether the manifest says how to decrypt anything
// (OpenDocument 1.3, part 2, 4.4).
func isEncrypted(a *archive) bool {
	encrypted := false
	a.walk("META-INF/manifest.xml", func(x *xmlReader) {
		x.descend(func(e element) bool {
			encrypted = encrypted || e.name == "encryption-data"
			return encrypted
		})
	})
	return encrypted
}

func (d *odt) writeNotes() {
	notes := d.notes
	d.notes = nil
	for _, n := range notes {
		d.w.paragraph(n)
	}
}

// document reads content.xml: its own styles and then its text.
func (d *odt) document(x *xmlReader, emit func(block)) {
	x.descend(func(e element) bool {
		switch e.name {
		case "automatic-styles":
			d.readStyles(x)
		case "body":
			d.blocks(x, odtPlace{}, emit)
		default:
			return false
		}
		return true
	})
}

// edges reads the headers and footers of the page styles, each text once.
func (d *odt) edges(x *xmlReader) []string {
	var edges []string
	x.descend(func(e element) bool {
		switch e.name {
		case "header", "footer", "header-left", "footer-left", "header-first", "footer-first":
			var lines blockLines
			d.blocks(x, odtPlace{}, lines.add)
			if text := lines.String(); hasLetter(text) && !slices.Contains(edges, text) && len(edges) < maxDepth {
				edges = append(edges, text)
			}
			return true
		}
		return false
	})
	return edges
}

// An odtPlace is where a block stands.
type odtPlace struct {
	list   *odtList
	level  int    // of the list, from 1; 0 outside lists
	marker string // of the next paragraph
}

func (d *odt) blocks(x *xmlReader, at odtPlace, emit func(block)) {
	x.children(func(e element) { d.block(x, e, &at, emit) }, nil)
}

func (d *odt) block(x *xmlReader, e element, at *odtPlace, emit func(block)) {
	switch e.name {
	case "p", "h":
		d.paragraph(x, e, at, emit)
	case "list":
		d.list(x, e, *at, emit)
	case "table":
		d.table(x, emit)
	case "frame", "custom-shape", "rect", "line", "ellipse", "text-box", "g":
		d.frame(x, emit)
	case "annotation":
		d.annotation(x)
	case "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "automatic-styles",
		"table-of-content-source", "script", "settings":
	default:
		d.blocks(x, *at, emit)
	}
}

func (d *odt) table(x *xmlReader, emit func(block)) {
	var g grid
	x.descend(func(e element) bool {
		switch e.name {
		case "table-row":
			x.take(cellCost)
			g.row()
		case "table-cell":
			x.take(cellCost)
			var c gridCell
			d.blocks(x, odtPlace{}, func(b block) { c = append(c, b) })
			g.cell(c, 1)
			return true
		case "covered-table-cell":
			x.take(cellCost)
			g.cell(nil, 1)
			return true
		}
		return false
	})
	for _, b := range g.blocks() {
		emit(b)
	}
}

func (d *odt) paragraph(x *xmlReader, e element, at *odtPlace, emit func(block)) {
	var p odtParagraph
	d.inline(x, &p)
	b := block{text: strings.TrimSpace(p.text.String())}
	level := e.number("outline-level", 1)
	if e.name == "p" {
		level = d.headingLevel(e.attr("style-name"))
	}
	switch {
	case b.text == "":
	case level > 0:
		b.kind, b.level = headingBlock, level
		if b.marker = at.take(); e.name == "h" && b.marker == "" && e.attr("is-list-header") != "true" {
			b.marker = d.outline.next(level, 0)
		}
	case at.marker != "":
		b.kind, b.level, b.marker = itemBlock, at.level-1, at.take()
	}
	if b.text != "" {
		emit(b)
	}
	for _, b := range p.after {
		emit(b)
	}
}

// take returns the marker, which only one paragraph gets.
func (at *odtPlace) take() string {
	marker := at.marker
	at.marker = ""
	return marker
}

// An odtParagraph is one that is being read.
type odtParagraph struct {
	text  strings.Builder
	after []block // text boxes and pictures in it, to follow it
}

func (d *odt) inline(x *xmlReader, p *odtParagraph) {
	x.children(func(e element) {
		switch e.name {
		case "s":
			p.text.WriteString(strings.Repeat(" ", min(max(e.number("c", 1), 1), maxSpan)))
		case "tab":
			p.text.WriteByte('\t')
		case "line-break":
			p.text.WriteByte('\n')
		case "note":
			d.note(x, p)
		case "annotation":
			d.annotation(x)
		case "frame", "custom-shape", "rect", "line", "ellipse", "text-box", "g", "p", "list", "table":
			d.anchored(x, e, p)
		case "ruby-text", "tracked-changes", "script", "page-number", "page-count", "event-listeners", "hidden-paragraph":
		default:
			d.inline(x, p)
		}
	}, func(b []byte) {
		x.take(len(b))
		addCollapsed(&p.text, b)
	})
}

func (d *odt) anchored(x *xmlReader, e element, p *odtParagraph) {
	emit := func(b block) {
		if b.inline {
			p.text.WriteString(b.text)
			return
		}
		p.after = append(p.after, b)
	}
	d.block(x, e, &odtPlace{}, emit)
}

// addCollapsed adds text with every run of white space as one space
// (OpenDocument 1.3, part 3, 6.1.2).
func addCollapsed(s *strings.Builder, b []byte) {
	space := s.Len() > 0 && strings.HasSuffix(s.String()[s.Len()-1:], " ")
	for start := 0; start < len(b); {
		end := start
		for end < len(b) && !isXMLSpace(b[end]) {
			end++
		}
		if end > start {
			s.Write(b[start:end])
			space = false
		}
		for start = end; start < len(b) && isXMLSpace(b[start]); start++ {
			if !space {
				s.WriteByte(' ')
				space = true
			}
		}
	}
}

func isXMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// note reads a footnote or endnote, whose text follows the block.
func (d *odt) note(x *xmlReader, p *odtParagraph) {
	var lines blockLines
	x.children(func(e element) {
		if e.name == "note-body" {
			d.blocks(x, odtPlace{}, lines.add)
		}
	}, nil)
	text := oneLine(lines.String())
	if text == "" {
		return
	}
	d.noteCount++
	marker := "[^" + strconv.Itoa(d.noteCount) + "]"
	p.text.WriteString(marker)
	d.notes = append(d.notes, marker+": "+text)
}

// annotation reads a comment.
func (d *odt) annotation(x *xmlReader) {
	var lines blockLines
	author := ""
	x.children(func(e element) {
		switch e.name {
		case "creator":
			author = oneLine(x.text()) + ": "
		case "date", "date-string", "creator-initials", "sender-initials", "meta-creator-initials":
		default:
			d.block(x, e, &odtPlace{}, lines.add)
		}
	}, nil)
	if text := oneLine(lines.String()); text != "" {
		d.notes = append(d.notes, "Comment: "+author+text)
	}
}
