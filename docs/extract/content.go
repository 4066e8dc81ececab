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
	Parts []Part          // the pages, slides, …, in order; nil if the format has none
	Note  message.Message // one line: what is missing from Text and why; "" if nothing is

	UnrecognisedPages UnrecognisedPages // pages that still need OCR; Text may be empty then

	UnreadAttachments []string // names of attached files that are not read

	Encoding          string // encoding of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	IsEncodingGuessed bool   // whether Encoding was guessed from the content, without a byte order mark
}

// TextMIME returns the media type of c.Text: c.MIME if that is a more specific text type, otherwise
// text/markdown or text/plain.
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
	Plain    TextForm = iota // paragraphs; headings only if unmistakable
	Markdown                 // CommonMark
	Records                  // one item on each line: data, logs
	Table                    // one row on each line, the first with the column names
	Org                      // Emacs Org mode
	RST                      // reStructuredText
)

// A Part marks the start of a page, slide, sheet, chapter or cell. It ends where the next part with
// a different number begins.
type Part struct {
	Unit   Unit
	Number int    // from 1
	Name   string // name of a sheet or chapter, or ""
	// for a sheet, the row number of the line at Start, from 1; each further line is the next row; 0 if
	// lines are not rows
	Row   int
	Start int // byte offset in the text, at the start of a line
	// column names of a table that continues from the previous page at Start; prepended to passages;
	// not stored
	Columns string
	Layout  string // positions of the words on a page read by OCR, packed (see package layout), or ""
}

// A Unit is the kind of part into which a document is divided, such as pages, and by which it is
// cited instead of by lines.
type Unit uint8

// The units. Each is named by a parameter in a URI fragment: RFC 8118 defines "page", and the
// others follow it.
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

// A Noun is the singular and plural noun for the parts of a file, such as slides.
type Noun struct{ Singular, Plural string }

// NoteNoun is the noun for the notes in an export of a note-taking program.
var NoteNoun = Noun{Singular: "note", Plural: "notes"}

// CiteRange returns the citation of one unit or of a range of them: "page 3", "pages 3-5".
func (n Noun) CiteRange(first, last int) message.Message {
	if first >= last {
		return message.New(n.Singular+" %d", first)
	}
	return message.New(n.Plural+" %d-%d", first, last)
}

// IncompleteNote returns the Note of a file whose units with these numbers are incomplete, or "" if
// numbers is empty.
func (n Noun) IncompleteNote(numbers []int) message.Message {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return message.New(n.Singular+" %d could not be read completely", numbers[0])
	}
	return message.New("%d "+n.Plural+" could not be read completely", len(numbers))
}

// UnfinishedNote returns the Note of a file that could only be read in part, because of why.
func UnfinishedNote(why error) message.Message {
	return message.New("the rest could not be read: %v", why)
}

// FirstPagesNote returns the Note of a file of which only the first pages were read, because of
// why.
func FirstPagesNote(read, all int, why message.Message) message.Message {
	return message.New("only pages 1 to %d of %d: %v", read, all, why)
}
