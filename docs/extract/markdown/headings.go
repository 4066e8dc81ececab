package markdown

import (
	"iter"
	"strings"
)

// MoveHeadingsBelow returns Markdown with its headings moved below parentLevel, all by as many levels
// as the highest heading requires. Otherwise a heading in the text of a section would end that
// section.
func MoveHeadingsBelow(parentLevel int, text string) string {
	top := 0
	for _, depth := range headingOffsets(text) {
		if top == 0 || depth < top {
			top = depth
		}
	}
	if top == 0 || top > parentLevel {
		return text
	}
	var b strings.Builder
	from := 0
	for start, depth := range headingOffsets(text) {
		b.WriteString(text[from:start])
		b.WriteString(strings.Repeat("#", min(parentLevel+1-top, maxLevel-depth)))
		from = start
	}
	b.WriteString(text[from:])
	return b.String()
}

const maxLevel = 6 // the deepest level of a heading

// headingOffsets yields the offsets and the levels of the headings of a text that are marked with
// "#". It ignores lines of code.
func headingOffsets(text string) iter.Seq2[int, int] {
	return func(yield func(start, level int) bool) {
		fence, end := "", 0
		for line := range strings.Lines(text) {
			start := end
			end += len(line)
			switch mark := codeFence(line); {
			case fence == "" && mark != "":
				fence = mark
			case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark:
				fence = ""
			case fence == "":
				level := len(line) - len(strings.TrimLeft(line, "#"))
				if 1 <= level && level <= maxLevel && strings.ContainsAny(line[level:min(len(line), level+1)], " \t\n") && !yield(start, level) {
					return
				}
			}
		}
	}
}

// codeFence returns the fence with which a line begins or ends a code block, or "".
func codeFence(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}
