package analysis

import (
	"strings"
	"unicode"
)

// identifierParts splits a word in camelCase or snake_case, and a number from its unit: "runTarget",
// "run_target", "XMLParser", "5mg". It does not split codes such as "E11000", plurals of acronyms
// such as "PPIs", or words that would leave a single first letter, such as "mRNA" and "IPv6".
func identifierParts(word string) []string {
	if isAcronyms(word) {
		return []string{word}
	}
	var parts []string
	start := 0
	runes := []rune(word)
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !isSeam(runes, i) {
			continue
		}
		if part := strings.Trim(string(runes[start:i]), "_"); part != "" {
			parts = append(parts, part)
		}
		start = i
	}
	return parts
}

// isPlainWord is a fast check for most words that are not split: ASCII letters in lower case,
// except that the first may be a capital.
func isPlainWord(word string) bool {
	for i := range len(word) {
		if c := word[i]; !('a' <= c && c <= 'z') && (i > 0 || !('A' <= c && c <= 'Z')) {
			return false
		}
	}
	return true
}

// isSeam reports whether an identifier is split before its i-th character.
func isSeam(runes []rune, i int) bool {
	before, at := runes[i-1], runes[i]
	switch {
	case before == '_' || at == '_':
		return true
	case unicode.IsLower(before) && unicode.IsUpper(at):
		return i > 1
	case unicode.IsUpper(before) && unicode.IsUpper(at):
		return i > 1 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !isAcronyms(string(runes[i-1:])) // XMLParser
	}
	return unicode.IsDigit(before) && unicode.IsLetter(at) && leadingDigits(runes) == i // 5mg
}

func leadingDigits(runes []rune) int {
	for i, r := range runes {
		if !unicode.IsDigit(r) {
			return i
		}
	}
	return len(runes)
}
