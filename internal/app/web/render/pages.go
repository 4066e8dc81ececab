package render

import (
	"strings"
	"unicode/utf8"
)

// PageStarts splits a text into pages of at most maxBytes bytes, and returns the offsets at which
// these begin: at a Markdown block, at a line or, if the page before would be short otherwise,
// within a line.
func PageStarts(text string, isMarkdown bool, maxBytes int) []int {
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
		for first := starts[len(starts)-1]; end-first > maxBytes; first = starts[len(starts)-1] {
			switch {
			case block-first > maxBytes/4:
				starts = append(starts, block)
			case line-first > maxBytes/4:
				starts = append(starts, line)
			default:
				cut := first + maxBytes
				for cut > first+maxBytes-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
					cut--
				}
				starts = append(starts, cut)
			}
		}
		at = end
	}
	return starts
}
