package extract

import (
	"path"
	"strings"
)

// readNotes returns the text of the footnotes, endnotes or comments in a part,
// by their ids.
func (d *docx) readNotes(part, name string) map[string]string {
	notes := make(map[string]string)
	if part == "" {
		return notes
	}
	d.links = d.relations(part)
	d.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name != name {
				return false
			}
			if kind := e.attr("type"); kind == "" || kind == "normal" { // the others are separators
				d.readNote(x, notes, e)
			}
			return true
		})
	})
	d.fields, d.notes = nil, nil
	return notes
}

func (d *docx) readNote(x *xmlReader, notes map[string]string, e element) {
	var lines blockLines
	d.blocks(x, lines.add)
	text := oneLine(lines.String())
	if author := oneLine(e.attr("author")); text != "" && author != "" {
		text = author + ": " + text
	}
	notes[e.attr("id")] = text
	x.take(cellCost)
}

// foreign reads a part in another format (ECMA-376 part 1, 17.17.2.1).
func (d *docx) foreign(x *xmlReader, part string, emit func(block)) {
	raw, err := d.read(part)
	if err != nil {
		return
	}
	x.take(len(raw))
	text := ""
	switch strings.ToLower(path.Ext(part)) {
	case ".html", ".htm", ".xhtml":
		if decoded, err := decode(raw); err == nil {
			text, _, _ = markdownOf(decoded.text)
		}
	case ".mht", ".mhtml":
		c, _ := readMail(raw, Unwatched)
		text = c.Text
	case ".txt":
		decoded, _ := decode(raw)
		text = decoded.text
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.TrimSpace(paragraph) != "" {
			emit(block{text: paragraph})
		}
	}
}
