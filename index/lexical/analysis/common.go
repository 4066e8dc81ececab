package analysis

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// commonTermsFile lists the terms of common words, in English as stems and in Chinese as pairs of
// characters, sorted. These are the terms that stand in many texts of several kinds (encyclopaedia,
// laws, medicine, programming, recipes, notes), and those of about 1,900 words, written by hand, with which people ask for a property
// of something, such as "dose", "fee" and "password", and about 140 common German verbs and nouns.
//
//go:embed common_terms.txt
var commonTermsFile string

// commonTerms is a map because each pair of characters of a query is looked up twice.
var commonTerms = lazySet(commonTermsFile, asWritten)

// lazySet returns a function that returns the set of the words in a list, each as key changes it. It makes the
// set when it is first called.
func lazySet(list string, key func(string) string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := make(map[string]bool)
		for word := range strings.FieldsSeq(list) {
			m[key(word)] = true
		}
		return m
	})
}

func asWritten(word string) string { return word }

// isCommonTerm reports whether a term is that of a common word, so that it is no name even if few texts
// of a folder have it.
func isCommonTerm(t string) bool {
	return commonTerms()[t]
}

// IsCommonWord reports whether a word is common, so that it is no name.
func IsCommonWord(word string) bool { return isCommonTerm(termOfWord(word)) }

// mostNameCharacters is the maximum length of a name in Chinese. A longer run of characters without a common
// pair is ordinary text.
const mostNameCharacters = 8

// characterSpan is a range of characters in a run.
type characterSpan struct{ start, end int }

func (s characterSpan) length() int { return s.end - s.start }

// nameSpansIn returns the parts of a run in a script without spaces that may be names: two or more
// Chinese characters of which no pair is that of a common word, and none is grammar. characters are folded,
// and isOther marks those that are known not to belong to a name.
func nameSpansIn(characters []rune, isOther []bool) (spans []characterSpan) {
	isCommon := slices.Clone(isOther)
	for i, r := range characters {
		if !unicode.Is(unicode.Han, r) || r != '地' && IsFunctionTerm(string(r)) && !isInGivenName(characters, isOther, i) { // 地 is in the names of drugs, such as 氨氯地平
			isCommon[i] = true
		}
		if isVerbOfPlace(characters, i) {
			isCommon[i] = true
		}
		if i > 0 && isCommonTerm(string(characters[i-1:i+1])) {
			isCommon[i-1], isCommon[i] = true, true
		}
	}
	start := 0
	for i := range len(characters) + 1 {
		if i < len(characters) && !isCommon[i] {
			continue
		}
		if s := (characterSpan{start, i}); s.length() >= 2 && s.length() <= mostNameCharacters {
			spans = append(spans, s)
		}
		start = i + 1
	}
	return spans
}

// pairsOf returns the pairs of adjacent characters.
func pairsOf(characters []rune) (pairs []string) {
	for i := 1; i < len(characters); i++ {
		pairs = append(pairs, string(characters[i-1:i+1]))
	}
	return pairs
}

// isNameTerm reports whether the term of a word in a script with spaces may be a name: it is not that of a
// common word, nor of a compound or salt that ends or is like one, and contains letters.
func isNameTerm(t string) bool {
	return utf8.RuneCountInString(t) > 2 && strings.ContainsFunc(t, unicode.IsLetter) && !isCommonTerm(t) && !saltTerms()[t] && !isCommonCompound(t)
}

// salts are words that follow the name of a drug, and are not names themselves.
const salts = "besylate besilate mesylate maleate tartrate bitartrate succinate fumarate hydrochloride hydrobromide tosylate pamoate " +
	"besilat mesilat maleat tartrat succinat fumarat hydrochlorid hydrobromid tosilat"

// commonHeads are the last parts of German compounds that name a property or an action, as in Anfangsdosis.
const commonHeads = "dosis dosierung menge dauer störung funktion insuffizienz wirkung wirkungen nummer kosten frist schutz versicherung steuer kontrolle " +
	"behandlung therapie krankheit schwäche ordnung anweisung pflicht bedarf verlauf beginn bereich einnahme zeit wert grenze temperatur lagerung prüfung"

// leastModifier is the minimum length, in bytes, of what precedes the last part of a compound.
const leastModifier = 4

var saltTerms = lazySet(salts, termOfWord)

// headTerms are the terms of commonHeads, with which the terms of compounds end.
var headTerms = sync.OnceValue(func() (ends []string) {
	for word := range strings.FieldsSeq(commonHeads) {
		ends = append(ends, termOfWord(word))
	}
	return ends
})

// isCommonCompound reports whether a term is that of a German compound with a common last part.
func isCommonCompound(t string) bool {
	if len(t) < leastModifier+4 {
		return false
	}
	for _, end := range headTerms() {
		if len(t) >= leastModifier+len(end) && strings.HasSuffix(t, end) {
			return true
		}
	}
	return false
}
