package analysis

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// hyphenatedIdentifier matches words that may be identifiers such as HX-205 and R2-K9: parts with hyphens
// between them, beginning with a capital.
var hyphenatedIdentifier = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b`)

// unknownIdentifiers returns the byte ranges of the hyphenated identifiers in a text that occur nowhere,
// because a part with a digit does not. told marks the bytes of known tokens.
func (has TermSet) unknownIdentifiers(text string, told []bool) (unknown []wordRun) {
	for _, at := range hyphenatedIdentifier.FindAllStringIndex(text, -1) {
		isNowhere := func(part string) bool {
			return containsDigit(part) && !has.occursAnywhere(termOfWord(part))
		}
		if !slices.Contains(told[at[0]:at[1]], true) && slices.ContainsFunc(strings.Split(text[at[0]:at[1]], "-"), isNowhere) {
			unknown = append(unknown, wordRun{start: at[0], end: at[1]})
		}
	}
	return unknown
}

func containsDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

// NamesSingleThing reports whether a word is the name of a single thing because it has capitals and digits, or is a
// word or sign with a number, such as "room 101" and "§ 433", or a code of numbers. A plain number is none, nor is one with a
// unit.
func NamesSingleThing(word string) bool {
	if isQuantity(word) {
		return false
	}
	return strings.HasPrefix(word, ordinalSign) || containsDigit(word) && (unicode.IsUpper([]rune(word)[0]) || strings.ContainsAny(word, " -§€£$¥年月元"))
}
