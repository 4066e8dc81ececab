package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// MaxCommentedTextBytes is the maximum number of bytes of a commented text that FormatComment may use.
const MaxCommentedTextBytes = 512

// FormatComment returns a comment as a paragraph that also names its author and quotes the start of
// the text it is about; both are "" if unknown.
func FormatComment(author, commentedText, comment string) string {
	label := "Comment"
	if author = markdown.OneLine(author); author != "" {
		label += " of " + author
	}
	if commentedText = shortenCommented(markdown.OneLine(commentedText)); commentedText != "" {
		label += " on “" + commentedText + "”"
	}
	return label + ": " + comment
}

// shortenCommented returns the start of a commented text, long enough to identify it.
func shortenCommented(text string) string {
	const enough = 80
	runes := []rune(text)
	if len(runes) <= enough {
		return text
	}
	start := string(runes[:enough])
	if space := strings.LastIndexByte(start, ' '); space > len(start)/2 {
		start = start[:space]
	}
	return start + "…"
}
