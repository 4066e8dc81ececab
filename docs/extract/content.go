package extract

import (
	"vademecum/internal/base/message"
)

// A Content is the text of a file, and what its format says about it.
type Content struct {
	Text  string          // valid UTF-8 without a byte order mark and control characters but tabs, its lines ending with "\n"
	Form  TextForm        // how the blocks of Text are told apart
	MIME  string          // media type of the file
	Title string          // what the file calls itself outside its text, or ""
	Date  string          // the day of which the file says to be outside its text, as 2024-11-05, or ""
	Parts []Part          // in order; nil if the format has none
	Note  message.Message // what is missing in Text and why, in one line, or ""

	UnrecognisedPages UnrecognisedPages // what of it is yet to be recognised; Text may be empty then

	UnreadAttachments []string // names of files that go with it and are not read

	Encoding          string // of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	IsEncodingGuessed bool   // whether Encoding follows from the content alone, without a byte order mark
}

// TextMIME returns the media type of c.Text: that of the file if it is text
// itself and says more.
func (c *Content) TextMIME() string {
	switch {
	case c.Form == Markdown:
		return "text/markdown"
	case c.MIME == "text/csv" || c.MIME == "text/tab-separated-values" || c.MIME == "text/xml":
		return c.MIME
	}
	return "text/plain"
}

// A Form says how the blocks of a text are told apart.
type TextForm uint8

const (
	Plain    TextForm = iota // paragraphs, and headings where unmistakable
	Markdown                 // CommonMark
	Records                  // one item a line: data, logs
	Table                    // one row a line, the first the names of the columns
	Org                      // Emacs Org mode
	RST                      // reStructuredText
)

// A Part is where a page, slide, sheet, chapter or cell begins. It ends where
// the next part of another number begins.
type Part struct {
	Unit    Unit
	Number  int    // from 1
	Name    string // of a sheet or chapter, or ""
	Row     int    // of a sheet: the row of the line at Start, counted from 1, and of one more each line; 0 if the lines are no rows
	Start   int    // byte offset in the text, at the start of a line
	Columns string // of a table that lies on several pages and goes on at Start: the names of its columns, by which passages are read; not stored
	Layout  string // of a page that was recognised: where its words stand on its picture, packed (see package layout), or ""
}

// A Unit is what a document has instead of lines.
type Unit uint8

// The units, each with the parameter that names it in a URI fragment: RFC 8118
// defines page, the others follow it.
const (
	Page Unit = iota + 1
	Slide
	Sheet
	Chapter
	Cell
)

var unitNouns = [...]Noun{
	Page: {"page", "pages"}, Slide: {"slide", "slides"}, Sheet: {"sheet", "sheets"}, Chapter: {"chapter", "chapters"}, Cell: {"cell", "cells"},
}

// Noun returns what the unit is called.
func (u Unit) Noun() Noun {
	if int(u) < len(unitNouns) {
		return unitNouns[u]
	}
	return Noun{}
}

// String returns the English name of the unit, such as "page".
func (u Unit) String() string { return u.Noun().Singular }

// A Noun is what parts of a file are called, such as slides.
type Noun struct{ Singular, Plural string }

// NoteNoun is what the notes in an export of a note program are called.
var NoteNoun = Noun{Singular: "note", Plural: "notes"}

// CiteRange returns the citation of one unit or of a range of them: "page 3", "pages 3-5".
func (n Noun) CiteRange(first, last int) message.Message {
	if first >= last {
		return message.New(n.Singular+" %d", first)
	}
	return message.New(n.Plural+" %d-%d", first, last)
}

// IncompleteNote returns the Note of a file whose units of these numbers are incomplete, or ""
// without any.
func (n Noun) IncompleteNote(numbers []int) message.Message {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return message.New(n.Singular+" %d could not be read completely", numbers[0])
	}
	return message.New("%d "+n.Plural+" could not be read completely", len(numbers))
}

// UnfinishedNote returns the Note of a file whose reading failed on the way.
func UnfinishedNote(why error) message.Message {
	return message.New("the rest could not be read: %v", why)
}

// FirstPagesNote returns the Note of a file of which the first pages were read, and why no more.
func FirstPagesNote(read, all int, why message.Message) message.Message {
	return message.New("only pages 1 to %d of %d: %v", read, all, why)
}
