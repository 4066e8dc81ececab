package formula

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf8"
)

// native returns the stream of a formula with the given header and records.
func native(header string, records ...string) string {
	return "\x1c\x00" + strings.Repeat("\x00", 26) + header + strings.Join(records, "")
}

const (
	header3 = "\x03\x01\x01\x03\x0a"
	header5 = "\x05\x01\x00\x06\x09DSMT6\x00\x00"
)

func code(r rune) string { return string(binary.LittleEndian.AppendUint16(nil, uint16(r))) }

// characters3 and characters5 return the records of a text in versions 3 and 5.
func characters3(text string) (all string) {
	for _, r := range text {
		all += "\x02\x83" + code(r)
	}
	return all
}

func characters5(text string) (all string) {
	for _, r := range text {
		all += "\x02\x00\x83" + code(r)
	}
	return all
}

func line3(records ...string) string { return "\x01" + strings.Join(records, "") + "\x00" }
func line5(records ...string) string { return "\x01\x00" + strings.Join(records, "") + "\x00" }

func template3(selector, variation byte, records ...string) string {
	return string([]byte{3, selector, variation, 0}) + strings.Join(records, "") + "\x00"
}

func template5(selector, variation byte, records ...string) string {
	return string([]byte{3, 0, selector, variation, 0}) + strings.Join(records, "") + "\x00"
}

const null3, null5 = "\x11", "\x01\x01"

func TestText(t *testing.T) {
	for what, c := range map[string]struct{ native, want string }{
		"a fraction":            {native(header3, "\x0a", line3(template3(14, 0, line3(characters3("a+b")), line3(characters3("2"))), characters3("=c"))), "(a+b)/2=c"},
		"scripts":               {native(header3, line3(characters3("x"), template3(15, 1, line3("\x0b", characters3("i")), null3), template3(15, 0, null3, line3(characters3("n-1"))))), "x_i^(n-1)"},
		"a root":                {native(header3, line3(template3(13, 1, line3(characters3("x")), line3(characters3("3"))))), "^3√x"},
		"a sum":                 {native(header3, line3(template3(29, 2, line3(characters3("k")), line3(characters3("k=1")), line3(characters3("n")), characters3("∑")))), "∑_(k=1)^n k"},
		"bars that grow":        {native(header3, line3(template3(4, 0, line3(characters3("x")), "\x02\x96\x07\xec\x02\x96\x08\xec"))), "|x|"},
		"a bar on the left":     {native(header3, line3(characters3("A"), template3(4, 1, line3(characters3("B")), "\x02\x96\x07\xec"))), "A|B"},
		"a complement":          {native(header3, line3(template3(17, 0, line3(characters3("A"))), template3(17, 0, line3(characters3("AB"))))), "A\u0304(AB)\u0304"},
		"a limit":               {native(header3, line3(template3(39, 0, line3(characters3("lim")), line3(characters3("n")), null3), characters3("a"))), "lim_n a"},
		"a prime, moved":        {native(header3, line3("\xa2\x80\x80\x01\x00\x02\x00\x83"+code('f')+"\x86\x05\x05\x05\x00", characters3("(x)"))), "f'(x)"},
		"marks, then more":      {native(header3, "\x04\x01\x01", line3("\x22\x83"+code('a')+"\x06\x0e\x00\x06\x05\x00\x00", characters3("=b")), line3(characters3("c")), "\x00"), "a\u20D7'=b; c"},
		"lines":                 {native(header3, "\x04\x01\x01", line3(characters3("a")), line3(characters3("b")), "\x00"), "a; b"},
		"fonts, sizes, a ruler": {native(header3, "\x08\x81\x00Arial\x00", "\x09\x65\x10\x00", "\x09\x64\x01\x10\x00", "\x09\x01\x80", "\x07\x02\x00\x10\x00\x00\x20\x00", line3(characters3("a"))), "a"},
		"version 5": {native(header5, "\x13WinAllCodePages\x00", "\x11\x05Times New Roman\x00", "\x12\x00\x02\x21\x2f\x3f\x01\x45\xf0\x02\x01\x00\x00", "\x0f\x01", "\x10\x04\x00\x00\x00\x00\x00\x00red\x00", "\x08\x01\x02", "\x64\x03abc",
			line5(characters5("r"), template5(28, 0, null5, line5(characters5("2"))), "\x02\x24\x83\x41", "\x02\x04\x83"+code('=')+"\x3d", template5(11, 0, line5(characters5("1")), line5(characters5("4"))))), "r^2=1/4"},
		"indexes of version 5":  {native(header5, line5(characters5("a"), template5(27, 0, line5(characters5("n")), null5), template5(29, 0, line5(characters5("i")), line5(characters5("j"))))), "a_n_i^j"},
		"a matrix":              {native(header5, "\x05\x00\x01\x02\x01\x02\x02\x00\x00", line5(characters5("a")), line5(characters5("b")), line5(characters5("c")), line5(characters5("d")), "\x00"), "a, b; c, d"},
		"cut off":               {native(header3, "\x01", characters3("ab"), "\x03\x0e"), "ab/"},
		"a record of no type":   {native(header5, line5(characters5("a"), "\x40", characters5("b"))), "a"},
		"another version":       {native("\x07\x01\x01\x03\x0a", line3(characters3("a"))), ""},
		"a header that is long": {"\xff\xff" + native(header3), ""},
		"nothing":               {"", ""},
	} {
		if got := MTEFText([]byte(c.native)); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestLongFormula checks that an object which is too large for a formula is not read completely.
func TestLongFormula(t *testing.T) {
	const character = "\x02\x83a\x00"
	if got := MTEFText([]byte(native(header3, line3(strings.Repeat(character, maxFormula))))); len(got) == 0 || len(got) > maxFormula/len(character) {
		t.Errorf("%d characters", len(got))
	}
}

// FuzzText checks that the text of any object is one line of UTF-8, and not longer than its records
// allow.
func FuzzText(f *testing.F) {
	f.Add(native(header3, line3(characters3("x"), template3(15, 1, line3(characters3("i")), null3), template3(14, 0, line3(characters3("a+b")), line3(characters3("2"))))))
	f.Add(native(header5, "\x12\x00\x02\x21\x2f\x3f\x01\x45\xf0\x02\x01\x00\x00", "\x05\x00\x01\x02\x01\x02\x02\x00\x00", line5(characters5("a")), line5(characters5("b"))))
	f.Fuzz(func(t *testing.T, native string) {
		text := MTEFText([]byte(native))
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\x00") || len(text) > 100*(1+len(native)) {
			t.Errorf("%q", text)
		}
	})
}
