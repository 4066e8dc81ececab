package extract

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// An xmlReader walks through an XML document, element by element. It is
// lenient: what it cannot read ends the walk, and what came before stays.
// Names are compared without their namespaces, and entities that a document
// defines are never expanded.
type xmlReader struct {
	decoder *xml.Decoder
	source  *xmlSource
	depth   int   // of the element that is being read
	taken   int   // bytes of text so far, with something for every cell of a table
	err     error // that ended the walk; io.EOF after the last element
}

// newXMLReader returns a reader before the root element.
func newXMLReader(r io.Reader) *xmlReader {
	s := newXMLSource(r)
	d := xml.NewDecoder(s)
	d.Strict = false
	d.Entity = xml.HTMLEntity                                                          // each is one character
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the source has decoded it
	return &xmlReader{decoder: d, source: s}
}

// An element is the start of an element.
type element struct {
	name       string // without its prefix
	attributes []xml.Attr
}

// attr returns the value of the attribute of that local name, or "".
func (e element) attr(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// reference returns the value of the attribute of that local name that has a
// prefix, as those have that name a relationship.
func (e element) reference(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name && a.Name.Space != "" && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// number returns the value of an attribute as a number, or otherwise.
func (e element) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(e.attr(name)); err == nil {
		return n
	}
	return otherwise
}

// isOn tells whether e, a property such as w:vanish, is not switched off
// (ECMA-376 part 1, 17.17.4).
func (e element) isOn() bool {
	switch e.attr("val") {
	case "0", "false", "off":
		return false
	}
	return true
}

// children calls on for every child of the element that began last, or of the
// document, and text, unless nil, for the character data between them. What on
// leaves unread of a child is skipped.
func (x *xmlReader) children(on func(element), text func([]byte)) {
	for {
		switch t := x.token().(type) {
		case nil:
			return
		case xml.EndElement:
			x.depth--
			return
		case xml.CharData:
			if text != nil {
				text(t)
			}
		case xml.StartElement:
			if x.depth++; x.depth > maxDepth {
				x.err = ErrTooDeep
				return
			}
			depth := x.depth
			on(element{t.Name.Local, t.Attr})
			if x.depth == depth {
				x.skip()
			}
		}
	}
}

// skip reads to the end of the element that began last.
func (x *xmlReader) skip() {
	for open := 1; open > 0; {
		switch x.token().(type) {
		case nil:
			return
		case xml.StartElement:
			open++
		case xml.EndElement:
			open--
		}
	}
	x.depth--
}

// descend calls on for every descendant of the element that began last whose
// name it handles, which on tells. Those within one that was handled are not
// visited.
func (x *xmlReader) descend(on func(element) bool) {
	x.children(func(e element) {
		depth := x.depth
		if !on(e) && x.depth == depth {
			x.descend(on)
		}
	}, nil)
}

// take accounts for n bytes of text, which may be held in memory.
func (x *xmlReader) take(n int) {
	if x.taken += n; x.taken > maxText && x.err == nil {
		x.err = ErrTooMuchText
	}
}

// text returns the character data in the element that began last.
func (x *xmlReader) text() string {
	var s strings.Builder
	add := func(b []byte) {
		if x.take(len(b)); x.err == nil {
			s.Write(b)
		}
	}
	var on func(element)
	on = func(element) { x.children(on, add) }
	x.children(on, add)
	return s.String()
}

// token returns the next token, or nil at the end, where it sets x.err.
func (x *xmlReader) token() xml.Token {
	if x.err != nil {
		return nil
	}
	t, err := x.decoder.RawToken()
	if err != nil {
		x.err = err
		return nil
	}
	x.source.pending = 0
	return t
}

// failure returns nil if the document was read to its end, the *SkipError of
// a limit or of the archive, or another that says that it is damaged.
func (x *xmlReader) failure() error {
	if skipped, ok := x.err.(*SkipError); ok {
		return skipped
	}
	if x.err == nil || x.err == io.EOF && x.depth == 0 {
		return nil
	}
	return skip("damaged XML")
}
