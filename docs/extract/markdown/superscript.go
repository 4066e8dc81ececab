package markdown

import (
	"strings"
	"unicode/utf8"
)

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
	"6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻")

// Superscript returns numbers as Unicode superscripts, so that 10⁹ does not become 109 and a
// reference to a note does not become part of the preceding word. It accepts several numbers, such
// as 3,7–9; the comma stays, since Unicode has no superscript comma. Texts with other ASCII
// characters, or of more than 32 bytes, are returned unchanged.
func Superscript(text string) string {
	const longest = 32 // maximum length in bytes
	if len(text) > longest {
		return text
	}
	raised := superscripts.Replace(text)
	for _, r := range raised {
		if r < utf8.RuneSelf && !strings.ContainsRune(", \t\n", r) {
			return text
		}
	}
	return raised
}
