// Package formula writes formulas as text on one line, in the same notation for all sources:
// fractions with a slash, superscripts and subscripts with ^ and _. It also reads MathML.
package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Overline is the combining overline, as in the symbol for a mean.
const Overline = "\u0304"

// Fraction returns a fraction with a slash, such as (a+b)/2.
func Fraction(numerator, denominator string) string {
	return parenthesize(numerator) + "/" + parenthesize(denominator)
}

// Root returns a root of the given degree, such as √(a+b) for the degree "", which means a square
// root.
func Root(radicand, degree string) string {
	return Superscript(degree) + "√" + parenthesize(radicand)
}

// Superscript returns an exponent in the form that follows a term, such as ^2, or "" if exponent is
// empty. Primes and degree signs need no mark.
func Superscript(exponent string) string {
	switch exponent {
	case "′", "″", "‴", "'", "*", "†", "°":
		return exponent
	case "∘":
		return "°"
	}
	return marked("^", exponent)
}

// Subscript returns an index in the form that follows a term, such as _i, or "" if index is empty.
func Subscript(index string) string { return marked("_", index) }

func marked(mark, s string) string {
	if s == "" {
		return ""
	}
	return mark + parenthesize(s)
}

// WithAccent returns a term followed by a combining mark. A term of several characters is put in
// parentheses.
func WithAccent(term, mark string) string {
	if len([]rune(term)) > 1 && !isBracketed(term) {
		term = "(" + term + ")"
	}
	return term + mark
}

// accents maps the characters used as accents to combining marks.
var accents = map[string]string{
	"¯": Overline, "‾": Overline, "_": Overline, Overline: Overline, "\u0305": Overline, "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303",
	"→": "\u20D7", "⃗": "\u20D7", "˙": "\u0307", ".": "\u0307", "¨": "\u0308", "⏞": "",
}

// CombiningMark returns the combining mark for a character that formulas use as an accent; mark is
// "" if the accent can be dropped. ok is false for other characters.
func CombiningMark(character string) (mark string, ok bool) {
	if mark, ok = accents[character]; ok {
		return mark, true
	}
	r, size := utf8.DecodeRuneInString(character)
	return character, size > 0 && size == len(character) && unicode.Is(unicode.Mn, r)
}

// parenthesize returns a term, in parentheses if it would otherwise be ambiguous as part of a
// larger one.
func parenthesize(term string) string {
	if strings.ContainsAny(term, " +-−/=,×·÷<>≤≥") && !isBracketed(term) {
		return "(" + term + ")"
	}
	return term
}

// isBracketed reports whether a term begins with a parenthesis whose counterpart ends it.
func isBracketed(term string) bool {
	if !strings.HasPrefix(term, "(") {
		return false
	}
	depth := 0
	for i, c := range term {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(term)-1
			}
		}
	}
	return false
}

// powerOfNumber matches a number with a numeric exponent.
var powerOfNumber = lazyregexp.New(`([0-9])\^([0-9]{1,6}|\([-−+][0-9]{1,6}\))`)

// CleanLine returns the text of a formula on one line, without invisible characters. Numeric
// exponents of numbers become superscript characters, as in 10⁹.
func CleanLine(text string) string {
	text = markdown.OneLine(visible(text))
	return powerOfNumber.ReplaceAllStringFunc(text, func(power string) string {
		base, exponent, _ := strings.Cut(power, "^")
		return base + markdown.Superscript(strings.Trim(exponent, "()"))
	})
}

// visible returns a text without invisible operators, such as the invisible multiplication sign.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if 0x2061 <= r && r <= 0x2064 {
			return -1
		}
		return r
	}, text)
}
