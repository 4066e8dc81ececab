package anki

import (
	"strings"

	"vademecum/docs/extract/html"
	"vademecum/internal/base/lazyregexp"
)

// aside matches references to sounds and the delimiters of formulas, which are not part of the
// text.
var aside = lazyregexp.New(`\[(?:sound|anki:[a-z]+):[^\]]*\]|\[/?(?:latex|\$\$?)\]`)

// fieldText returns the text of a field as Markdown, without leading and trailing white space.
func fieldText(field string) string {
	text := aside.ReplaceAllString(showClozes(field), "")
	if strings.ContainsAny(text, "<&") {
		var err error
		if text, _, err = html.Markdown(text); err != nil {
			return ""
		}
	}
	return strings.TrimSpace(text)
}

// clozeMark matches the start or end of a cloze deletion, such as {{c1::Paris::a city}}, or the
// separator before its hint.
var clozeMark = lazyregexp.New(`\{\{c[0-9,]+::|::|\}\}`)

// showClozes returns a text with its cloze deletions revealed and their hints removed. Cloze
// deletions may be nested. A text with an unclosed one is returned unchanged.
func showClozes(text string) string {
	if !strings.Contains(text, "{{c") {
		return text
	}
	var b strings.Builder
	depth, hint, from := 0, 0, 0 // hint is the depth of the deletion whose hint is being read; 0 if none
	for _, at := range clozeMark.FindAllStringIndex(text, -1) {
		if hint == 0 {
			b.WriteString(text[from:at[0]])
		}
		from = at[1]
		switch mark := text[at[0]:at[1]]; {
		case strings.HasPrefix(mark, "{{"):
			depth++
		case mark == "}}" && depth > 0:
			if hint == depth {
				hint = 0
			}
			depth--
		case hint > 0:
		case mark == "::" && depth > 0:
			hint = depth
		default:
			b.WriteString(mark)
		}
	}
	if depth > 0 {
		return text
	}
	return b.String() + text[from:]
}
