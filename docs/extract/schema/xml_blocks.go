package schema

import (
	stdhtml "html"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// An htmlBuilder collects HTML. The start tag of a list item is kept open until something is written
// into the item, as its number may come in between.
type htmlBuilder struct {
	strings.Builder
	isItemTagOpen bool
}

// WriteString writes a part of the HTML.
func (b *htmlBuilder) WriteString(s string) {
	if b.isItemTagOpen {
		b.isItemTagOpen = false
		b.Builder.WriteString(">")
	}
	b.Builder.WriteString(s)
}

// writeBlock writes the element e as the HTML element called name.
func (r *xmlReader) writeBlock(name string, e zipxml.Element) {
	if name == "br" {
		r.html.WriteString("<br>")
		return
	}
	r.x.CountBytes(extract.CellOverheadBytes)
	if name != "sub" && name != "sup" {
		r.writeDefaultHeading()
	}
	r.html.WriteString("<" + name)
	for _, a := range []string{"colspan", "rowspan"} {
		if n := e.NumberAttribute(a, 1); n > 1 {
			r.html.WriteString(" " + a + `="` + strconv.Itoa(n) + `"`)
		}
	}
	switch name {
	case "li":
		r.html.isItemTagOpen = true
		r.readInside(e)
	case "ol", "ul":
		r.html.WriteString(">")
		r.lists = append(r.lists, name)
		r.readInside(e)
		r.lists = r.lists[:len(r.lists)-1]
	default:
		r.html.WriteString(">")
		r.readInside(e)
	}
	r.html.WriteString("</" + name + ">")
}

// writeText writes text, preceded by the pending label.
func (r *xmlReader) writeText(text string) {
	r.x.CountBytes(len(text))
	if r.repeated != "" && strings.TrimSpace(text) != "" {
		text, r.repeated = strings.TrimPrefix(strings.TrimLeft(text, " \n"), r.repeated), ""
	}
	if strings.TrimSpace(text) == "" && !r.isLines {
		if !r.html.isItemTagOpen {
			r.html.WriteString(" ")
		}
		return
	}
	r.writeDefaultHeading()
	if r.label != "" {
		text, r.label = r.label+" "+text, ""
	}
	text = strikeTags.Replace(stdhtml.EscapeString(text))
	if r.isLines {
		text = lineEnds.Replace(text)
	}
	r.html.WriteString(text)
}

// writeItem writes one of several consecutive names or words, separated by a dot from the one
// before.
func (r *xmlReader) writeItem(text string) {
	const tail = 64 // number of bytes, more than the white space between elements
	written := r.html.String()
	if before := strings.TrimRight(written[max(0, len(written)-tail):], " "); !strings.HasSuffix(before, ">") {
		r.html.WriteString(" · ")
	}
	r.writeText(text)
}

// lineEnds converts line breaks to HTML: a blank line begins a paragraph.
var lineEnds = strings.NewReplacer("\n\n", "<p>", "\n", "<br>", "\r", "")

// writeTitle writes the title of the document or of a document within it.
func (r *xmlReader) writeTitle(text string) {
	if text == "" {
		return
	}
	if r.title == "" {
		r.title = strikeMarks.Replace(text)
	}
	r.writeHeadingAt(1+len(r.open), text)
}

// writeHeading writes the heading of the current section.
func (r *xmlReader) writeHeading(text string) {
	if n := len(r.open); n > 0 {
		r.open[n-1].heading = ""
	}
	if text == "" {
		return
	}
	r.writeHeadingAt(1+len(r.open), r.label+" "+text)
	r.label = ""
}

// writeDefaultHeading writes the default headings of the open sections that have no heading of
// their own.
func (r *xmlReader) writeDefaultHeading() {
	for i := range r.open {
		if text := r.open[i].heading; text != "" {
			r.open[i].heading = ""
			r.writeHeadingAt(2+i, text)
		}
	}
}

// writeHeadingAt writes a heading of the given level. A text that is too long for one becomes a
// paragraph.
func (r *xmlReader) writeHeadingAt(level int, text string) {
	tag := "h" + strconv.Itoa(min(level, 6))
	if len(text) > 2*markdown.MaxHeadingCharacters {
		tag = "p"
	}
	r.html.WriteString("<" + tag + ">" + strikeTags.Replace(stdhtml.EscapeString(strings.TrimSpace(text))) + "</" + tag + ">")
}

// Unicode noncharacters, which no text contains, stand at both ends of struck-out words until they are written.
const (
	strikeStart = "\uFDD6"
	strikeEnd   = "\uFDD7"
)

var (
	strikeTags  = strings.NewReplacer(strikeStart, "<s>", strikeEnd, "</s>")
	strikeMarks = strings.NewReplacer(strikeStart, markdown.Strikethrough, strikeEnd, markdown.Strikethrough)
)

func (r *xmlReader) writeParagraph(text string) {
	r.html.WriteString("<p>")
	r.writeText(text)
	r.html.WriteString("</p>")
}
