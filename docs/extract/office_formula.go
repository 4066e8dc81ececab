package extract

import "strings"

// formula returns a formula in Office Math (ECMA-376 part 1, clause 22) on one
// line: fractions with a bar, powers and indexes with ^ and _.
func formula(x *xmlReader) string {
	var f mathReader
	f.sequence(x)
	return oneLine(strings.Map(func(r rune) rune {
		if 0x2061 <= r && r <= 0x2064 { // invisible operators
			return -1
		}
		return r
	}, f.String()))
}

type mathReader struct{ strings.Builder }

func (f *mathReader) sequence(x *xmlReader) {
	x.children(func(e element) { f.element(x, e) }, nil)
}

func (f *mathReader) element(x *xmlReader, e element) {
	switch e.name {
	case "t":
		f.WriteString(x.text())
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
func part(x *xmlReader, grouped bool) string {
	var f mathReader
	f.sequence(x)
	s := strings.TrimSpace(f.String())
	x.take(len(s)) // it is copied once for every level of nesting
	if grouped && strings.ContainsAny(s, " +-−/=,") {
		return "(" + s + ")"
	}
	return s
}

func (f *mathReader) script(x *xmlReader, mark string) {
	if s := part(x, true); s != "" {
		f.WriteString(mark + s)
	}
}

func (f *mathReader) fraction(x *xmlReader) {
	x.children(func(e element) {
		switch e.name {
		case "num":
			f.WriteString(part(x, true) + "/")
		case "den":
			f.WriteString(part(x, true))
		}
	}, nil)
}

// delimiters reads an expression in brackets, which properties name where they
// are not parentheses.
func (f *mathReader) delimiters(x *xmlReader) {
	open, separator, end := "(", "|", ")"
	var parts []string
	x.children(func(e element) {
		switch e.name {
		case "dPr":
			x.children(func(e element) {
				switch e.name {
				case "begChr":
					open = e.attr("val")
				case "sepChr":
					separator = e.attr("val")
				case "endChr":
					end = e.attr("val")
				}
			}, nil)
		case "e":
			parts = append(parts, part(x, false))
		}
	}, nil)
	f.WriteString(open + strings.Join(parts, separator) + end)
}

// nary reads a sum, integral or the like, whose sign is a property.
func (f *mathReader) nary(x *xmlReader) {
	sign := "∫"
	written := false
	x.children(func(e element) {
		if e.name == "naryPr" {
			x.children(func(e element) {
				if e.name == "chr" {
					sign = e.attr("val")
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
