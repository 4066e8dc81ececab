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

// Limits on codes with hyphens, such as the numbers of parts, orders and cases.
const (
	longestCodePart  = 10 // characters
	longestCodeWord  = 4  // letters of a part without digits
	leastCodeNumbers = 7  // digits of a code of numbers
	mostCodeParts    = 6
)

// scanCode scans codes with hyphens that begin at a word: "TC-K-12", "7734-0021-B", and the beginnings of it that
// are codes themselves. Two parts of which the first has letters are a compound already, see compoundTerm.
func (w *specialTokenScanner) scanCode(start int) {
	parts := hyphenatedParts(w.text[start:])
	for n := 2; n <= len(parts); n++ {
		if isCode(parts[:n]) {
			code := strings.ToLower(strings.Join(parts[:n], ""))
			w.found = append(w.found, specialToken{term: closedForm(code), written: code, start: start, end: start + len(strings.Join(parts[:n], "-"))})
		}
	}
}

// hyphenatedParts returns the parts of the word with hyphens that a text begins with; nil if it has no hyphen or
// is no code.
func hyphenatedParts(text string) (parts []string) {
	for {
		n := wordLength(text)
		if n == 0 || n > longestCodePart || !mayBeCodePart(text[:n]) {
			return parts
		}
		parts = append(parts, text[:n])
		if !strings.HasPrefix(text[n:], "-") || len(parts) == mostCodeParts {
			return parts
		}
		text = text[n+1:]
	}
}

// mayBeCodePart reports whether a word may be a part of a code: it has digits, or is short and in capitals.
func mayBeCodePart(word string) bool {
	if !isASCII(word) || strings.Contains(word, "_") {
		return false
	}
	return containsDigit(word) || len(word) <= longestCodeWord && strings.ToUpper(word) == word
}

// isCode reports whether parts with hyphens between them are the code of one thing rather than a range, or words.
func isCode(parts []string) bool {
	digits, letters := 0, 0
	for _, part := range parts {
		for _, r := range part {
			if unicode.IsDigit(r) {
				digits++
			} else {
				letters++
			}
		}
	}
	switch {
	case letters == 0 && isYearPart(parts[0]):
		return len(parts) == 2 && len(parts[1]) > len("31") && !isYearPart(parts[1])
	case letters == 0:
		return digits >= leastCodeNumbers
	case len(parts) == 2:
		return isDigitByte(parts[0][0]) && digits >= 3
	}
	return digits >= 2
}

func isYearPart(part string) bool {
	n, length := parseDigits(part, len("2006"))
	return length == len("2006") && isYear(n)
}
