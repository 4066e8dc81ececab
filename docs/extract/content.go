package extract

import (
	"vademecum/internal/base/message"
)

// A Content is the text of a file, with its metadata.
type Content struct {
	Text  string          // valid UTF-8 without a byte order mark or control characters other than tabs; lines end with "\n"
	Form  TextForm        // markup of Text, which determines its blocks
	MIME  string          // media type of the file
	Title string          // title in the metadata of the file, or ""
	Date  string          // date in the metadata of the file, as 2024-11-05, or ""
	Parts []Part          // in order; nil if the format has none
	Note  message.Message // what is missing in Text and why, in one line, or ""

	UnrecognisedPages UnrecognisedPages // pages that still need OCR; Text may be empty then

	UnreadAttachments []string // names of attached files that are not read

	Encoding          string // of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	IsEncodingGuessed bool   // whether Encoding follows from the content alone, without a byte order mark
}

// TextMIME returns the media type of c.Text: that of the file if it is text itself and
// more specific.
func (c *Content) TextMIME() string {
	switch {
	case c.Form == Markdown:
		return "text/markdown"
	case c.MIME == "text/csv" || c.MIME == "text/tab-separated-values" || c.MIME == "text/xml":
		return c.MIME
	}
	return "text/plain"
}

// A TextForm is the markup of a text, which determines its blocks.
type TextForm uint8

const (
	Plain    TextForm = iota // paragraphs, and headings where unmistakable
	Markdown                 // CommonMark
	Records                  // one item on each line: data, logs
	Table                    // one row on each line, the first with the column names
	Org                      // Emacs Org mode
	RST                      // reStructuredText
)

// A Part is where a page, slide, sheet, chapter or cell begins. It ends where
// the next part of another number begins.
type Part struct {
	Unit    Unit
	Number  int    // from 1
	Name    string // of a sheet or chapter, or ""
	Row     int    // of a sheet: the row of the line at Start, from 1, and one more for each line; 0 if the lines are no rows
	Start   int    // byte offset in the text, at the start of a line
	Columns string // of a table that continues from the page before at Start: its column names, which are added to passages; not stored
	Layout  string // of a page read by OCR: the positions of its words, packed (see package layout), or ""
}

// A Unit is the kind of numbered parts of a document, instead of lines.
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

// Noun returns the noun for the unit.
func (u Unit) Noun() Noun {
	if int(u) < len(unitNouns) {
		return unitNouns[u]
	}
	return Noun{}
}

// String returns the English name of the unit, such as "page".
func (u Unit) String() string { return u.Noun().Singular }

// A Noun is the noun for parts of a file, such as slides.
type Noun struct{ Singular, Plural string }

// NoteNoun is the noun for the notes in an export of a note program.
var NoteNoun = Noun{Singular: "note", Plural: "notes"}

// CiteRange returns the citation of one unit or of a range of them: "page 3", "pages 3-5".
func (n Noun) CiteRange(first, last int) message.Message {
	if first >= last {
		return message.New(n.Singular+" %d", first)
	}
	return message.New(n.Plural+" %d-%d", first, last)
}

// IncompleteNote returns the Note of a file in which the units of these numbers are
// incomplete, or "" for none.
func (n Noun) IncompleteNote(numbers []int) message.Message {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return message.New(n.Singular+" %d could not be read completely", numbers[0])
	}
	return message.New("%d "+n.Plural+" could not be read completely", len(numbers))
}

// UnfinishedNote returns the Note of a file whose reading failed part of the way.
func UnfinishedNote(why error) message.Message {
	return message.New("the rest could not be read: %v", why)
}

// FirstPagesNote returns the Note of a file of which only the first pages were read, with the
// reason.
func FirstPagesNote(read, all int, why message.Message) message.Message {
	return message.New("only pages 1 to %d of %d: %v", read, all, why)
}
