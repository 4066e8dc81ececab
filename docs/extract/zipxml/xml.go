package zipxml

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/internal/base/lazyregexp"
)

// A Reader walks through an XML document element by element. It is lenient: invalid XML ends the
// walk, and the elements before it remain valid. Names are compared without their namespaces, and
// entities that a document defines are never expanded.
type Reader struct {
	decoder          *xml.Decoder
	source           *XMLSanitizer
	depth            int   // nesting depth of the current element
	CountedTextBytes int   // bytes of text counted so far, which include a cost for each table cell
	Err              error // the error that ended the walk; io.EOF after the last element
}

// NewReader returns a reader of the XML document in r, positioned before the root element.
func NewReader(r io.Reader) *Reader {
	s := NewXMLSanitizer(r)
	d := xml.NewDecoder(s)
	d.Strict = false
	d.Entity = xml.HTMLEntity                                                          // HTML entities, each of which is one character
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the document is already decoded
	return &Reader{decoder: d, source: s}
}

// ReadXML calls read with a reader of the XML document in r, positioned before the root element. The
// error reports that the document is damaged or exceeds a limit.
func ReadXML(r io.Reader, read func(*Reader)) error {
	x := NewReader(r)
	read(x)
	return x.documentError()
}

// StopWith ends the walk with err, unless it is nil.
func (x *Reader) StopWith(err error) {
	if err != nil && x.Err == nil {
		x.Err = err
	}
}

// prolog matches everything that may precede the root element.
var prolog = lazyregexp.New(`^(?:\s|<\?[^>]*>|<!--(?s:.*?)-->|<![A-Z][^>]*>)*`)

// SkipProlog returns the start of a document without what may precede the root element: the XML
// declaration, comments and the like.
func SkipProlog(start []byte) []byte { return start[len(prolog.Find(start)):] }

// An Element is the start tag of an element.
type Element struct {
	Name       string // name without a namespace prefix
	Attributes []xml.Attr
}

// Attribute returns the value of the attribute with that name, without a namespace prefix, or "".
func (e Element) Attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// PrefixedAttribute returns the value of the attribute with that local name and any namespace
// prefix, as in references to relationships, or "".
func (e Element) PrefixedAttribute(localName string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == localName && a.Name.Space != "" && a.Name.Space != "xmlns" {
			return a.Value
		}
	}
	return ""
}

// NumberAttribute returns the value of an attribute as a number, or the given default if it is not
// one.
func (e Element) NumberAttribute(name string, defaultValue int) int {
	if n, err := strconv.Atoi(e.Attribute(name)); err == nil {
		return n
	}
	return defaultValue
}

// IsSwitchedOn reports whether e, a toggle property such as w:vanish, is on, which it is unless its
// value switches it off (ECMA-376 part 1, 17.17.4).
func (e Element) IsSwitchedOn() bool {
	switch e.Attribute("val") {
	case "0", "false", "off":
		return false
	}
	return true
}

// EachChild calls onElement for every child of the current element or, before the root element, of
// the document. It calls onText, unless nil, for the character data between the children. What
// onElement leaves unread of a child is skipped.
func (x *Reader) EachChild(onElement func(Element), onText func([]byte)) {
	for {
		switch t := x.NextToken().(type) {
		case nil:
			return
		case xml.EndElement:
			x.depth--
			return
		case xml.CharData:
			if onText != nil {
				onText(t)
			}
		case xml.StartElement:
			if x.depth++; x.depth > extract.MaxNestingDepth {
				x.Err = extract.ErrNestedTooDeeply
				return
			}
			depth := x.depth
			onElement(Element{t.Name.Local, t.Attr})
			if x.depth == depth {
				x.skipElement()
			}
		}
	}
}

// skipElement reads to the end of the current element.
func (x *Reader) skipElement() {
	for open := 1; open > 0; {
		switch x.NextToken().(type) {
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

// EachDescendant calls onElement for every descendant of the current element, in document order. If
// onElement returns true, or has read the element, the descendants of that element are not visited.
func (x *Reader) EachDescendant(onElement func(Element) (skipsDescendants bool)) {
	x.EachChild(func(e Element) {
		depth := x.depth
		if !onElement(e) && x.depth == depth {
			x.EachDescendant(onElement)
		}
	}, nil)
}

// CountBytes counts n more bytes of text. If the total exceeds extract.MaxTextBytes, reading ends
// with ErrTooMuchText.
func (x *Reader) CountBytes(n int) {
	if x.CountedTextBytes += n; x.CountedTextBytes > extract.MaxTextBytes && x.Err == nil {
		x.Err = extract.ErrTooMuchText
	}
}

// ReadText returns the character data in the current element and its descendants.
func (x *Reader) ReadText() string {
	var s strings.Builder
	add := func(b []byte) {
		if x.CountBytes(len(b)); x.Err == nil {
			s.Write(b)
		}
	}
	var on func(Element)
	on = func(Element) { x.EachChild(on, add) }
	x.EachChild(on, add)
	return s.String()
}

// NextToken returns the next token of the document. At the end and after an error it returns nil,
// and x.Err is io.EOF or that error.
func (x *Reader) NextToken() xml.Token {
	if x.Err != nil {
		return nil
	}
	t, err := x.decoder.RawToken()
	if err != nil {
		x.Err = err
		return nil
	}
	x.source.tokenBytes = 0
	return t
}

// documentError returns nil if the document was read to its end, otherwise the SkipError of a limit
// or of the archive, or another error that reports damage.
func (x *Reader) documentError() error {
	if skipped, ok := x.Err.(*extract.SkipError); ok {
		return skipped
	}
	if x.Err == nil || x.Err == io.EOF && x.depth == 0 {
		return nil
	}
	return extract.Skip("damaged XML")
}
