// Package numberformat formats numbers, dates and texts of cells with the number formats of Excel.
package numberformat

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Format formats the values of cells by a format code (ECMA-376 part 1, 18.8.31).
type Format struct {
	sections    []formatSection // sections of the format code for numbers
	textSection *formatSection  // section of the format code for texts, or nil
}

// A formatSection is one of the parts of a format code, which are separated by semicolons.
type formatSection struct {
	tokens       []formatToken
	operator     string // comparison operator of the condition under which it applies, or ""
	operand      float64
	isDate       bool
	language     int // Windows language identifier for the names in dates, or 0
	hasThousands bool
	scale        int // power of ten by which numbers are multiplied
}

type formatToken struct {
	kind tokenKind
	text string // literal, date part or placeholder
}

type tokenKind uint8

const (
	literal  tokenKind = iota
	digit              // placeholder for a digit: 0, # or ?
	point              // decimal point
	comma              // comma, which becomes a separator, a scale or a literal
	exponent           // exponent: E+ or E-
	slash              // slash of a fraction, or between parts of a date
	number             // digits of a fixed denominator, or a literal
	percent
	datePart // part of a date: y, m, d, h, s, a, e, b or g, repeated
	elapsed  // elapsed time: h, m or s in brackets, repeated
	amPM     // AM/PM marker
	general
	atSign // placeholder for the text of the cell
)

const maxFormat = 1024 // maximum bytes of a format code; Excel allows 255 characters

// Parse parses a format code. It returns nil if the code is invalid.
func Parse(code string) *Format {
	if len(code) > maxFormat {
		return nil
	}
	f := new(Format)
	for more := true; more; {
		var s formatSection
		code, more = s.parse(code)
		s.classifyTokens()
		f.sections = append(f.sections, s)
	}
	last := &f.sections[len(f.sections)-1]
	if len(f.sections) > 3 {
		f.textSection, f.sections = &f.sections[3], f.sections[:3]
	} else if last.hasToken(atSign) {
		f.textSection = last
		f.sections = f.sections[:max(1, len(f.sections)-1)]
	}
	return f
}

// parse reads the tokens of a section. It returns the rest of the code and whether another section
// follows.
func (s *formatSection) parse(code string) (rest string, more bool) {
	for len(code) > 0 {
		if code[0] == ';' {
			return code[1:], true
		}
		code = code[s.parseToken(code):]
	}
	return "", false
}

// parseToken adds the first token of code, and returns its length.
func (s *formatSection) parseToken(code string) int {
	c := code[0]
	switch {
	case c == '"':
		text, _, _ := strings.Cut(code[1:], `"`)
		s.addToken(literal, text)
		return min(len(code), len(text)+2)
	case c == '\\' || c == '_' || c == '*':
		_, size := utf8.DecodeRuneInString(code[1:])
		switch c {
		case '\\':
			s.addToken(literal, code[1:1+size])
		case '_':
			s.addToken(literal, " ")
		}
		return 1 + size
	case c == '[':
		if end := strings.IndexByte(code, ']'); end > 0 {
			s.parseBracket(code[1:end])
			return end + 1
		}
	}
	for _, w := range formatWords {
		if len(code) >= len(w.text) && strings.EqualFold(code[:len(w.text)], w.text) {
			s.addToken(w.kind, code[:len(w.text)])
			return len(w.text)
		}
	}
	return s.parseCharacter(code)
}

var formatWords = []formatToken{
	{general, "general"}, {amPM, "am/pm"}, {amPM, "a/p"}, {amPM, "上午/下午"}, {exponent, "e+"}, {exponent, "e-"},
}

// parseCharacter adds the token of a character, including its repetitions if it is part of a date.
func (s *formatSection) parseCharacter(code string) int {
	c := code[0]
	switch {
	case c == '0' || c == '#' || c == '?':
		s.addToken(digit, code[:1])
	case '1' <= c && c <= '9':
		s.addToken(number, code[:1])
	case strings.IndexByte(".,/%@", c) >= 0:
		kind := map[byte]tokenKind{'.': point, ',': comma, '/': slash, '%': percent, '@': atSign}[c]
		s.addToken(kind, code[:1])
	case strings.IndexByte("ymdhsaebgYMDHSAEBG", c) >= 0:
		size := 1
		for size < len(code) && code[size]|0x20 == c|0x20 {
			size++
		}
		s.addToken(datePart, strings.ToLower(code[:size]))
		return size
	default:
		_, size := utf8.DecodeRuneInString(code)
		s.addToken(literal, code[:size])
		return size
	}
	return 1
}

func (s *formatSection) addToken(kind tokenKind, text string) {
	s.tokens = append(s.tokens, formatToken{kind, text})
}

