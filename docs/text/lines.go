package text

import (
	"strings"
	"unicode"
)

// lineEnd returns the end of the line that contains pos.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}

// beforeLineEnd returns pos, or the position before the line end if one precedes pos.
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

// atLineEnd reports whether a line ends at pos.
func atLineEnd(text string, pos int) bool {
	if pos == len(text) {
		return pos == 0 || text[pos-1] != '\n'
	}
	return text[pos] == '\n'
}

// MaxEdgeSpaceBytes is how many bytes of white space TrimBlankLines keeps before the first word and after the
// last one in order to keep whole lines.
const MaxEdgeSpaceBytes = 200

// TrimBlankLines narrows text[startByte:endByte], which begins at a line start, to its non-blank lines, without
// the last line end. It returns an empty range if every line is blank.
func TrimBlankLines(text string, startByte, endByte int) (fromByte, toByte int) {
	word := endByte - len(strings.TrimLeftFunc(text[startByte:endByte], unicode.IsSpace))
	if word == endByte {
		return endByte, endByte
	}
	fromByte = startByte + strings.LastIndexByte(text[startByte:word], '\n') + 1
	if word-fromByte > MaxEdgeSpaceBytes {
		fromByte = word
	}
	toByte = startByte + len(strings.TrimRightFunc(text[startByte:endByte], unicode.IsSpace))
	if pad := lineEnd(text[:endByte], toByte); pad-toByte <= MaxEdgeSpaceBytes {
		toByte = pad
	}
	return fromByte, toByte
}
