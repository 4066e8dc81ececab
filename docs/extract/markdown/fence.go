package markdown

import "strings"

// FenceMark returns the three or more backticks or tildes at the start of a line that can begin or end a
// fenced code block, otherwise "". No backtick may follow those of a fence, which would be inline code
// (CommonMark 0.31.2, 4.5).
func FenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if mark := line[:len(line)-len(rest)]; len(mark) >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return mark
		}
	}
	return ""
}
