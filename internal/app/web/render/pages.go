package render

import (
	"strings"
	"unicode/utf8"
)

// PageStarts splits a text into pages of no more than most bytes, and returns their offsets. A page
// begins with a Markdown block or a line, or within a line if the page before would otherwise be
// short.
func PageStarts(text string, isMarkdown bool, most int) []int {
	starts := []int{0}
	block, line := 0, 0 // offsets of the last block and line
	fence := ""
	wasBlank := false
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:], '\n') + 1
		if end == at {
			end = len(text)
		}
		if isMarkdown {
			mark := codeFence(text[at:end])
			if fence == "" && (wasBlank && text[at] > ' ' || text[at] == '#') {
				block = at
			}
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence):
				fence = ""
			}
			wasBlank = strings.TrimSpace(text[at:end]) == ""
		}
		line = at
		for first := starts[len(starts)-1]; end-first > most; first = starts[len(starts)-1] {
			switch {
			case block-first > most/4:
				starts = append(starts, block)
			case line-first > most/4:
				starts = append(starts, line)
			default:
				cut := first + most
				for cut > first+most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
					cut--
				}
				starts = append(starts, cut)
			}
		}
		at = end
	}
	return starts
}
