package kind

import "strings"

// linkSpanKind is the kind of a range of a line that is a link, a picture or code rather than
// prose.
type linkSpanKind uint8

const (
	picture   linkSpanKind = iota // or an embedded note
	code                          // between backticks
	address                       // bare URL
	reference                     // a link with a text: in Markdown, in reStructuredText, a wikilink
)

// linkSpan is a link, picture or code span in a text.
type linkSpan struct {
	kind   linkSpanKind
	shown  string
	length int // length of the whole span
}

// longestSpan limits how far the end of a span is searched for, in bytes.
const longestSpan = 600

// opensSpan marks the bytes with which a span may begin.
var opensSpan = [256]bool{'!': true, '[': true, '`': true, 'h': true}

// linkSpanAt returns the span that begins at a position of a text. ok is false if there is none.
func linkSpanAt(text string, at int) (linkSpan, bool) {
	rest := text[at:min(len(text), at+longestSpan)]
	if rest[0] == 'h' && !strings.HasPrefix(rest, "http") {
		return linkSpan{}, false
	}
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	switch rest[0] {
	case '!':
		if s, ok := bracketedLinkAt(rest[1:]); ok {
			return linkSpan{kind: picture, length: s.length + 1}, true
		}
	case '[':
		return bracketedLinkAt(rest)
	case '`':
		return backquotedAt(rest)
	case 'h':
		return webAddressAt(rest)
	}
	return linkSpan{}, false
}

// bracketedLinkAt returns the Markdown link or wikilink at the start of a line.
func bracketedLinkAt(line string) (linkSpan, bool) {
	if inner, ok := strings.CutPrefix(line, "[["); ok {
		shown, _, ok := strings.Cut(inner, "]]")
		return linkSpan{reference, shown, len(shown) + len("[[]]")}, ok
	}
	if !strings.HasPrefix(line, "[") {
		return linkSpan{}, false
	}
	end := strings.IndexAny(line[1:], "[]") + 1
	if end == 0 || !strings.HasPrefix(line[end:], "](") {
		return linkSpan{}, false
	}
	target := strings.IndexByte(line[end:], ')')
	if target < 0 {
		return linkSpan{}, false
	}
	return linkSpan{reference, line[1:end], end + target + 1}, true
}

// backquotedAt returns the code span or reStructuredText link at the start of a line.
func backquotedAt(line string) (linkSpan, bool) {
	if fence := len(line) - len(strings.TrimLeft(line, "`")); fence > 1 {
		return linkSpan{kind: picture, length: fence}, true
	}
	shown, after, ok := strings.Cut(line[1:], "`")
	if !ok || shown == "" {
		return linkSpan{}, false
	}
	length := len(shown) + len("``")
	if name, _, linked := strings.Cut(shown, " <"); linked && strings.HasPrefix(after, "_") && strings.HasSuffix(shown, ">") {
		return linkSpan{reference, name, length}, true
	}
	return linkSpan{code, shown, length}, true
}

func webAddressAt(line string) (linkSpan, bool) {
	if !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") {
		return linkSpan{}, false
	}
	end := strings.IndexAny(line, " \t<>()，。；\"")
	if end < 0 {
		end = len(line)
	}
	return linkSpan{kind: address, length: end}, true
}
