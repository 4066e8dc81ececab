package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
)

// An Element is an element of a formula in MathML (MathML Core, and 3.0 for mfenced and
// mmultiscripts).
type Element struct {
	Name       string // name without a namespace prefix
	Text       string // text of a token element, such as mi
	Attributes map[string]string
	Children   []*Element
}

// maxDepth is the depth up to which nested constructs keep their structure. It limits the time, as
// the text of each level is copied once for every level around it.
const maxDepth = 32

// MathMLText returns a formula as text on one line.
func MathMLText(root *Element) string { return CleanLine(root.write(0)) }

func (e *Element) write(depth int) string {
	if depth > maxDepth {
		return e.plainText()
	}
	depth++
	switch e.Name {
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts":
		return ""
	case "mi", "mo", "mn", "mtext", "ms":
		return visible(e.plainText())
	case "mspace":
		return " "
	case "semantics":
		return e.child(0, depth)
	case "mfrac":
		if strings.HasPrefix(e.Attributes["linethickness"], "0") { // a binomial coefficient, in brackets
			return e.child(0, depth) + "; " + e.child(1, depth)
		}
		return Fraction(e.child(0, depth), e.child(1, depth))
	case "msqrt":
		return Root(e.row(depth), "")
	case "mroot":
		return Root(e.child(0, depth), e.child(1, depth))
	case "msub", "munder":
		return e.base(depth) + e.index(1, depth) + e.limitEnd()
	case "msup":
		return e.base(depth) + Superscript(e.child(1, depth))
	case "mover":
		return e.writeOver(depth)
	case "msubsup", "munderover":
		return e.base(depth) + e.index(1, depth) + Superscript(e.child(2, depth)) + e.limitEnd()
	case "mmultiscripts":
		return e.writeScripts(depth)
	case "mfenced":
		return e.writeFenced(depth)
	case "mtable":
		return e.joinChildren("; ", depth)
	case "mtr", "mlabeledtr":
		return e.joinChildren(", ", depth)
	}
	return e.row(depth)
}

// plainText returns the text of all token elements, without structure.
func (e *Element) plainText() string {
	var b strings.Builder
	var add func(*Element)
	add = func(e *Element) {
		b.WriteString(e.Text)
		for _, c := range e.Children {
			add(c)
		}
	}
	add(e)
	return markdown.OneLine(b.String())
}

func (e *Element) child(i, depth int) string {
	if i >= len(e.Children) {
		return ""
	}
	return strings.TrimSpace(e.Children[i].write(depth))
}

// base returns the first child of a script element, the term that has the scripts, in parentheses
// if it is compound.
func (e *Element) base(depth int) string { return parenthesize(e.child(0, depth)) }

// index returns the subscript that is the i-th child; "" if it is only a line or brace under the
// term.
func (e *Element) index(i, depth int) string {
	text := e.child(i, depth)
	if text == "_" || text == "¯" || text == "⏟" {
		return ""
	}
	return Subscript(text)
}

// limitEnd returns the separator between the limits of an operator, such as a sum, and its operand.
func (e *Element) limitEnd() string {
	if strings.HasPrefix(e.Name, "munder") || len(e.Children) > 0 && e.Children[0].Name == "mo" {
		return " "
	}
	return ""
}

func (e *Element) writeOver(depth int) string {
	over := e.child(1, depth)
	if mark, ok := CombiningMark(over); ok {
		return WithAccent(e.child(0, depth), mark)
	}
	return e.base(depth) + Superscript(over) + e.limitEnd()
}

// writeScripts writes a term with pairs of subscripts and superscripts after it and, following
// mprescripts, before it.
func (e *Element) writeScripts(depth int) string {
	var before, behind strings.Builder
	scripts := &behind
	for i := 1; i < len(e.Children); {
		if e.Children[i].Name == "mprescripts" {
			scripts = &before
			i++
			continue
		}
		scripts.WriteString(e.index(i, depth) + Superscript(e.child(i+1, depth)))
		i += 2
	}
	return before.String() + e.base(depth) + behind.String()
}

func (e *Element) writeFenced(depth int) string {
	attribute := func(name, otherwise string) string {
		if value, ok := e.Attributes[name]; ok {
			return value
		}
		return otherwise
	}
	separator := attribute("separators", ",")
	_, size := utf8.DecodeRuneInString(separator)
	return attribute("open", "(") + e.joinChildren(separator[:size], depth) + attribute("close", ")")
}

func (e *Element) joinChildren(separator string, depth int) string {
	texts := make([]string, len(e.Children))
	for i := range e.Children {
		texts[i] = e.child(i, depth)
	}
	return strings.Join(texts, separator)
}

// row returns the texts of adjacent elements joined, with a space between words.
func (e *Element) row(depth int) string {
	var b strings.Builder
	b.WriteString(markdown.OneLine(e.Text))
	var before *Element
	for _, c := range e.Children {
		text := c.write(depth)
		if before != nil && (before.isWord() || c.isWord()) && beginsWord(text) && endsWord(b.String()) {
			b.WriteByte(' ')
		}
		if b.WriteString(text); text != "" {
			before = c
		}
	}
	return b.String()
}

// isWord reports whether a token is a word or a unit, rather than the symbol of a quantity.
func (e *Element) isWord() bool {
	return e.Name == "mtext" || (e.Name == "mi" || e.Name == "mo") && utf8.RuneCountInString(strings.TrimSpace(e.Text)) > 1
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
