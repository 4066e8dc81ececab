package ranking

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// LittleCovered is below what the best chunk has of the words of a question
// that is answered: 5 of 100 such questions on SciFact have less than .57, on
// code .72 and on Chinese articles .66; questions on something else have .16 to
// .42 in the middle.
const LittleCovered = 0.5

// muchUnknown is the part of a question from which on it is told which of its words
// occur nowhere, whatever else was found. Of 130 questions to eight folders six are
// answered rightly with such a word, five of which have a fourth of the question or
// less, and three are not, all of which this or the little that is covered gives away.
const muchUnknown = 1. / 3

// mostBeside is how many passages are shown, unless a number is asked for, of a question
// whose subject is nowhere.
const mostBeside = 2

// IsMuchOf reports whether words make up much of what a question asks for.
func IsMuchOf(words []string, question string) bool {
	return len(words) > 0 && float64(analysis.ContentAmount(strings.Join(words, " "))) >= muchUnknown*float64(analysis.ContentAmount(question))
}

// LacksSubject reports whether what the question is about occurs nowhere: much of it is words
// that do not, none of which was taken for another, and no wording is covered well.
func (r *Ranking) LacksSubject() bool {
	return len(r.chosen) > 0 && r.isSubjectNowhere()
}

func (r *Ranking) isSubjectNowhere() bool {
	if len(r.Unknown) == 0 || r.CoveredShare() >= LittleCovered {
		return false
	}
	return IsMuchOf(slices.DeleteFunc(slices.Clone(r.Unknown), r.isTakenForAnother), r.Text)
}

// WithoutParts leaves out of words of the question that occur nowhere those that are parts of compounds
// which were found.
func (r *Ranking) WithoutParts(unknown []string) []string {
	return slices.DeleteFunc(unknown, func(word string) bool {
		return slices.ContainsFunc(r.found.Expansions, func(a search.Expansion) bool {
			return a.IsWhole && len(analysis.HighlightTerms{a.Asked: true}.WordsIn(word)) > 0
		})
	})
}

// isTakenForAnother reports whether texts have a word that is written much like one of the question.
func (r *Ranking) isTakenForAnother(word string) bool {
	for _, a := range r.found.Expansions {
		if (a.Instead || a.IsWhole) && len(analysis.HighlightTerms{a.Asked: true}.WordsIn(word)) > 0 {
			return true
		}
	}
	return false
}

// places is how many passages are shown: few of a question whose subject is nowhere, as the
// others have as little to do with it.
func (r *Ranking) places() int {
	if r.Fewer && r.isSubjectNowhere() {
		return min(r.Wanted, mostBeside)
	}
	return r.Wanted
}

// BestScore is the score that is told as 1: that of the best passage, or, where the subject
// of the question is nowhere, as much more as the words of the question are more than those
// that are found.
func (r *Ranking) BestScore() float64 {
	switch {
	case len(r.chosen) == 0 || r.chosen[0].Related: // where the words find nothing, nothing is good
		return 1
	case r.LacksSubject() && r.CoveredShare() > 0:
		return r.chosen[0].Score / r.CoveredShare()
	}
	return r.chosen[0].Score
}
