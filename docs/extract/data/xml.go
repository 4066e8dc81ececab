// XML without a known schema is read as text for people: character references are decoded and
// Base64 is left out.

package data

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/internal/base/lazyregexp"
)

// ReadXML reads XML. The text is kept line for line, except for Base64 and character references,
// which cannot be searched.
func ReadXML(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	c.Text = elideBase64(characterReference.ReplaceAllStringFunc(c.Text, dereference))
	return c, err
}

// characterReference matches a character reference (XML 1.0, 4.1) or an HTML entity.
var characterReference = lazyregexp.New(`&(?:#[0-9]{1,7}|#x[0-9A-Fa-f]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});`)

// dereference returns the character of a reference, unless it would be markup or invisible. White
// space becomes a space, so that the line numbers stay the same.
func dereference(reference string) string {
	text := html.UnescapeString(reference)
	switch {
	case text != "" && strings.TrimSpace(text) == "":
		return " "
	case strings.ContainsAny(text, `<>"`), strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }):
		return reference
	}
	return text
}
