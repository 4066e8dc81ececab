package chunk

import (
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// maxHeader is the maximum number of lines in the header of a text.
const maxHeader = 100

// field matches a line of a header (RFC 822), as in proposals for Python, Bitcoin or Ethereum, in
// MultiMarkdown, and in texts written by programs.
var field = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]{0,40}):(?:[ \t]+(.*))?$`)

// series matches the name of a series of documents, such as PEP or BIP.
var series = lazyregexp.New(`^[A-Z]{2,6}$`)

// headerTitle returns the title in the header of a text, or "". If the text has a number in a
// series, by which people know it, the title includes it: "PEP 484: Type Hints".
func headerTitle(text string) string {
	text = strings.TrimLeft(text, "\n")
	if title, ok := pandocTitle(text); ok {
		return title
	}
	h := headerOf(text)
	title := shortenTitle(h.title)
	if title == "" || h.fields < 2 {
		return ""
	}
	if number := strings.TrimLeft(h.number, "0"); series.MatchString(h.series) && isDigits(number) {
		return shortenTitle(h.series + " " + number + ": " + title)
	}
	return title
}

// headerFields holds the relevant fields of the header of a text.
type headerFields struct {
	fields         int
	series, number string // from the first field
	title          string
}

func headerOf(text string) (h headerFields) {
	s := lineScanner{text: text}
	inTitle := false
	for range maxHeader {
		start, end, ok := s.next()
		if !ok || isBlank(text[start:end]) {
			return h
		}
		line := text[start:min(end, start+maxInline)]
		if line[0] == ' ' || line[0] == '\t' {
			if inTitle {
				h.title += " " + strings.TrimSpace(line)
			}
			continue
		}
		m := field.FindStringSubmatch(line)
		if m == nil {
			return headerFields{}
		}
		if h.fields++; h.fields == 1 {
			h.series, h.number = m[1], strings.TrimSpace(m[2])
		}
		if inTitle = strings.EqualFold(m[1], "title"); inTitle {
			h.title = m[2]
		}
	}
	return headerFields{}
}

// pandocTitle returns the title if a text begins with a title block of Pandoc: "% Title".
func pandocTitle(text string) (string, bool) {
	line, _, _ := strings.Cut(text[:min(len(text), maxInline)], "\n")
	title, ok := strings.CutPrefix(line, "% ")
	return headingText([]byte(strings.ToValidUTF8(title, ""))), ok && hasLetter(title)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
