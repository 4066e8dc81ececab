package extract

import "strings"

// frame reads a text box, picture, shape or object, each with what describes
// it (OpenDocument 1.3, part 3, clause 10).
func (d *odt) frame(x *xmlReader, emit func(block)) {
	formula := false
	x.children(func(e element) {
		switch e.name {
		case "title", "desc":
			if text := caption(x.text()); text != "" && !formula {
				emit(block{text: text})
			}
		case "object":
			formula = d.object(x, e, emit)
		case "object-ole", "image", "event-listeners", "plugin":
		default:
			d.block(x, e, &odtPlace{}, emit)
		}
	}, nil)
}

// object reads a formula or chart, which is a document of its own in a folder
// of the archive or within this one. It tells whether it is a formula.
func (d *odt) object(x *xmlReader, e element, emit func(block)) bool {
	formula := false
	read := func(x *xmlReader) {
		x.descend(func(e element) bool {
			switch e.name {
			case "math":
				formula = true
				if text := mathML(x); text != "" {
					emit(block{text: text, inline: true})
				}
			case "body":
				d.blocks(x, odtPlace{}, emit)
			default:
				return false
			}
			return true
		})
	}
	href := e.attr("href")
	if href == "" {
		read(x)
		return formula
	}
	if d.objects < maxObjects {
		d.objects++
		d.walk(entryName(href+"/content.xml"), read)
		d.objects--
	}
	return formula
}

// maxObjects bounds how deep objects lie in one another: each may name itself.
const maxObjects = 2

// mathML returns the source of a formula where LibreOffice keeps it, and
// otherwise its symbols.
func mathML(x *xmlReader) string {
	var symbols []string
	source := ""
	x.descend(func(e element) bool {
		switch e.name {
		case "annotation":
			source = oneLine(x.text())
		case "mi", "mo", "mn", "mtext":
			symbols = append(symbols, x.text())
		default:
			return false
		}
		return true
	})
	if source != "" {
		return source
	}
	return oneLine(strings.Join(symbols, " "))
}
