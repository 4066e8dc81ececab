package anki

import (
	"regexp"
	"strings"

	"vademecum/docs/extract/html"
)

// aside matches references to sounds, and the delimiters of formulas.
var aside = regexp.MustCompile(`\[(?:sound|anki:[a-z]+):[^\]]*\]|\[/?(?:latex|\$\$?)\]`)

// fieldText returns the text of a field in Markdown, without blank lines at its ends.
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

// clozeMark begins or ends a gap, such as {{c1::Paris::a city}}, or comes before its hint.
var clozeMark = regexp.MustCompile(`\{\{c[0-9,]+::|::|\}\}`)

// showClozes returns a text with its gaps filled in, without their hints. Gaps may be nested. A
// text with an unclosed gap is unchanged.
func showClozes(text string) string {
	if !strings.Contains(text, "{{c") {
		return text
	}
	var b strings.Builder
	depth, hint, from := 0, 0, 0 // hint: depth of the gap whose hint is being read, 0 for none
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
