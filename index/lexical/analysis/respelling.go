package analysis

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
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

// RespelledWords returns the words of a query that occur nowhere themselves, but occur with umlauts or ß if
// their ae, oe, ue and ss stand for these: "Stoerung" for "Störung". That is a guess: terms have no umlauts,
// so that "Michael" may be taken for the different name "Michal".
func RespelledWords(question string, has TermSet) (words []string) {
	text := normalizeQuestion(question)
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		if !r.unspaced && !slices.Contains(words, word) && has.knowsOnlyRespelled(word) {
			words = append(words, word)
		}
	}
	return words
}

func (has TermSet) knowsOnlyRespelled(word string) bool {
	return slices.ContainsFunc(respelledTerms(word), has) && !has.occursAnywhere(termOfWord(word)) && !slices.ContainsFunc(formsOf(word), has)
}

// RespelledName returns one of RespelledWords as a name that may be taken for another.
func RespelledName(word string) AskedName {
	return AskedName{Text: word, respelled: respelledTerms(word)}
}

// respelledStandingIn returns how a text has a word that may be spelled without umlauts: with these, or only
// another word that has none.
func (n AskedName) respelledStandingIn(text string) NamePresence {
	standing := NameAbsent
	for word := range n.wordsAlike(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return NamePresent
		}
		standing = OnlySimilarName
	}
	return standing
}

// WordAlikeIn returns the word in a text that was taken for a word without umlauts; "" if there is none.
func (n AskedName) WordAlikeIn(text string) string {
	for word := range n.wordsAlike(text) {
		return word
	}
	return ""
}

// wordsAlike yields the words of a text that count as a word without umlauts.
func (n AskedName) wordsAlike(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n.respelled == nil {
			return
		}
		first := foldWord(n.Text)[:1]
		for r := range runsOf(text) {
			word := text[r.start:r.end]
			if r.unspaced || !strings.HasPrefix(foldWord(word), first) {
				continue
			}
			isAlike := func(term string) bool { return slices.Contains(n.respelled, term) }
			if (isAlike(termOfWord(word)) || slices.ContainsFunc(stemForms(word), isAlike)) && !yield(word) {
				return
			}
		}
	}
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
