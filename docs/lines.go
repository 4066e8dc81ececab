package docs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line ends with "\n", "\r\n" or "\r". A text that ends with a line end has
// no further line after it.

// A lineScanner walks the lines of a text. It remembers where the next line
// feed and carriage return are, so that a text with only one of them takes
// linear time. Copying it saves the position.
type lineScanner struct {
	text   string
	pos    int // start of the next line
	lf, cr int // where they are at or after pos, len(text) if nowhere; may lag behind
}

func newLineScanner(text string) lineScanner {
	return lineScanner{text: text, lf: indexFrom(text, 0, '\n'), cr: indexFrom(text, 0, '\r')}
}

// next returns the range of the next line without its end.
func (s *lineScanner) next() (start, end int, ok bool) {
	if s.pos >= len(s.text) {
		return 0, 0, false
	}
	start = s.pos
	if s.lf < start {
		s.lf = indexFrom(s.text, start, '\n')
	}
	if s.cr < start {
		s.cr = indexFrom(s.text, start, '\r')
	}
	end = min(s.lf, s.cr)
	s.pos = afterLineEnd(s.text, end)
	return start, end, true
}

func indexFrom(text string, from int, b byte) int {
	if i := strings.IndexByte(text[from:], b); i >= 0 {
		return from + i
	}
	return len(text)
}

// afterLineEnd returns the position after the line end that begins at end, or
// end if none does.
func afterLineEnd(text string, end int) int {
	switch {
	case end >= len(text):
		return end
	case text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n':
		return end + 2
	case text[end] == '\n' || text[end] == '\r':
		return end + 1
	}
	return end
}

// lineEnd returns the end of the line that pos is in.
func lineEnd(text string, pos int) int {
	if i := strings.IndexAny(text[pos:], "\n\r"); i >= 0 {
		return pos + i
	}
	return len(text)
}

// lineStart returns the start of the line that pos is in.
func lineStart(text string, pos int) int {
	return strings.LastIndexAny(text[:pos], "\n\r") + 1
}

// countLineEnds returns the number of line ends in text.
func countLineEnds(text string) int {
	n := strings.Count(text, "\n")
	for {
		i := strings.IndexByte(text, '\r')
		if i < 0 {
			return n
		}
		text = text[i+1:]
		if text == "" || text[0] != '\n' {
			n++
		}
	}
}

// atLineStart reports whether a line begins at pos.
func atLineStart(text string, pos int) bool {
	if pos == 0 {
		return true
	}
	return text[pos-1] == '\n' || text[pos-1] == '\r' && (pos == len(text) || text[pos] != '\n')
}

// atLineEnd reports whether a line that has begun ends at pos.
func atLineEnd(text string, pos int) bool {
	if pos == len(text) {
		return pos == 0 || text[pos-1] != '\n' && text[pos-1] != '\r'
	}
	return text[pos] == '\r' || text[pos] == '\n' && (pos == 0 || text[pos-1] != '\r')
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
