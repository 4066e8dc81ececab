// XML without a known schema is read as text for people: with character references
// decoded, and without Base64.

package data

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// ReadXML reads XML. The text stays as in the file, line for line, except for character
// references, which cannot be searched, and Base64.
func ReadXML(raw []byte, _ extract.Progress) (extract.Content, error) {
	c, err := charset.Read(raw)
	c.Text = ElideBase64(characterReference.ReplaceAllStringFunc(c.Text, dereference))
	return c, err
}

// characterReference is a reference to a character (XML 1.0, 4.1), or one of the entities of HTML.
var characterReference = regexp.MustCompile(`&(?:#[0-9]{1,7}|#x[0-9A-Fa-f]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});`)

// dereference returns the character of a reference, unless it would be markup or invisible.
// White space becomes a space, so that lines keep their numbers.
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
