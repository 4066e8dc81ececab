package lexical

import (
	"slices"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
)

// A name of which a query asks, such as that of a drug, outweighs its other words: in a small folder, a word
// in one chunk is hardly rarer than one in five, and the common words with which people ask ("starting
// dose in mg per day") add up. A chunk with a name in few chunks therefore scores the more for containing it,
// however often, so that the other words still order the chunks with the name. A query with several words
// that may be names stays as it is, because the rarest need not be the subject.
//
// Of 51 questions about one thing in two folders of 16 notes, all instead of 22 find its note first.
const (
	// namePart is the score of a chunk for a name, relative to the other words of the query. With 1, three
	// of 51 test questions do not find the right note first, because the other words may be repeated; with
	// 2, the beginning of a note, which has the name, comes before the passage that answers.
	namePart = 1.5
	// mostWithName is the maximum number of chunks with a name.
	mostWithName = 10
)

// raiseName sets the score of a chunk for containing the name in a query, if there is one that occurs in
// few chunks.
func (x *Index) raiseName(q analysis.Question, w *WeightedQuestion) {
	if len(q.PossibleNames) != 1 || !isSureName(q) || !x.isInFewChunks(q.PossibleNames[0]) {
		return
	}
	name := q.PossibleNames[0]
	own, others := 0.0, 0.0
	for i := range w.terms {
		switch t := &w.terms[i]; {
		case t.covers && slices.Contains(name, t.term):
			own += t.weight
		case t.isFromQuery && !isCharacterOf(name, t.term):
			others += t.weight
		}
	}
	missing := namePart*others - own
	if missing <= 0 {
		return
	}
	for i := range w.terms {
		if t := &w.terms[i]; t.covers && slices.Contains(name, t.term) {
			t.presence = missing / float64(len(name))
		}
	}
}

// isSureName reports whether the only possible name in a query is certainly a name: a Chinese word of two
// characters may as well be an ordinary word, unless it begins with a surname or the rest of the query is
// in another script.
func isSureName(q analysis.Question) bool {
	name := q.PossibleNames[0]
	if len(name) > 1 || !analysis.IsUnspacedScriptTerm(name[0]) || analysis.BeginsWithSurname(name[0]) {
		return true
	}
	for t := range q.ContentTerms {
		if t != name[0] && analysis.IsUnspacedScriptTerm(t) {
			return false
		}
	}
	return true
}

// isInFewChunks reports whether all terms of a name occur, each in few chunks.
func (x *Index) isInFewChunks(name []string) bool {
	for _, t := range name {
		if n := x.frequency(findTerm(x.terms, t)); n == 0 || n > mostWithName {
			return false
		}
	}
	return true
}

// isCharacterOf reports whether a term is a character of a name, whose terms are pairs of characters.
func isCharacterOf(name []string, term string) bool {
	return slices.ContainsFunc(name, func(t string) bool {
		_, size := utf8.DecodeRuneInString(t)
		return analysis.IsUnspacedScriptTerm(t) && (t[:size] == term || t[size:] == term)
	})
}

// setPresences sets what a chunk scores for a name by the statistics of another index.
func (w *WeightedQuestion) setPresences(presences map[string]float64) {
	for i := range w.terms {
		if t := &w.terms[i]; t.covers {
			t.presence = presences[t.term]
		}
	}
}
