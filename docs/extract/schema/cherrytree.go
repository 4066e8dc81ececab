package schema

import (
	stdhtml "html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// A treeNode is the content of a CherryTree node without its child nodes. Code boxes and tables are
// stored after the text, with their offsets in it.
type treeNode struct {
	runs    []run
	objects []treeObject
}

// A run is a piece of text in a single style.
type run struct {
	text, scale string
	isStruck    bool
}

// A treeObject is an object, such as a table, that is embedded in the text of a node, where it
// counts as one character.
type treeObject struct {
	offset int // position in the text of the node, in characters
	html   string
}

// readNode reads the node e, whose name is an attribute, and its descendants.
func (r *xmlReader) readNode(e zipxml.Element) {
	name := markdown.OneLine(e.Attribute("name"))
	r.open = append(r.open, openSection{}) // the first level is for a title, which the file does not have
	if name != "" {
		r.writeHeadingAt(1+len(r.open), name)
	}
	language := e.Attribute("prog_lang")
	isCode := language != "" && language != "custom-colors" && language != "plain-text"
	var n treeNode
	r.x.EachChild(func(e zipxml.Element) {
		r.x.CountBytes(extract.CellOverheadBytes)
		switch e.Name {
		case "node":
			r.html.WriteString(n.toHTML(len(r.open), isCode))
			n = treeNode{}
			r.readNode(e)
		case "rich_text":
			n.runs = append(n.runs, run{r.x.ReadText(), e.Attribute("scale"), e.Attribute("strikethrough") == "true"})
		case "codebox":
			n.objects = append(n.objects, treeObject{e.NumberAttribute("char_offset", 0), "<pre>" + stdhtml.EscapeString(r.x.ReadText()) + "</pre>"})
		case "table":
			n.objects = append(n.objects, treeObject{e.NumberAttribute("char_offset", 0), r.readTreeTable()})
		case "encoded_png":
			if file := markdown.OneLine(e.Attribute("filename")); file != "" && !strings.HasPrefix(file, "__ct_special") {
				r.attached = append(r.attached, file)
			}
			n.objects = append(n.objects, treeObject{offset: e.NumberAttribute("char_offset", 0)})
		}
	}, nil)
	r.html.WriteString(n.toHTML(len(r.open), isCode))
	r.open = r.open[:len(r.open)-1]
}

// readTreeTable returns a table as HTML. The last row of the source is the header.
func (r *xmlReader) readTreeTable() string {
	var rows []string
	r.x.EachChild(func(zipxml.Element) {
		var row strings.Builder
		r.x.EachChild(func(zipxml.Element) {
			r.x.CountBytes(extract.CellOverheadBytes)
			row.WriteString("<td>" + stdhtml.EscapeString(r.x.ReadText()) + "</td>")
		}, nil)
		rows = append(rows, "<tr>"+row.String()+"</tr>")
	}, nil)
	if n := len(rows); n > 1 {
		rows = slices.Concat(rows[n-1:], rows[:n-1])
	}
	return "<table>" + strings.Join(rows, "") + "</table>"
}

// toHTML returns the text of a node at the given depth as HTML, with its embedded objects. isCode
// means that the text is code.
func (n *treeNode) toHTML(depth int, isCode bool) string {
	var b strings.Builder
	if isCode && len(n.runs) > 0 {
		b.WriteString("<pre>")
		for _, run := range n.runs {
			b.WriteString(stdhtml.EscapeString(run.text))
		}
		b.WriteString("</pre>")
	}
	if isCode {
		return b.String()
	}
	slices.SortStableFunc(n.objects, func(a, b treeObject) int { return a.offset - b.offset })
	objects, at := n.objects, 0
	b.WriteString("<p>")
	for _, run := range n.runs {
		for text := run.text; text != ""; {
			piece := text
			if len(objects) > 0 {
				piece = firstCharacters(text, objects[0].offset-at)
			}
			b.WriteString(run.toHTML(piece, depth))
			at, text = at+utf8.RuneCountInString(piece), text[len(piece):]
			for len(objects) > 0 && objects[0].offset <= at {
				b.WriteString(objects[0].html)
				at, objects = at+1, objects[1:]
			}
		}
	}
	for _, o := range objects {
		b.WriteString(o.html)
	}
	return b.String()
}

// firstCharacters returns the first n characters of a text.
func firstCharacters(text string, n int) string {
	for i := range text {
		if n <= 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// toHTML returns text, a piece of the run, as HTML. Text in the size of a heading becomes a
// heading.
func (r run) toHTML(text string, depth int) string {
	shown := lineEnds.Replace(stdhtml.EscapeString(text))
	if r.isStruck {
		shown = "<s>" + shown + "</s>"
	}
	switch tag := r.scale; {
	case strings.TrimSpace(text) == "":
	case tag == "sup" || tag == "sub":
		return "<" + tag + ">" + shown + "</" + tag + ">"
	case len(tag) == 2 && tag[0] == 'h' && '1' <= tag[1] && tag[1] <= '6':
		tag = "h" + strconv.Itoa(min(1+depth+int(tag[1]-'0'), 6))
		return "<" + tag + ">" + shown + "</" + tag + ">"
	}
	return shown
}
