package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// Weights of the less important terms of a query.
const (
	// functionPart is the weight of function words. A low document frequency in a small collection must not
	// make them look rare.
	functionPart = 0.1
	// askingPart is the weight of the characters of question phrases, in scripts without word boundaries.
	// With 0.1 and 0.5, medical Chinese loses 0.0014 and 0.0034.
	askingPart = 0.3
	// specialPart is the weight of the parts of terms that are searched as a whole, see specialToken.
	specialPart = 0.25
	// placePart is the weight of article numbers at the beginning of a line, where the text of the article
	// follows. Of 660 queries for articles of made-up laws, all find them first with 2 and more, two fail
	// with 1 and 203 with 0. Of 19 queries for real laws, one more succeeds with 3.
	placePart = 3
	// identPart is the weight of the parts of identifiers that are one word, such as "OpenSSL".
	identPart = 0.3
	// seamPart is the weight of words joined or split between letters and digits: "gpt4", "gpt 4".
	seamPart = 0.6
	// embeddedPart is the factor for the weight of words such as "TSH" in a query in a script without
	// spaces, see raiseEmbeddedWords.
	embeddedPart = 2
)

// Question holds the terms of a query, with weights that include their frequency in the query.
type Question struct {
	ContentTerms map[string]float64 // terms that suffice to return a chunk
	// OtherSpellings contains other spellings, such as "gpt4" for "gpt 4". They also suffice to return a
	// chunk, but a chunk that lacks them has no lower coverage of the query.
	OtherSpellings map[string]float64
	// NameTerms contains the terms to search names for: ContentTerms without parts of special tokens, and
	// split between letters and digits.
	NameTerms map[string]float64
	// EquivalentTerms contains, by term of ContentTerms, further terms that count as it, such as stems of
	// the word in other languages.
	EquivalentTerms map[string][]string
	// FallbackTerms contains, by term of ContentTerms, terms that count as it if it occurs nowhere,
	// because it may be spelled without umlauts.
	FallbackTerms        map[string][]string
	Compounds            map[string][]string // by term of ContentTerms, compounds in the index that contain it
	NextOverlappingPairs map[string]string   // by pair of characters in ContentTerms, the next pair, if the two have a character in common
	// SupportingTerms contains terms that only add to the score of chunks found by other terms: function words,
	// and single characters of longer runs.
	SupportingTerms map[string]float64
	// PossibleNames contains, for each word of the query that may be a name, its terms in ContentTerms:
	// one, or the pairs of its characters.
	PossibleNames [][]string
	// ReferenceStatistics has the statistics of another index, which are used instead of those of the
	// index that is searched; nil if there is none.
	ReferenceStatistics *Statistics
}

// Statistics describes the terms of a query in an index.
type Statistics struct {
	TermWeights        map[string]float64 // by term that occurs, its weight
	NamePresenceScores map[string]float64 // by term of a name, the score of a chunk for containing it, however often
	UnseenTermIDF      float64            // inverse document frequency of a term that does not occur
	AverageChunkTerms  float64            // of a chunk, in terms
	NameWeights        map[string]float64 // by term of names, its weight
	TotalNameWeight    float64            // weight of the whole query when names are searched
}

// WeightOf returns the weight of a term with the given frequency in the query: the weight in
// ReferenceStatistics if these are set, otherwise that by idf, the inverse document frequency in this
// index.
func (q *Question) WeightOf(term string, queryFrequency, idf float64) float64 {
	if q.ReferenceStatistics == nil {
		return queryFrequency * idf
	}
	if weight, occurs := q.ReferenceStatistics.TermWeights[term]; occurs {
		return weight
	}
	return queryFrequency * q.ReferenceStatistics.UnseenTermIDF
}

// NewQuestion analyses a query.
func NewQuestion(text string) Question {
	text = normalizeQuestion(text)
	q := questionOf(text)
	q.addOtherWritings(text)
	q.addYearlessDays(text)
	if isInUnspacedScript(text) {
		q.raiseEmbeddedWords()
	}
	return q
}

