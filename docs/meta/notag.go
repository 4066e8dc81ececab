package meta

import (
	"slices"
	"strconv"
	"strings"
)

// isOtherThanTag reports whether a word after # is not a tag but a colour, a directive of a
// programming language, or a ticket.
func isOtherThanTag(tag string) bool {
	return isColour(tag) || slices.Contains(directives, tag) || isTicket(tag)
}

// directives are preprocessor directives. #line and #error are not listed, since a note may be
// about them.
var directives = []string{"if", "ifdef", "ifdefs", "ifndef", "elif", "endif", "define", "undef", "include", "pragma"}

// isColour recognises colours with six or eight hexadecimal digits. Three digits may be a word, as
// in b2b, and so may six letters, as in decade.
func isColour(tag string) bool {
	if len(tag) != 6 && len(tag) != 8 || strings.Trim(strings.ToLower(tag), "0123456789abcdef") != "" {
		return false
	}
	return strings.ContainsAny(tag, "0123456789") || strings.Trim(tag, tag[:1]) == ""
}

// lastName is the highest number in names that have the form of tickets: COVID-19, ICD-10, IL-6.
const lastName = 20

// isTicket recognises the key of an issue, such as AWS-31.
func isTicket(tag string) bool {
	project, digits, ok := strings.Cut(tag, "-")
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n > lastName && len(project) > 1 && strings.Trim(project, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isChannel recognises a chat channel by the words around it: "the #thanks channel", "#thanks and
// #praise on Slack". A word that is used as a channel once is not a tag anywhere in the document.
func isChannel(before, after string) bool {
	for _, chat := range []string{"slack", "discord", "频道", "頻道"} {
		if strings.Contains(strings.ToLower(before), chat) || strings.Contains(strings.ToLower(after), chat) {
			return true
		}
	}
	isWord := func(word string) bool { return word == "channel" || word == "channels" }
	return isWord(lastWord(before)) || slices.ContainsFunc(nextWords(after), isWord)
}

// lastWord returns the last word of a text in lower case, or "" if punctuation follows it.
func lastWord(text string) string {
	text = strings.TrimRight(text, " \t*_(\"“")
	if at := strings.LastIndexAny(text, " \t(["); at >= 0 {
		text = text[at+1:]
	}
	return strings.ToLower(text)
}

// nextWords returns the first two words after a tag in lower case.
func nextWords(text string) []string {
	const reach = 40 // bytes
	words := strings.FieldsFunc(strings.ToLower(text[:min(len(text), reach)]), func(r rune) bool { return strings.ContainsRune(" \t*_)\".,", r) })
	return words[:min(2, len(words))]
}
