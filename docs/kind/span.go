package kind

import "strings"

// spanKind is what a span is.
type spanKind uint8

const (
	picture   spanKind = iota // or a note that is shown in this one
	code                      // between backticks
	address                   // that stands for itself
	reference                 // a link that shows something: of Markdown, of reStructuredText, a wikilink
)

// span is a link, or something like it, in a text.
type span struct {
	kind   spanKind
	shown  string
	length int // of all of it
}

// longestSpan bounds how far the end of one is looked for, in bytes.
const longestSpan = 600

// opensSpan tells the bytes that a span may begin with.
var opensSpan = [256]bool{'!': true, '[': true, '`': true, 'h': true}

// spanAt finds the span that begins at a place of a text.
func spanAt(text string, at int) (span, bool) {
	rest := text[at:min(len(text), at+longestSpan)]
	if rest[0] == 'h' && !strings.HasPrefix(rest, "http") {
		return span{}, false
	}
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	switch rest[0] {
	case '!':
		if s, ok := bracketed(rest[1:]); ok {
			return span{kind: picture, length: s.length + 1}, true
		}
	case '[':
		return bracketed(rest)
	case '`':
		return quoted(rest)
	case 'h':
		return addressOf(rest)
	}
	return span{}, false
}

// bracketed is a link of Markdown or a wikilink.
func bracketed(line string) (span, bool) {
	if inner, ok := strings.CutPrefix(line, "[["); ok {
		shown, _, ok := strings.Cut(inner, "]]")
		return span{reference, shown, len(shown) + len("[[]]")}, ok
	}
	if !strings.HasPrefix(line, "[") {
		return span{}, false
	}
	end := strings.IndexAny(line[1:], "[]") + 1
	if end == 0 || !strings.HasPrefix(line[end:], "](") {
		return span{}, false
	}
	target := strings.IndexByte(line[end:], ')')
	if target < 0 {
		return span{}, false
	}
	return span{reference, line[1:end], end + target + 1}, true
}

// quoted is code between backticks, or a link of reStructuredText.
func quoted(line string) (span, bool) {
	if fence := len(line) - len(strings.TrimLeft(line, "`")); fence > 1 {
		return span{kind: picture, length: fence}, true
	}
	shown, after, ok := strings.Cut(line[1:], "`")
	if !ok || shown == "" {
		return span{}, false
	}
	length := len(shown) + len("``")
	if name, _, linked := strings.Cut(shown, " <"); linked && strings.HasPrefix(after, "_") && strings.HasSuffix(shown, ">") {
		return span{reference, name, length}, true
	}
	return span{code, shown, length}, true
}

func addressOf(line string) (span, bool) {
	if !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") {
		return span{}, false
	}
	end := strings.IndexAny(line, " \t<>()，。；\"")
	if end < 0 {
		end = len(line)
	}
	return span{kind: address, length: end}, true
}
