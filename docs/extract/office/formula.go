package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// Formula returns a formula in Office Math (ECMA-376 part 1, clause 22) on one
// line: fractions with a bar, powers and indexes with ^ and _.
func Formula(x *zipxml.Reader) string {
	var f mathReader
	f.sequence(x)
	return markdown.OneLine(strings.Map(func(r rune) rune {
		if 0x2061 <= r && r <= 0x2064 { // invisible operators
			return -1
		}
		return r
	}, f.String()))
}

type mathReader struct{ strings.Builder }

func (f *mathReader) sequence(x *zipxml.Reader) {
	x.Children(func(e zipxml.Element) { f.element(x, e) }, nil)
}

func (f *mathReader) element(x *zipxml.Reader, e zipxml.Element) {
	switch e.Name {
	case "t":
		f.WriteString(x.Text())
	case "f":
		f.fraction(x)
	case "d":
		f.delimiters(x)
	case "nary":
		f.nary(x)
	case "rad":
		f.WriteString("√")
		f.sequence(x)
	case "sup":
		f.script(x, "^")
	case "sub", "lim":
		f.script(x, "_")
	case "mr", "oMath":
		f.sequence(x)
		f.WriteString(" ")
	case "del", "moveFrom":
	case "br", "tab":
		f.WriteString(" ")
	default:
		f.sequence(x)
	}
}

// part returns what one element holds, in brackets if it is more than one
// character and needs them.
func part(x *zipxml.Reader, grouped bool) string {
	var f mathReader
	f.sequence(x)
	s := strings.TrimSpace(f.String())
	x.Take(len(s)) // it is copied once for every level of nesting
	if grouped && strings.ContainsAny(s, " +-−/=,") {
		return "(" + s + ")"
	}
	return s
}

func (f *mathReader) script(x *zipxml.Reader, mark string) {
	if s := part(x, true); s != "" {
		f.WriteString(mark + s)
	}
}

func (f *mathReader) fraction(x *zipxml.Reader) {
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "num":
			f.WriteString(part(x, true) + "/")
		case "den":
			f.WriteString(part(x, true))
		}
	}, nil)
}

// delimiters reads an expression in brackets, which properties name where they
// are not parentheses.
func (f *mathReader) delimiters(x *zipxml.Reader) {
	open, separator, end := "(", "|", ")"
	var parts []string
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "dPr":
			x.Children(func(e zipxml.Element) {
				switch e.Name {
				case "begChr":
					open = e.Attr("val")
				case "sepChr":
					separator = e.Attr("val")
				case "endChr":
					end = e.Attr("val")
				}
			}, nil)
		case "e":
			parts = append(parts, part(x, false))
		}
	}, nil)
	f.WriteString(open + strings.Join(parts, separator) + end)
}

// nary reads a sum, integral or the like, whose sign is a property.
func (f *mathReader) nary(x *zipxml.Reader) {
	sign := "∫"
	written := false
	x.Children(func(e zipxml.Element) {
		if e.Name == "naryPr" {
			x.Children(func(e zipxml.Element) {
				if e.Name == "chr" {
					sign = e.Attr("val")
				}
			}, nil)
			return
		}
		if !written {
			f.WriteString(sign)
			written = true
		}
		f.element(x, e)
	}, nil)
}
