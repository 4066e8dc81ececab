package mindmap

import (
	"bytes"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// IsFreeMind reports whether a file begins like a map of FreeMind or Freeplane. Objective-C++
// source files have the same extension.
func IsFreeMind(start []byte) bool {
	start = zipxml.SkipProlog(start)
	return bytes.HasPrefix(start, []byte("<map ")) || bytes.HasPrefix(start, []byte("<map>"))
}

// ReadFreeMind reads a map of FreeMind or Freeplane
// (https://docs.freeplane.org/attachments/freeplane_1.5.9.xsd).
func ReadFreeMind(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	var f mapFile
	err := zipxml.ReadXML(bytes.NewReader(raw), func(x *zipxml.Reader) {
		x.EachChild(func(e zipxml.Element) {
			if e.Name != "map" {
				return
			}
			s, err := f.beginSheet()
			if err != nil {
				x.StopWith(err)
				return
			}
			x.EachChild(func(e zipxml.Element) {
				if e.Name == "node" {
					f.topics++
					f.readNode(x, e, s, &s.root)
				}
			}, nil)
		}, nil)
	})
	if len(f.sheets) == 0 && (err == nil || !extract.IsLimitError(err)) {
		err = errDamaged
	}
	return f.contentUntilError(err)
}

// readNode reads a node and its descendants.
func (f *mapFile) readNode(x *zipxml.Reader, e zipxml.Element, s *sheet, t *topic) {
	t.id = e.Attribute("ID")
	if title := markdown.OneLine(plainText(e.Attribute("TEXT"))); title != "" {
		t.title = title
	}
	if e.Attribute("ENCRYPTED_CONTENT") != "" {
		f.encryptedTopics++
	}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "node":
			inner, err := f.beginTopic(t)
			if err != nil {
				x.StopWith(err)
				return
			}
			f.readNode(x, e, s, inner)
		case "arrowlink":
			s.addRelation(t.id, e)
		default:
			readDetail(x, e, t)
		}
	}, nil)
	t.addLink(e.Attribute("LINK"))
	x.StopWith(f.countHeldText(t))
}

// addRelation adds the arrow that the element e describes, if it has a label.
func (s *sheet) addRelation(from string, e zipxml.Element) {
	label := markdown.OneLine(e.Attribute("SOURCE_LABEL") + " " + e.Attribute("MIDDLE_LABEL") + " " + e.Attribute("TARGET_LABEL"))
	if label != "" && len(s.relations) < maxTopics {
		s.relations = append(s.relations, relation{from, e.Attribute("DESTINATION"), label})
	}
}

// readDetail reads an element inside a node, such as rich text, an attribute or a note, into its
// topic t.
func readDetail(x *zipxml.Reader, e zipxml.Element, t *topic) {
	switch e.Name {
	case "richcontent":
		if lines := readHTMLLines(x); e.Attribute("TYPE") == "NODE" {
			t.title = markdown.OneLine(strings.Join(lines, " "))
		} else {
			t.lines = append(t.lines, lines...)
		}
	case "attribute":
		if value := e.Attribute("VALUE"); strings.TrimSpace(value) != "" {
			t.addNote(markdown.OneLine(e.Attribute("NAME") + ": " + value))
		}
	case "hook":
		if e.Attribute("NAME") == "accessories/plugins/NodeNote.properties" { // as FreeMind before 0.9 stored notes
			t.addNote(x.ReadText())
		}
	}
}

// blockElements are the HTML elements that begin and end lines.
var blockElements = map[string]bool{
	"blockquote": true, "br": true, "dd": true, "div": true, "dt": true, "h1": true, "h2": true, "h3": true, "h4": true,
	"h5": true, "h6": true, "li": true, "ol": true, "p": true, "pre": true, "table": true, "tr": true, "ul": true,
}

// readHTMLLines returns the lines of the XHTML in the current element.
func readHTMLLines(x *zipxml.Reader) []string {
	var text strings.Builder
	add := func(b []byte) {
		if x.CountBytes(len(b)); x.Err == nil {
			text.Write(bytes.Map(lineEndToSpace, b))
		}
	}
	var on func(e zipxml.Element)
	on = func(e zipxml.Element) {
		switch {
		case e.Name == "head" || e.Name == "style" || e.Name == "script":
			return
		case blockElements[e.Name]:
			text.WriteByte('\n')
			defer text.WriteByte('\n')
		case e.Name == "td" || e.Name == "th":
			text.WriteByte(' ')
		}
		x.EachChild(on, add)
	}
	x.EachChild(on, add)
	var lines []string
	for line := range strings.Lines(text.String()) {
		if line = markdown.OneLine(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func lineEndToSpace(r rune) rune {
	if r == '\n' || r == '\r' {
		return ' '
	}
	return r
}
