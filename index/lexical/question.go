package lexical

import (
	"strings"
	"sync"
	"unicode/utf8"

	"vademecum/internal/script"
)

// functionPart is the weight of a function word in a question: in a small
// collection its document frequency alone would not tell it from a rare word.
const functionPart = 0.1

// Question is the weighted terms of a query, by how often each stands in it.
type Question struct {
	content map[string]float64 // any of them is a reason to answer
	support map[string]float64 // only add to what the others found: function words, single characters of longer runs
}

// NewQuestion analyses a query.
func NewQuestion(text string) Question {
	q := Question{content: make(map[string]float64), support: make(map[string]float64)}
	for run, unspaced := range runs(text) {
		alone := utf8.RuneCountInString(run) == 1
		isFunctionWord := !unspaced && script.IsFunction(strings.ToLower(run))
		for _, t := range Analyse(run) {
			switch {
			case isFunctionWord, isFunction(t):
				q.support[t] += functionPart
			case unspaced && !alone && utf8.RuneCountInString(t) == 1:
				q.support[t]++
			default:
				q.content[t]++
			}
		}
	}
	if len(q.content) == 0 {
		return Question{content: q.support}
	}
	return q
}

// SpacedShare is how much of a text is of writing with spaces, 0 to 1.
func SpacedShare(text string) float64 {
	spaced, all := 0, 0
	for run, unspaced := range runs(text) {
		n := utf8.RuneCountInString(run)
		all += n
		if !unspaced {
			spaced += n
		}
	}
	return float64(spaced) / float64(max(all, 1))
}

// functionStems are the terms of the English function words.
var functionStems = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range script.FunctionWords() {
		m[stem(w)] = true
	}
	return m
})

// isFunction tells the terms that say nothing of what a text is about.
func isFunction(t string) bool {
	return functionStems()[t] || isUnspacedTerm(t) && script.IsFunction(t)
}

func isUnspacedTerm(t string) bool {
	r, _ := utf8.DecodeRuneInString(t)
	return script.IsUnspaced(r)
}
