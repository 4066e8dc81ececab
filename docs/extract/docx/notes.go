package docx

import (
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/mail"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// readNotes returns the texts of the footnotes or endnotes in a part, by id.
func (d *document) readNotes(part, name string) map[string]string {
	notes := make(map[string]string)
	if part == "" {
		return notes
	}
	d.links = d.ReadRelations(part)
	d.ReadXMLFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name != name {
				return false
			}
			if kind := e.Attribute("type"); kind == "" || kind == "normal" { // the others are separators
				d.readNote(x, notes, e)
			}
			return true
		})
	})
	d.fields, d.pendingNotes = nil, nil
	return notes
}

func (d *document) readNote(x *zipxml.Reader, notes map[string]string, e zipxml.Element) {
	var lines markdown.BlockLineBuilder
	d.readBlocks(x, lines.AddBlock)
	notes[e.Attribute("id")] = markdown.OneLine(lines.String())
	x.CountBytes(extract.CellOverheadBytes)
}

// readForeignPart reads an imported part in another format (ECMA-376 part 1, 17.17.2.1).
func (d *document) readForeignPart(x *zipxml.Reader, part string, emit func(markdown.Block)) {
	raw, err := d.ReadFile(part)
	if err != nil {
		return
	}
	x.CountBytes(len(raw))
	switch strings.ToLower(path.Ext(part)) {
	case ".html", ".htm", ".xhtml":
		if decoded, err := charset.Decode(raw); err == nil {
			text, _, _ := html.Markdown(decoded.Text)
			emit(markdown.Block{Kind: markdown.ConvertedMarkdown, Text: text})
		}
	case ".mht", ".mhtml":
		c, _ := mail.Read(raw, extract.NoProgress)
		emit(markdown.Block{Kind: markdown.ConvertedMarkdown, Text: c.Text})
	case ".txt":
		decoded, _ := charset.Decode(raw)
		for paragraph := range strings.SplitSeq(decoded.Text, "\n\n") {
			emit(markdown.Block{Text: paragraph})
		}
	}
}
