package fb2

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// readBody reads a body: the text of the book or its notes.
func (b *bookReader) readBody(e zipxml.Element) {
	if b.bodies > 1 || e.Attribute("name") == "notes" {
		b.readNotes()
		return
	}
	top := section{level: 1, isChapter: true}
	b.x.EachChild(func(e zipxml.Element) {
		if e.Name != "title" { // the title repeats the title and the author of the book
			b.readSectionElement(e, &top)
		}
	}, nil)
}

// A section is an open section of the book.
type section struct {
	level      int    // level of its heading
	isChapter  bool   // whether it is a chapter: no section around it has text of its own
	hasBegun   bool   // whether its chapter has begun
	hasOwnText bool   // whether it has text of its own, so that nested sections are not chapters
	name       string // its titles, preceded by those of the sections that contain it
}

// readSectionElement reads a child element of a section.
func (b *bookReader) readSectionElement(e zipxml.Element, s *section) {
	switch e.Name {
	case "title":
		title := b.readTitleLine()
		s.name = joinTitles(s.name, title)
		b.beginSectionChapter(s)
		b.w.WriteHeading(s.level, title)
	case "section":
		inner := section{level: s.level + 1, isChapter: s.isChapter && !s.hasOwnText, name: s.name}
		b.x.EachChild(func(e zipxml.Element) { b.readSectionElement(e, &inner) }, nil)
	case "epigraph", "annotation", "image":
		b.beginSectionChapter(s)
		b.readBlock(e)
	default:
		b.beginSectionChapter(s)
		s.hasOwnText = true
		b.readBlock(e)
	}
}

// beginSectionChapter begins the chapter of a section, if it is one and has not begun.
func (b *bookReader) beginSectionChapter(s *section) {
	if s.isChapter && !s.hasBegun {
		b.beginChapter(s.name)
		s.hasBegun = true
	}
}

// joinTitles returns the title of a nested section, preceded by around, the name of the section
// that contains it, unless the result is too long.
func joinTitles(around, title string) string {
	name := title
	if around != "" && title != "" {
		name = around + ", " + title
	}
	if utf8.RuneCountInString(name) > markdown.MaxHeadingCharacters {
		return shortenTitle(title)
	}
	return name
}

// readNotes reads the notes of the book. Each is a section whose title is its number.
func (b *bookReader) readNotes() {
	begun := false
	b.x.EachChild(func(e zipxml.Element) {
		title := ""
		if e.Name == "title" {
			title = b.readTitleLine()
		}
		if !begun {
			b.beginChapter(shortenTitle(title))
			begun = true
		}
		switch e.Name {
		case "title":
			b.w.WriteHeading(2, title)
		case "section":
			b.readNote()
		default:
			b.readBlock(e)
		}
	}, nil)
}

// readNote reads a note, with its number before its text.
func (b *bookReader) readNote() {
	b.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "title":
			b.noteLabel = b.readTitleLine()
		case "section":
			b.readNote()
		default:
			b.readBlock(e)
		}
	}, nil)
	b.noteLabel = ""
}

// readTitleLine joins the paragraphs of a title on one line.
func (b *bookReader) readTitleLine() string {
	var lines []string
	b.x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name == "p" {
			lines = append(lines, b.readLine())
		}
		return e.Name == "p"
	})
	return markdown.OneLine(strings.Join(lines, " "))
}

// readLine returns the text of the current element on one line.
func (b *bookReader) readLine() string {
	var text markdown.InlineText
	b.readInline(&text)
	return markdown.OneLine(text.String())
}

// readInline appends the text of the current element to text. References to notes become
// superscript, whether or not they are marked as such.
func (b *bookReader) readInline(text *markdown.InlineText) {
	b.x.EachChild(func(e zipxml.Element) {
		outer := text.IsNextStruck
		defer func() { text.IsNextStruck = outer }()
		text.IsNextStruck = outer || e.Name == "strikethrough"
		if e.Name != "sup" && e.Attribute("type") != "note" {
			b.readInline(text)
			return
		}
		var raised markdown.InlineText
		b.readInline(&raised)
		text.WriteMarkdown(markdown.Superscript(raised.String()))
	}, func(s []byte) {
		if b.x.CountBytes(len(s)); b.x.Err == nil {
			text.WriteString(string(s))
		}
	})
}

func (b *bookReader) readBlocks() { b.x.EachChild(b.readBlock, nil) }

// readBlock reads a paragraph or an element that contains paragraphs.
func (b *bookReader) readBlock(e zipxml.Element) {
	switch e.Name {
	case "p", "subtitle", "text-author", "date", "v":
		b.writeParagraph(b.readLine())
	case "stanza":
		b.readStanza()
	case "table":
		b.readTable()
	case "image":
		b.writeParagraph(markdown.CleanAltText(e.Attribute("alt")))
	case "empty-line":
	default:
		b.readBlocks()
	}
}

// readStanza reads a stanza of a poem. Each verse remains a line.
func (b *bookReader) readStanza() {
	var verses []string
	b.x.EachChild(func(e zipxml.Element) {
		if e.Name == "v" {
			verses = append(verses, b.readLine())
			return
		}
		b.readBlock(e)
	}, nil)
	b.writeParagraph(strings.Join(verses, "\n"))
}

func (b *bookReader) readTable() {
	var g markdown.TableBuilder
	b.x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "tr":
			b.x.CountBytes(extract.CellOverheadBytes)
			g.BeginRow()
			return false
		case "th", "td":
			b.x.CountBytes(extract.CellOverheadBytes)
			g.AddCell(markdown.Cell{{Text: b.readLine()}}, e.NumberAttribute("colspan", 1))
		}
		return true
	})
	for _, block := range g.Blocks() {
		block.Write(&b.w)
	}
}
