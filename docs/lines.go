package docs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line ends with "\n": formats.Read makes every other line end one. A text that
// ends with a line end has no further line after it.

// A lineScanner walks the lines of a text. Copying it saves the position.
type lineScanner struct {
	text string
	pos  int // start of the next line
}

func newLineScanner(text string) lineScanner { return lineScanner{text: text} }

// next returns the range of the next line without its end.
func (s *lineScanner) next() (start, end int, ok bool) {
	if s.pos >= len(s.text) {
		return 0, 0, false
	}
	start, end = s.pos, lineEnd(s.text, s.pos)
	s.pos = min(end+1, len(s.text))
	return start, end, true
}

// lineEnd returns the end of the line that pos is in.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}

// lineStart returns the start of the line that pos is in.
func lineStart(text string, pos int) int {
	return strings.LastIndexByte(text[:pos], '\n') + 1
}

// beforeLineEnd returns pos without the line end before it, if there is one.
func beforeLineEnd(text string, pos int) int {
	if pos > 0 && text[pos-1] == '\n' {
		pos--
	}
	return pos
}

// countLineEnds returns the number of line ends in text.
func countLineEnds(text string) int { return strings.Count(text, "\n") }

// atLineStart reports whether a line begins at pos.
func atLineStart(text string, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// atLineEnd reports whether a line that has begun ends at pos.
func atLineEnd(text string, pos int) bool {
	if pos == len(text) {
		return pos == 0 || text[pos-1] != '\n'
	}
	return text[pos] == '\n'
}

// maxPadding is how much white space in bytes a block keeps before its first
// word and after its last one, to be whole lines.
const maxPadding = 200

// trimBlank narrows text[start:end], which begins with a line, to the lines
// that are not blank. The last line end is left out. It returns an empty range
// if every line is blank.
func trimBlank(text string, start, end int) (from, to int) {
	word := start + leadingSpace(text[start:end])
	if word == end {
		return end, end
	}
	from = max(start, lineStart(text[start:], word-start)+start)
	if word-from > maxPadding {
		from = word
	}
	to = start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))
	if pad := lineEnd(text[:end], to); pad-to <= maxPadding {
		to = pad
	}
	return from, to
}

// leadingSpace returns the length in bytes of the white space text begins with.
func leadingSpace(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
}

func isBlank(line string) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
		case c < utf8.RuneSelf && c > ' ':
			return false
		default:
			return strings.TrimSpace(line[i:]) == ""
		}
	}
	return true
}
