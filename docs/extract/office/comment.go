package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// MaxCommentedText is how many bytes of the commented text FormatComment uses.
const MaxCommentedText = 512

// FormatComment returns a comment as a paragraph of its own. The author or the commented text is ""
// if unknown.
func FormatComment(author, about, said string) string {
	label := "Comment"
	if author = markdown.OneLine(author); author != "" {
		label += " of " + author
	}
	if about = shortenCommented(markdown.OneLine(about)); about != "" {
		label += " on “" + about + "”"
	}
	return label + ": " + said
}

// shortenCommented returns enough of a commented text to identify it.
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
