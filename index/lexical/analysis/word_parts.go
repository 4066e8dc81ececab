package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// German, Dutch, the Scandinavian languages and Finnish write as one word what English writes as
// several: Stromrechnung is a kind of Rechnung. The words of a library show how to split compounds:
// each part must be a word of its own there.

// leastPart is the minimum number of letters in a part of a compound. Shorter parts begin or end
// too many words.
const leastPart = 4

// linkingElements are the letters that may link the parts of a compound, except endings that the
// stemmer removes.
var linkingElements = []string{"", "s", "n", "en", "es", "er", "e"}

// compoundCodes are the codes of the languages with compounds.
var compoundCodes = [...]string{"de", "nl", "sv", "da", "no", "fi"}

// compoundLanguages returns the languages whose compound words are split into their parts, such as
// German.
var compoundLanguages = sync.OnceValue(func() (rows []*language) {
	for _, code := range compoundCodes {
		rows = append(rows, languageOf[code])
	}
	return rows
})

// CompoundLanguages is a set of languages with compounds: one bit for each.
type CompoundLanguages uint8

// AllCompoundLanguages is the set of all languages with compounds.
const AllCompoundLanguages CompoundLanguages = 1<<len(compoundCodes) - 1

// CompoundLanguageOf returns the language with compounds of a term that is a stem. The result is empty
// for all other terms.
func CompoundLanguageOf[T string | []byte](term T) CompoundLanguages {
	if len(term) == 0 || Field(term[0]) != stemField {
		return 0
	}
	code, _, _ := strings.Cut(string(term[1:]), ":")
	if i := slices.Index(compoundCodes[:], code); i >= 0 {
		return 1 << i
	}
	return 0
}

// CompoundPart describes a word of a query as a possible part of compounds.
type CompoundPart struct {
	CommonPrefix string   // common prefix of its forms; "" if it cannot be a part
	Stems        []string // terms of its stems in the languages with compounds
}

// CompoundPartOf describes a term of a query, with its forms in other languages, as a part of compounds.
// The CommonPrefix of the result is "" if it cannot be one.
func CompoundPartOf(term string, forms []string) (p CompoundPart) {
	if IsFieldTerm(term) || IsUnspacedScriptTerm(term) || strings.ContainsAny(term, "0123456789_") {
		return p
	}
	// The English stemmer removes more from longer words: "fahrer" in "busfahrer" becomes "fahr".
	const before = "worter"
	atEnd := strings.TrimPrefix(stemEnglishWord(before+term), before)
	root := term[:sharedPrefix(term, atEnd)]
	for _, l := range compoundLanguages() {
		prefix := string(stemField) + l.code + ":"
		for _, form := range forms {
			if stem, ok := strings.CutPrefix(form, prefix); ok {
				root = root[:sharedPrefix(root, stem)]
				p.Stems = append(p.Stems, form)
			}
		}
		for _, word := range []string{term, atEnd} {
			if stem := l.stemTerm(word); stem != "" && !slices.Contains(p.Stems, stem) {
				p.Stems = append(p.Stems, stem)
			}
		}
	}
	if len(p.Stems) > 0 && len(root) >= leastPart && utf8.ValidString(root) {
		p.CommonPrefix = root
	}
	return p
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Compound is a word of two parts, one of which is the word of a CompoundPart, in one language.
type Compound struct {
	StemTerm         string   // term of its stem
	RemainderTerms   []string // possible terms of the other part
	EndsWithLongPart bool     // whether the word of the CompoundPart is the second part, which determines the meaning, and has at least leastHead letters
}

// leastHead is the minimum number of letters of a word that determines the meaning of a compound
// that ends with it, regardless of the first part, like Termin in Zahnarzttermin.
const leastHead = 5

// CompoundsWith splits a word that contains p.CommonPrefix into p and another part. The result has one
// element for each of the languages in which the word can be such a compound.
func (p CompoundPart) CompoundsWith(word string, languages CompoundLanguages) (all []Compound) {
	if len(word) < len(p.CommonPrefix)+leastPart || len(word) > maxTermBytes {
		return nil
	}
	head, isFirst := strings.LastIndex(word, p.CommonPrefix), strings.HasPrefix(word, p.CommonPrefix)
	if head < leastPart && !isFirst || head > 0 && !utf8.RuneStart(word[head]) {
		return nil
	}
	for i, l := range compoundLanguages() {
		if languages&(1<<i) == 0 {
			continue
		}
		c := Compound{StemTerm: l.stemTerm(word)}
		if head >= leastPart && slices.Contains(p.Stems, l.stemTerm(word[head:])) {
			c.RemainderTerms, c.EndsWithLongPart = l.firstParts(word[:head]), len(word)-head >= leastHead
		}
		if isFirst {
			c.RemainderTerms = append(c.RemainderTerms, l.partsBehind(p, word)...)
		}
		if len(c.RemainderTerms) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// firstParts returns the possible stems of the first part of a compound.
func (l *language) firstParts(part string) (stems []string) {
	for _, link := range linkingElements {
		word, ok := strings.CutSuffix(part, link)
		if !ok || utf8.RuneCountInString(word) < leastPart {
			continue
		}
		if stem := l.stemTerm(word); stem != "" && !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// mostEnding is the maximum number of bytes by which the first part of a compound is longer than the
// common prefix of its forms.
const mostEnding = 4

// partsBehind returns the possible stems of the second part of a compound whose first part is p.
func (l *language) partsBehind(p CompoundPart, word string) (stems []string) {
	isOfPart := func(stem string) bool { return slices.Contains(p.Stems, stem) }
	for at := len(p.CommonPrefix); at <= min(len(p.CommonPrefix)+mostEnding, len(word)-leastPart); at++ {
		if !utf8.RuneStart(word[at]) || !slices.ContainsFunc(l.firstParts(word[:at]), isOfPart) {
			continue
		}
		if rest := l.stemTerm(word[at:]); rest != "" && !slices.Contains(stems, rest) {
			stems = append(stems, rest)
		}
	}
	return stems
}
