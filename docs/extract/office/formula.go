package office

import (
	"strings"

	"vademecum/docs/extract/formula"
	"vademecum/docs/extract/zipxml"
)

// ReadFormula returns an Office Math formula (ECMA-376 part 1, clause 22) on one line, with / for
// fractions and ^ and _ for superscripts and subscripts.
func ReadFormula(x *zipxml.Reader) string {
	var f mathReader
	f.readSequence(x)
	return formula.CleanLine(f.String())
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
		f.readRoot(x)
	case "func":
		f.readFunction(x)
	case "acc", "bar":
		f.readAccent(x, e)
	case "sup":
		f.WriteString(formula.Superscript(readTerm(x)))
	case "sub", "lim":
		f.WriteString(formula.Subscript(readTerm(x)))
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

// readTerm returns the text of the current element.
func readTerm(x *zipxml.Reader) string {
	var f mathReader
	f.readSequence(x)
	s := strings.TrimSpace(f.String())
	x.CountBytes(len(s)) // count the text once for every level of nesting, at which it is copied
	return s
}

// readFraction reads a fraction, or a stack without a bar, as in a binomial coefficient.
func (f *mathReader) readFraction(x *zipxml.Reader) {
	numerator, denominator, kind := "", "", ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "fPr":
			kind = readProperty(x, "type", kind)
		case "num":
			numerator = readTerm(x)
		case "den":
			denominator = readTerm(x)
		}
	}, nil)
	if kind == "noBar" {
		f.WriteString(numerator + "; " + denominator)
		return
	}
	f.WriteString(formula.Fraction(numerator, denominator))
}

func (f *mathReader) readRoot(x *zipxml.Reader) {
	radicand, degree := "", ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "deg":
			degree = readTerm(x)
		case "e":
			radicand = readTerm(x)
		}
	}, nil)
	f.WriteString(formula.Root(radicand, degree))
}

// readFunction reads the name of a function and its argument.
func (f *mathReader) readFunction(x *zipxml.Reader) {
	name, argument := "", ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "fName":
			name = readTerm(x)
		case "e":
			argument = readTerm(x)
		}
	}, nil)
	if !strings.HasPrefix(argument, "(") {
		name += " "
	}
	f.WriteString(name + argument)
}

// readAccent reads a term with an accent or a bar above it. A bar below it is left out.
func (f *mathReader) readAccent(x *zipxml.Reader, accent zipxml.Element) {
	mark, place, term := "\u0302", "", ""
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "accPr":
			mark = readProperty(x, "chr", mark)
		case "barPr":
			place = readProperty(x, "pos", place)
		case "e":
			term = readTerm(x)
		}
	}, nil)
	mark, isMark := formula.CombiningMark(mark)
	switch {
	case accent.Name == "acc" && isMark:
		f.WriteString(formula.WithAccent(term, mark))
	case place == "top":
		f.WriteString(formula.WithAccent(term, formula.Overline))
	default:
		f.WriteString(term)
	}
}

// readProperty returns the value of a property of the current element, or defaultValue if it is not
// set.
func readProperty(x *zipxml.Reader, name, defaultValue string) string {
	x.EachChild(func(e zipxml.Element) {
		if e.Name == name {
			defaultValue = e.Attribute("val")
		}
	}, nil)
	return defaultValue
}

// readDelimiters reads an expression in brackets. If they are not parentheses, properties define
// them.
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
			parts = append(parts, readTerm(x))
		}
	}, nil)
	f.WriteString(open + strings.Join(parts, separator) + end)
}

// readNary reads a sum, an integral or the like; its symbol is a property.
func (f *mathReader) readNary(x *zipxml.Reader) {
	sign := "∫"
	written := false
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "naryPr" {
			sign = readProperty(x, "chr", sign)
			return
		}
		if !written {
			f.WriteString(sign)
			written = true
		}
		if e.Name == "e" && !strings.HasSuffix(f.String(), sign) {
			f.WriteString(" ") // separates the operand from the limits
		}
		f.readElement(x, e)
	}, nil)
}
