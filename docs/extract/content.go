package extract

import (
	"vademecum/internal/base/message"
)

// A Content is the text of a file, with its metadata.
type Content struct {
	Text           string          // valid UTF-8 without a byte order mark or control characters other than tabs; lines end with "\n"
	Form           TextForm        // markup of Text, from which its paragraphs, headings and other blocks are recognised
	MIME           string          // media type of the file
	Title          string          // title in the metadata of the file, or ""
	Date           string          // date in the metadata of the file, as 2024-11-05, or ""
	Sections       []DatedSection  // the messages of a mailbox or events of a calendar, in order; nil if the file has one date
	Parts          []Part          // pages, slides, sheets or the like, in order; nil if the format has none
	ExtractionNote message.Message // one line for people that says what is missing from Text and why; "" if nothing is missing

	UnrecognisedPages UnrecognisedPages // pages that need OCR; if no page has text, Text is empty

	UnreadAttachments []string // names of attached files whose content is not in Text

	Encoding          string // encoding of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	IsEncodingGuessed bool   // whether Encoding was guessed, rather than given by a byte order mark or a declaration
}

// A DatedSection marks where a message or an event begins that has a date of its own. It ends where the
// next one begins.
type DatedSection struct {
	StartByte   int    // byte offset in the text, at the start of a line
	First, Last string // first and last day, as 2024-11-05; "" if unknown
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

// A TextForm is the markup of a text, from which its paragraphs, headings and other blocks are
// recognised.
type TextForm uint8

const (
	PlainText   TextForm = iota // paragraphs; headings only if unmistakable
	Markdown                    // CommonMark
	LineRecords                 // one item on each line: data, logs
	Table                       // one row on each line, the first with the column names
	Org                         // Emacs Org mode
	RST                         // reStructuredText
)

// A Part marks where a page, slide, sheet, chapter or cell begins. It ends where the next part with
// a different number begins.
type Part struct {
	Kind   PartKind
	Number int    // number of the page, slide or the like, from 1
	Name   string // name of a sheet or chapter, or ""
	// for a sheet, the number of the row on the first line of the part, from 1; each further line is
	// the next row; 0 if the lines are not rows
	FirstRow  int
	StartByte int // byte offset in the text, at the start of a line
	// column names of a table that continues from the previous page at the start of this part, to be
	// prepended to its passages; not stored
	ContinuedColumnNames string
	PackedLayout         string // positions of the words on a page read by OCR, packed (see package layout), or ""
}

// A PartKind is the kind of part into which a document is divided, such as pages. Passages of such a
// document are cited by these parts instead of by lines.
type PartKind uint8

// Kinds of parts. Each is named by a parameter in a URI fragment: RFC 8118 defines "page", and the
// others follow it.
const (
	Page PartKind = iota + 1
	Slide
	Sheet
	Chapter
	NotebookCell
)

var unitNouns = [...]Noun{
	Page: {"page", "pages"}, Slide: {"slide", "slides"}, Sheet: {"sheet", "sheets"}, Chapter: {"chapter", "chapters"}, NotebookCell: {"cell", "cells"},
}

// Noun returns the noun for a part of this kind, such as "page" and "pages".
func (u PartKind) Noun() Noun {
	if int(u) < len(unitNouns) {
		return unitNouns[u]
	}
	return Noun{}
}

// String returns the English name of a part of this kind, such as "page".
func (u PartKind) String() string { return u.Noun().Singular }

// A Noun is the singular and plural noun for the parts of a file, such as slides.
type Noun struct{ Singular, Plural string }

// NoteNoun is the noun for the notes in an export of a note-taking program.
var NoteNoun = Noun{Singular: "note", Plural: "notes"}

// CiteRange returns the citation of the parts with the numbers first to last: "page 3" or "pages
// 3-5".
func (n Noun) CiteRange(first, last int) message.Message {
	if first >= last {
		return message.New(n.Singular+" %d", first)
	}
	return message.New(n.Plural+" %d-%d", first, last)
}

// IncompleteNote returns the note on a file whose parts with these numbers could not be read
// completely, or "" if numbers is empty.
func (n Noun) IncompleteNote(numbers []int) message.Message {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return message.New(n.Singular+" %d could not be read completely", numbers[0])
	}
	return message.New("%d "+n.Plural+" could not be read completely", len(numbers))
}

// UnfinishedNote returns the note on a file that could be read only up to an error, which it names.
func UnfinishedNote(cause error) message.Message {
	return message.New("the rest could not be read: %v", cause)
}

// FirstPagesNote returns the note on a file of which only the first pages were read, with their
// number, the total number of pages and the reason.
func FirstPagesNote(read, total int, reason message.Message) message.Message {
	return message.New("only pages 1 to %d of %d: %v", read, total, reason)
}
