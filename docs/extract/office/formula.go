package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// ReadFormula returns a formula in Office Math (ECMA-376 part 1, clause 22) on one
// line: fractions with a bar, powers and indexes with ^ and _.
func ReadFormula(x *zipxml.Reader) string {
	var f mathReader
	f.readSequence(x)
	return markdown.OneLine(strings.Map(func(r rune) rune {
		if 0x2061 <= r && r <= 0x2064 { // invisible operators
			return -1
		}
		return r
	}, f.String()))
}

type mathReader struct{ strings.Builder }

func (f *mathReader) readSequence(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) { f.readElement(x, e) }, nil)
}

func (f *mathReader) readElement(x *zipxml.Reader, e zipxml.Element) {
	switch e.Name {
	case "t":
		f.WriteString(x.ReadText())
	case "f":
		f.readFraction(x)
	case "d":
		f.readDelimiters(x)
	case "nary":
		f.readNary(x)
	case "rad":
		f.WriteString("√")
		f.readSequence(x)
	case "sup":
		f.readScript(x, "^")
	case "sub", "lim":
		f.readScript(x, "_")
	case "mr", "oMath":
		f.readSequence(x)
		f.WriteString(" ")
	case "del", "moveFrom":
	case "br", "tab":
		f.WriteString(" ")
	default:
		f.readSequence(x)
	}
}

// readGrouped returns what one element holds, in brackets if it is more than one
// character and needs them.
func readGrouped(x *zipxml.Reader, grouped bool) string {
	var f mathReader
	f.readSequence(x)
	s := strings.TrimSpace(f.String())
	x.CountBytes(len(s)) // it is copied once for every level of nesting
	if grouped && strings.ContainsAny(s, " +-−/=,") {
		return "(" + s + ")"
	}
	return s
}

func (f *mathReader) readScript(x *zipxml.Reader, mark string) {
	if s := readGrouped(x, true); s != "" {
		f.WriteString(mark + s)
	}
}

func (f *mathReader) readFraction(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "num":
			f.WriteString(readGrouped(x, true) + "/")
		case "den":
			f.WriteString(readGrouped(x, true))
		}
	}, nil)
}

// readDelimiters reads an expression in brackets, which properties name where they
// are not parentheses.
func (f *mathReader) readDelimiters(x *zipxml.Reader) {
	open, separator, end := "(", "|", ")"
	var parts []string
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "dPr":
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "begChr":
					open = e.Attribute("val")
				case "sepChr":
					separator = e.Attribute("val")
				case "endChr":
					end = e.Attribute("val")
				}
			}, nil)
		case "e":
			parts = append(parts, readGrouped(x, false))
		}
	}, nil)
	f.WriteString(open + strings.Join(parts, separator) + end)
}

// readNary reads a sum, integral or the like, whose sign is a property.
func (f *mathReader) readNary(x *zipxml.Reader) {
	sign := "∫"
	written := false
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "naryPr" {
			x.EachChild(func(e zipxml.Element) {
				if e.Name == "chr" {
					sign = e.Attribute("val")
				}
			}, nil)
			return
		}
		if !written {
			f.WriteString(sign)
			written = true
		}
		if e.Name == "e" && !strings.HasSuffix(f.String(), sign) {
			f.WriteString(" ") // so that what is summed is not taken for a part of the limit
		}
		f.readElement(x, e)
	}, nil)
}
