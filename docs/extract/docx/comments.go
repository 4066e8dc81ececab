package docx

import (
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A commentReader collects the comments of a document. They are written after the text, because
// within it they would split words and appear in headings.
type commentReader struct {
	part    string                      // name of the archive part with the comments; "" if there is none
	found   []string                    // comments of Word 2003, which are stored within the text
	about   map[string]*strings.Builder // commented texts, by comment id
	pending []string                    // ids of the comments on the text that is being read
}

// begin starts collecting the text on which a comment is made.
func (c *commentReader) begin(x *zipxml.Reader, id string) {
	if len(c.pending) == extract.MaxNestingDepth || c.about[id] != nil {
		return
	}
	if c.about == nil {
		c.about = make(map[string]*strings.Builder)
	}
	x.CountBytes(extract.CellOverheadBytes + office.MaxCommentedTextBytes)
	c.about[id] = new(strings.Builder)
	c.pending = append(c.pending, id)
}

// end stops collecting the text on which a comment is made.
func (c *commentReader) end(id string) {
	c.pending = slices.DeleteFunc(c.pending, func(open string) bool { return open == id })
}

// addText appends text to the commented texts of all pending comments.
func (c *commentReader) addText(text string) {
	for _, id := range c.pending {
		if s := c.about[id]; s.Len() < office.MaxCommentedTextBytes {
			s.WriteString(text[:min(len(text), office.MaxCommentedTextBytes)])
		}
	}
}

// format returns a comment as a paragraph, given its text and the element e with its author and its
// id. It returns "" if the text is blank.
func (c *commentReader) format(e zipxml.Element, text string) string {
	if text = markdown.OneLine(text); text == "" {
		return ""
	}
	about := ""
	if s := c.about[e.Attribute("id")]; s != nil {
		about = s.String()
	}
	return office.FormatComment(e.Attribute("author"), strings.ToValidUTF8(about, ""), text)
}

// readCommentMark reads a comment mark in the text, and reports whether e is one.
func (d *document) readCommentMark(x *zipxml.Reader, e zipxml.Element) bool {
	switch e.Name {
	case "commentRangeStart":
		d.comments.begin(x, e.Attribute("id"))
	case "commentRangeEnd", "commentReference":
		d.comments.end(e.Attribute("id"))
	default:
		return false
	}
	return true
}

// writeComments writes the comments of the document after its text.
func (d *document) writeComments() {
	for _, text := range d.comments.found {
		d.w.WriteParagraph(text)
	}
	if d.comments.part == "" {
		return
	}
	d.comments.pending = nil
	d.links = d.ReadRelations(d.comments.part)
	err := d.ReadXMLFile(d.comments.part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name != "comment" {
				return false
			}
			d.fields = nil
			var lines markdown.BlockLineBuilder
			d.readBlocks(x, lines.AddBlock)
			if text := d.comments.format(e, lines.String()); text != "" {
				d.w.WriteParagraph(text)
			}
			return true
		})
	})
	if err != nil && d.failure == nil && extract.IsLimitError(err) {
		d.failure = err
	}
}

// readAnnotation reads an annotation of Word 2003: a tracked change, a comment, or the start or end
// of a commented text. Deleted text is skipped.
func (d *document) readAnnotation(x *zipxml.Reader, e zipxml.Element, read func()) {
	switch e.Attribute("type") {
	case "Word.Deletion":
	case "Word.Comment.Start":
		d.comments.begin(x, e.Attribute("id"))
	case "Word.Comment.End":
		d.comments.end(e.Attribute("id"))
	case "Word.Comment":
		d.comments.end(e.Attribute("id"))
		pending := d.comments.pending
		d.comments.pending = nil
		var lines markdown.BlockLineBuilder
		d.readTextBox(x, lines.AddBlock)
		d.comments.pending = pending
		if text := d.comments.format(e, lines.String()); text != "" {
			x.CountBytes(extract.CellOverheadBytes + len(text))
			d.comments.found = append(d.comments.found, text)
		}
	default:
		read()
	}
}