// questionOf analyses a normalised query.
func questionOf(text string) Question {
	q := Question{ContentTerms: make(map[string]float64), NameTerms: make(map[string]float64), OtherSpellings: make(map[string]float64), EquivalentTerms: make(map[string][]string), NextOverlappingPairs: make(map[string]string), FallbackTerms: make(map[string][]string), SupportingTerms: make(map[string]float64)}
	isPart := make([]bool, len(text)) // by byte: whether it belongs to a special token
	for _, w := range specialTokens(text) {
		if w.isGeneral {
			continue
		}
		if w.isVariant {
			q.OtherSpellings[w.term] += seamPart
			q.OtherSpellings[w.written] += seamPart
			continue
		}
		q.ContentTerms[w.term]++
		if forms := w.allForms(); len(forms) > 0 {
			q.EquivalentTerms[w.term] = forms
		}
		if w.written != "" {
			q.NameTerms[w.written]++
		} else {
			q.NameTerms[w.term]++
		}
		if w.isPlace {
			q.ContentTerms[w.lineStartTerm()] += placePart
		}
		markAll(isPart[w.start:w.end])
	}
	q.addWrittenDates(text, isPart)
	rows, forms := functionRows(text), addressSpans(text)
	for r := range runsOf(text) {
		if r.unspaced {
			q.addGrams(text[r.start:r.end], isPart[r.start:r.end])
			continue
		}
		if isAddressForm(forms, r) {
			q.SupportingTerms[termOfWord(text[r.start:r.end])] += functionPart
			continue
		}
		q.addWord(text[r.start:r.end], isPart[r.start], rows)
		q.addIdentifierParts(text[r.start:r.end])
	}
	if len(q.ContentTerms) == 0 {
		return Question{ContentTerms: q.SupportingTerms, OtherSpellings: q.OtherSpellings, NameTerms: q.SupportingTerms, EquivalentTerms: q.EquivalentTerms, FallbackTerms: q.FallbackTerms}
	}
	return q
}

// addWord adds the terms of a word to the ContentTerms, or to the SupportingTerms if it is a function word
// in one of the given languages.
func (q *Question) addWord(word string, isPart bool, rows []*language) {
	isFunctionWord := isFunctionWordIn(rows, word)
	for i, t := range appendWord(nil, word) {
		switch {
		case isFunctionWord, IsFunctionTerm(t):
			q.SupportingTerms[t] += functionPart
		case isPart:
			q.ContentTerms[t] += specialPart
		case i > 0:
			q.OtherSpellings[t] += identPart
			q.NameTerms[t]++
		default:
			q.ContentTerms[t]++
			q.NameTerms[t]++
			if isNameTerm(t) {
				q.addName([]string{t})
			}
		}
	}
}

// addGrams adds the characters of a run in a script without spaces, and the pairs of adjacent
// characters. Those of question phrases get a low weight.
func (q *Question) addGrams(text string, isPart []bool) {
	characters := []rune(foldWord(text))
	asks, grammar := markAskingPhrases(characters), kanaParticlesOf(characters)
	// at is a byte offset in text. whole means that the previous character belongs to a special
	// token.
	at, whole := 0, true
	before := "" // the previous pair; "" if it is not in ContentTerms
	for i, r := range characters {
		_, size := utf8.DecodeRuneInString(text[at:])
		part := isPart[at]
		at += size
		q.addGram(string(r), asks[i], part, len(characters) > 1)
		if i > 0 && !grammar.has(characters[i-1], r) {
			pair := string(characters[i-1 : i+1])
			q.addGram(pair, asks[i-1] || asks[i], whole && part, false)
			if before != "" && q.ContentTerms[pair] > 0 {
				q.NextOverlappingPairs[before] = pair
			}
			if before = pair; q.ContentTerms[pair] == 0 {
				before = ""
			}
		} else {
			before = ""
		}
		whole = part
	}
	for _, s := range nameSpansIn(characters, asks) {
		q.addName(pairsOf(characters[s.start:s.end]))
	}
}

// addName adds a name unless the query has it already.
func (q *Question) addName(terms []string) {
	if !slices.ContainsFunc(q.PossibleNames, func(n []string) bool { return slices.Equal(n, terms) }) {
		q.PossibleNames = append(q.PossibleNames, terms)
	}
}

func (q *Question) addGram(t string, asks, isPart, supports bool) {
	switch {
	case asks:
		q.SupportingTerms[t] += askingPart
	case IsFunctionTerm(t):
		q.SupportingTerms[t] += functionPart
	case supports && isPart:
		q.SupportingTerms[t] += specialPart
	case supports:
		q.SupportingTerms[t]++
	case isPart:
		q.ContentTerms[t] += specialPart
	default:
		q.ContentTerms[t]++
		q.NameTerms[t]++
	}
}

// isInUnspacedScript reports whether a query is in a script without spaces, apart from single words
// such as names: it contains at least two characters of such scripts, about one word, for each other
// word.
func isInUnspacedScript(text string) bool {
	characters, words := 0, 0
	for r := range runsOf(text) {
		if r.unspaced {
			characters += utf8.RuneCountInString(text[r.start:r.end])
		} else {
			words++
		}
	}
	return characters >= 2*words
}

