package extract

import (
	"strings"

	"vademecum/internal/present"
)

// A Content is what a file says.
type Content struct {
	Text  string // valid UTF-8 without a byte order mark and control characters but tabs, its lines ending with "\n"
	Form  Form   // how the blocks of Text are told apart
	MIME  string // media type of the file
	Title string // what the file calls itself outside its text, or ""
	Parts []Part // in order; nil if the format has none
	Note  string // what is missing in Text and why, in one line, or ""

	Encoding string // of a text file, such as GB18030 or UTF-16LE; "" for UTF-8
	Guessed  bool   // whether Encoding follows from the content alone, without a byte order mark
}

// TextMIME returns the media type of c.Text.
func (c *Content) TextMIME() string { return textMIME(c.MIME, c.Form) }

// tidy turns every line end of the text, "\n", "\r\n" or "\r", into a line feed,
// and replaces control characters as [present.Block] does, since the text is
// shown to people and models. Lines and characters keep their numbers as RFC
// 5147 counts them, where each of the three is one line end and one character.
func (c *Content) tidy() {
	clean := func(text string) string {
		if strings.IndexByte(text, '\r') >= 0 {
			text = lineFeeds.Replace(text)
		}
		return present.Block(text)
	}
	var out strings.Builder
	from := 0
	for i := range c.Parts {
		p := &c.Parts[i]
		out.WriteString(clean(c.Text[from:p.Start]))
		from, p.Start = p.Start, out.Len()
	}
	last := clean(c.Text[from:])
	if out.Len() == 0 {
		c.Text = last
		return
	}
	out.WriteString(last)
	c.Text = out.String()
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A Form says how the blocks of a text are told apart.
type Form uint8

const (
	Plain    Form = iota // paragraphs, and headings where unmistakable
	Markdown             // CommonMark
	Records              // one item a line: data, logs
	Table                // one row a line, the first the names of the columns
	Org                  // Emacs Org mode
	RST                  // reStructuredText
)

// A Part is where a page, slide, sheet, chapter or cell begins. It ends where
// the next part of another number begins.
type Part struct {
	Unit   Unit
	Number int    // from 1
	Name   string // of a sheet or chapter, or ""
	Row    int    // of a sheet: the row of the line at Start, counted from 1, and of one more each line; 0 if the lines are no rows
	Start  int    // byte offset in the text, at the start of a line
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

var unitNames = [...]string{"", "page", "slide", "sheet", "chapter", "cell"}

// String returns the name of the unit, such as "page".
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return ""
}
