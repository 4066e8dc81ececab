package chunk

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/text"
)

// maxPadding is how far into a line its first word is searched for, in bytes.
const maxPadding = text.MaxEdgeSpaceBytes

// A lineScanner iterates over the lines of a text. Copying it saves the position. A line ends with
// "\n"; there is no further line after the last line end.
type lineScanner struct {
	text string
	pos  int // start of the next line
}

// next returns the range of the next line without its line end.
func (s *lineScanner) next() (start, end int, ok bool) {
	if s.pos >= len(s.text) {
		return 0, 0, false
	}
	start, end = s.pos, len(s.text)
	if i := strings.IndexByte(s.text[start:], '\n'); i >= 0 {
		end = start + i
	}
	s.pos = min(end+1, len(s.text))
	return start, end, true
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
