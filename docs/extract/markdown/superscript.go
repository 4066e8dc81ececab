package markdown

import (
	"strings"
	"unicode/utf8"
)

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
	"6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻")

// Superscript returns a number in superscript with Unicode characters, so that 10⁹ does not become
// 109 nor a mark of a note part of the number before it. Other texts are returned as they are.
func Superscript(text string) string {
	const longest = 8
	if len(text) > longest {
		return text
	}
	raised := superscripts.Replace(text)
	for _, r := range raised {
		if r < utf8.RuneSelf {
			return text
		}
	}
	return raised
}