// raiseEmbeddedWords raises the weights of words of scripts with spaces in a query in a script
// without spaces. A word of two characters counts three times there, as a pair and as each of its
// characters, so that a drug or laboratory value, of which the query asks, would weigh less than the
// common words around it. Of 119 such queries on eight folders, 99 instead of 69 find the right
// document first. With 3, six more of 62 do, but 12 instead of 16 of 24 queries with a word that does
// not matter; without raising, 18.
func (q *Question) raiseEmbeddedWords() {
	for _, weights := range []map[string]float64{q.ContentTerms, q.OtherSpellings} {
		for t := range weights {
			if !IsFieldTerm(t) && !IsUnspacedScriptTerm(t) {
				weights[t] *= embeddedPart
			}
		}
	}
}

// addIdentifierParts adds the parts of a word such as "gpt4", which may be written as two words.
func (q *Question) addIdentifierParts(word string) {
	letters := runLength(word, unicode.IsLetter)
	if number := longNumberIn(word); number != "" {
		q.OtherSpellings[number] += seamPart
		q.OtherSpellings[closedForm(number)] += seamPart
	}
	if letters < 2 || letters == len(word) || !isNumeral(word[letters:]) {
		return
	}
	q.OtherSpellings[termOfWord(word[:letters])] += seamPart
	q.SupportingTerms[word[letters:]] += seamPart
	delete(q.NameTerms, termOfWord(word))
	q.NameTerms[termOfWord(word[:letters])]++
	q.NameTerms[word[letters:]]++
}

// leastLongNumber is the minimum number of digits in an identifier by which it can be recognised without
// its letters.
const leastLongNumber = 6

// longNumberIn returns the digits of an identifier such as EP3482117B1 that may be written apart from
// its letters, and in groups; "" if there are few.
func longNumberIn(word string) string {
	rest := strings.TrimLeftFunc(word, unicode.IsLetter)
	_, n := parseDigits(rest, mostGrouped)
	if n < leastLongNumber || n > mostGrouped || len(rest) == len(word) || len(rest)-n > len("B1") {
		return ""
	}
	return rest[:n]
}

// addOtherWritings adds other spellings, such as "gpt4" for "gpt 4" and "wifi" for "Wi-Fi", and the
// stems of the words in other languages.
func (q *Question) addOtherWritings(text string) {
	before := wordRun{}
	for r := range runsOf(text) {
		if r.unspaced {
			before = wordRun{}
			continue
		}
		word := text[r.start:r.end]
		if t := termOfWord(word); q.ContentTerms[t] > 0 {
			q.EquivalentTerms[t] = formsOf(word)
			if terms := respelledTerms(word); len(terms) > 0 {
				q.FallbackTerms[t] = terms
			}
		}
		if joined := joinedTerm(text, before, r); joined != "" && q.ContentTerms[joined] == 0 {
			q.OtherSpellings[joined] += seamPart
			q.OtherSpellings[closedForm(joined)] += seamPart
		}
		before = r
	}
}

// joinedTerm returns the term of two adjacent words of a query written as one, or "" if they are
// not written so.
func joinedTerm(text string, before, r wordRun) string {
	if before.end == 0 {
		return ""
	}
	if t := numberedTerm(text, before, r); t != "" {
		return t
	}
	return openCompound(text, before, r)
}

// numberedTerm returns the term of a word joined with the number that follows it, or "".
func numberedTerm(text string, before, r wordRun) string {
	word, name := text[r.start:r.end], text[before.start:before.end]
	if before.unspaced || len(name) < 2 || r.start != before.end+1 || !isNumeral(word) ||
		runLength(name, unicode.IsLetter) < len(name) || script.IsFunctionWord(strings.ToLower(name)) {
		return ""
	}
	return foldWord(name) + word
}

func isNumeral(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// SpacedScriptShare returns the share of a text, from 0 to 1, that is in scripts with spaces.
func SpacedScriptShare(text string) float64 {
	spaced, all := 0, 0
	for run, unspaced := range wordsAndRuns(text) {
		n := utf8.RuneCountInString(run)
		all += n
		if !unspaced {
			spaced += n
		}
	}
	return float64(spaced) / float64(max(all, 1))
}

// functionStems returns the terms of the English function words.
var functionStems = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range script.EnglishFunctionWords() {
		m[stemEnglishWord(w)] = true
	}
	return m
})

// IsFunctionTerm reports whether a term is that of a function word, which does not indicate the
// subject of a text.
func IsFunctionTerm(term string) bool {
	return functionStems()[term] || IsUnspacedScriptTerm(term) && script.IsFunctionWord(term)
}

// IsUnspacedScriptTerm reports whether a term is in a script without spaces, judging by its first character.
func IsUnspacedScriptTerm(term string) bool {
	r, _ := utf8.DecodeRuneInString(term)
	return script.IsUnspaced(r)
}
