// Package data reads JSON, and XML without a known schema, as text for people: escapes are decoded
// and Base64 is left out.
package data

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// ReadJSON reads JSON (RFC 8259) and JSON lines. The text is kept line for line, except for Base64
// and escaped letters: many programs escape all non-ASCII characters, which then cannot be
// searched.
func ReadJSON(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	c.Text = elideBase64(unescapeLetters(c.Text))
	return c, err
}

// unescapeLetters replaces \u escapes by their characters, if these are visible and need no escape.
func unescapeLetters(s string) string {
	if !strings.Contains(s, `\u`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		r, size := parseEscape(s[i:])
		if r == 0 {
			b.WriteString(s[i : i+size])
		} else {
			b.WriteRune(r)
		}
		s = s[i+size:]
	}
}

// parseEscape returns the character of the escape at the start of s, and the length of the escape;
// 0 if it must stay escaped.
func parseEscape(s string) (rune, int) {
	r, ok := parseCodeUnit(s)
	if !ok {
		return 0, 2
	}
	size := 6
	if utf16.IsSurrogate(r) {
		low, _ := parseCodeUnit(s[size:])
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return 0, size
		}
		size = 12
	}
	if !unicode.IsGraphic(r) || r == '"' || r == '\\' {
		return 0, size
	}
	return r, size
}

// parseCodeUnit returns the UTF-16 code unit of the \u escape at the start of s.
func parseCodeUnit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(v), err == nil
}