// parseBracket parses the content of brackets: a currency with its language, a condition, or
// elapsed time. Colours and numeral systems are ignored.
func (s *formatSection) parseBracket(inside string) {
	if symbol, ok := strings.CutPrefix(inside, "$"); ok {
		symbol, language, _ := cutLast(symbol, "-")
		s.addToken(literal, symbol)
		if n, err := strconv.ParseUint(language, 16, 32); err == nil {
			s.language = int(n & 0xFFFF) // the high bits are the calendar and the numerals
		}
		return
	}
	operand := strings.TrimLeft(inside, "<>=")
	if n, err := strconv.ParseFloat(operand, 64); err == nil && len(operand) < len(inside) {
		s.operator, s.operand = inside[:len(inside)-len(operand)], n
		return
	}
	lower := strings.ToLower(inside)
	if lower != "" && strings.Trim(lower, lower[:1]) == "" && strings.Contains("hms", lower[:1]) {
		s.addToken(elapsed, lower)
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func (s *formatSection) hasToken(kind tokenKind) bool {
	for _, t := range s.tokens {
		if t.kind == kind {
			return true
		}
	}
	return false
}

// classifyTokens determines whether the section is for numbers or for dates, and what its commas
// mean.
func (s *formatSection) classifyTokens() {
	s.isDate = s.hasToken(datePart) || s.hasToken(elapsed) || s.hasToken(amPM)
	if s.isDate {
		return
	}
	last, end := -1, len(s.tokens) // last is the last digit placeholder before the decimal point
	for i, t := range s.tokens {
		switch {
		case t.kind == percent:
			s.scale += 2
		case t.kind == digit && i < end:
			last = i
		case t.kind == point || t.kind == exponent:
			end = min(end, i)
		}
	}
	first := true
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case t.kind == digit:
			first = false
		case t.kind != comma:
		case first:
			t.kind = literal
		case i < last:
			s.hasThousands = true
		case s.tokens[i-1].kind == digit || s.tokens[i-1].kind == comma:
			s.scale -= 3
		default:
			t.kind = literal
		}
	}
}

// IsDate reports whether the format shows numbers as dates or times.
func (f *Format) IsDate() bool { return f.sections[0].isDate }

// FormatNumber returns the displayed form of a number. A date is a number of days since 1900, or
// since 1904 if date1904 is set.
func (f *Format) FormatNumber(v float64, date1904 bool) string {
	s, negative := f.chooseSection(v)
	switch {
	case s.isDate:
		return s.formatDate(v, date1904)
	case v < 0 && !negative:
		return "-" + s.formatNumber(-v)
	case v < 0:
		shown := s.formatNumber(-v)
		if s != &f.sections[0] && shown == f.sections[0].formatNumber(-v) && strings.ContainsAny(shown, "123456789") {
			return "-" + shown // otherwise only the colour says so, as in 0;[Red]0
		}
		return shown
	}
	return s.formatNumber(v)
}

// chooseSection returns the section for a number, and whether the section is for negative numbers
// only, which are then shown without a sign.
func (f *Format) chooseSection(v float64) (s *formatSection, negative bool) {
	all := f.sections
	if len(all) == 1 && all[0].operator == "" {
		return &all[0], false
	}
	if all[0].operator != "" || len(all) > 1 && all[1].operator != "" {
		return f.chooseConditional(v)
	}
	switch {
	case v < 0:
		return &all[1], true
	case v == 0 && len(all) > 2:
		return &all[2], false
	}
	return &all[0], false
}

func (f *Format) chooseConditional(v float64) (s *formatSection, negative bool) {
	first := f.sections[0]
	if first.operator == "" {
		first.operator = ">"
	}
	if first.meetsCondition(v) {
		return &f.sections[0], first.isOnlyNegative()
	}
	if len(f.sections) == 1 {
		return &formatSection{tokens: []formatToken{{general, ""}}}, false
	}
	second := &f.sections[1]
	if len(f.sections) == 2 || second.meetsCondition(v) {
		return second, second.isOnlyNegative() || first.operator == ">=" && first.operand == 0 || first.operator == ">" && first.operand == 0
	}
	return &f.sections[2], false
}

func (s *formatSection) meetsCondition(v float64) bool {
	switch s.operator {
	case "<":
		return v < s.operand
	case "<=":
		return v <= s.operand
	case ">":
		return v > s.operand
	case ">=":
		return v >= s.operand
	case "=":
		return v == s.operand
	case "<>":
		return v != s.operand
	}
	return v < 0
}

func (s *formatSection) isOnlyNegative() bool {
	return s.operator == "<" && s.operand <= 0 || s.operator == "<=" && s.operand < 0
}

// FormatText returns the displayed form of a text. A text that the format would hide is returned
// unchanged.
func (f *Format) FormatText(text string) string {
	if f.textSection == nil || !f.textSection.hasToken(atSign) {
		return text
	}
	var b strings.Builder
	for _, t := range f.textSection.tokens {
		switch t.kind {
		case atSign:
			b.WriteString(text)
		case literal:
			b.WriteString(t.text)
		}
	}
	return b.String()
}
