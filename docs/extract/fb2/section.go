package fb2

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// body reads the text of the book, or its notes.
func (b *book) body(e zipxml.Element) {
	if b.bodies > 1 || e.Attribute("name") == "notes" {
		b.notes()
		return
	}
	top := section{level: 1, chapter: true}
	b.x.EachChild(func(e zipxml.Element) {
		if e.Name != "title" { // which says title and author once more
			b.inSection(e, &top)
		}
	}, nil)
}

// A section is one that is being read.
type section struct {
	level   int    // of its heading
	chapter bool   // it stands as a chapter: those around it have no text of their own
	begun   bool   // its chapter has begun
	own     bool   // it has text of its own: those in it belong to it
	name    string // with those of the sections around it
}

// inSection reads what stands in a section.
func (b *book) inSection(e zipxml.Element, s *section) {
	switch e.Name {
	case "title":
		title := b.line()
		s.name = joined(s.name, title)
		b.beginOnce(s)
		b.w.WriteHeading(s.level, title)
	case "section":
		inner := section{level: s.level + 1, chapter: s.chapter && !s.own, name: s.name}
		b.x.EachChild(func(e zipxml.Element) { b.inSection(e, &inner) }, nil)
	case "epigraph", "annotation", "image":
		b.beginOnce(s)
		b.block(e)
	default:
		b.beginOnce(s)
		s.own = true
		b.block(e)
	}
}

// beginOnce begins the chapter that a section is.
func (b *book) beginOnce(s *section) {
	if s.chapter && !s.begun {
		b.begin(s.name)
		s.begun = true
	}
}

// joined returns the name of a section in another, or its own title where that
// is too long.
func joined(around, title string) string {
	name := title
	if around != "" && title != "" {
		name = around + ", " + title
	}
	if utf8.RuneCountInString(name) > markdown.MaxHeading {
		return shortened(title)
	}
	return name
}

// notes reads the notes, each of which is a section with its number as the title.
func (b *book) notes() {
	begun := false
	b.x.EachChild(func(e zipxml.Element) {
		title := ""
		if e.Name == "title" {
			title = b.line()
		}
		if !begun {
			b.begin(shortened(title))
			begun = true
		}
		switch e.Name {
		case "title":
			b.w.WriteHeading(2, title)
		case "section":
			b.note()
		default:
			b.block(e)
		}
	}, nil)
}

// note reads a note, with its number before its text.
func (b *book) note() {
	b.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "title":
			b.label = b.line()
		case "section":
			b.note()
		default:
			b.block(e)
		}
	}, nil)
	b.label = ""
}

// line returns the paragraphs of a title on one line.
func (b *book) line() string {
	var lines []string
	b.x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name == "p" {
			lines = append(lines, b.x.ReadText())
		}
		return e.Name == "p"
	})
	return markdown.OneLine(strings.Join(lines, " "))
}

func (b *book) blocks() { b.x.EachChild(b.block, nil) }

// block reads a paragraph, or what holds some.
func (b *book) block(e zipxml.Element) {
	switch e.Name {
	case "p", "subtitle", "text-author", "date", "v":
		b.paragraph(markdown.OneLine(b.x.ReadText()))
	case "stanza":
		b.stanza()
	case "table":
		b.table()
	case "image":
		b.paragraph(markdown.CleanAltText(e.Attribute("alt")))
	case "empty-line":
	default:
		b.blocks()
	}
}

// stanza reads the verses of a poem, which stay lines.
func (b *book) stanza() {
	var verses []string
	b.x.EachChild(func(e zipxml.Element) {
		if e.Name == "v" {
			verses = append(verses, markdown.OneLine(b.x.ReadText()))
			return
		}
		b.block(e)
	}, nil)
	b.paragraph(strings.Join(verses, "\n"))
}

func (b *book) table() {
	var g markdown.TableBuilder
	b.x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "tr":
			b.x.CountBytes(extract.CellCost)
			g.BeginRow()
			return false
		case "th", "td":
			b.x.CountBytes(extract.CellCost)
			g.AddCell(markdown.Cell{{Text: markdown.OneLine(b.x.ReadText())}}, e.NumberAttribute("colspan", 1))
		}
		return true
	})
	for _, block := range g.Blocks() {
		block.Write(&b.w)
	}
}
