package analysis

import (
	"slices"
	"strings"
)

// Spellings of umlauts and ß for keyboards without them, and the folded forms of the letters. The short
// forms are in many words of other languages too ("poet"), so a respelt word counts only for one that
// occurs nowhere.
var (
	fromUmlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")
	toUmlauts   = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
	toSharpS    = strings.NewReplacer("ss", "s")
)

// respelledWords returns the folded forms of a word if it is spelled without umlauts and ß: "Groesse",
// "Stoerung".
func respelledWords(word string) (words []string) {
	folded := foldWord(word)
	umlauts := toUmlauts.Replace(folded)
	for _, w := range []string{umlauts, toSharpS.Replace(umlauts), toSharpS.Replace(folded)} {
		if w != folded && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// respelledTerms returns the terms of respelledWords, with those of their stems in other languages.
func respelledTerms(word string) (terms []string) {
	for _, w := range respelledWords(word) {
		terms = append(append(terms, termOfWord(w)), stemForms(w)...)
	}
	return terms
}

// unitForms returns the terms of a unit in another spelling: kOhm and k\u03a9, um and \u03bcm.
func unitForms(word string) []string {
	folded := foldWord(word)
	prefix, isOhm := strings.CutSuffix(folded, "ohm")
	if isOhm && len(prefix) < 2 {
		return []string{termOfWord(prefix + "ω")}
	}
	if prefix, ok := strings.CutSuffix(folded, "ω"); ok && len(prefix) < 2 {
		return []string{prefix + "ohm"}
	}
	if unit, ok := strings.CutPrefix(folded, "μ"); ok && isSmallUnit(unit) {
		return []string{"u" + unit}
	}
	if unit, ok := strings.CutPrefix(folded, "u"); ok && isSmallUnit(unit) {
		return []string{"μ" + unit}
	}
	return nil
}

// isSmallUnit reports whether a letter is a unit of which people measure a millionth.
func isSmallUnit(unit string) bool { return len(unit) == 1 && strings.Contains("mlgsvwfh", unit) }
