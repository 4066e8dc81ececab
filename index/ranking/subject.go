package ranking

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// LittleCovered is the share of a question's words below which the best chunk covers little of
// it: 5 of 100 answered questions on SciFact have less than .57, on code .72 and on Chinese
// articles .66; questions on something else have .16 to .42 at the median.
const LittleCovered = 0.5

// muchUnknown is the part of a question from which on its words that occur nowhere are named,
// whatever else was found. Of 130 questions to eight folders six are answered rightly with such a
// word, five of which have a fourth of the question or less, and three are not, all of which this
// or a low coverage reveals.
const muchUnknown = 1. / 3

// mostBeside is how many passages are shown, unless a number is given, for a question whose
// subject is nowhere.
const mostBeside = 2

// IsMuchOf reports whether words make up much of a question.
func IsMuchOf(words []string, question string) bool {
	return len(words) > 0 && float64(analysis.ContentAmount(strings.Join(words, " "))) >= muchUnknown*float64(analysis.ContentAmount(question))
}

// LacksSubject reports whether the subject of the question occurs nowhere: much of it is words
// that do not occur, none of which was replaced by another, and no wording is covered well.
func (r *Ranking) LacksSubject() bool {
	return len(r.chosen) > 0 && r.isSubjectNowhere()
}

func (r *Ranking) isSubjectNowhere() bool {
	if len(r.Unknown) == 0 || r.CoveredShare() >= LittleCovered {
		return false
	}
	return IsMuchOf(slices.DeleteFunc(slices.Clone(r.Unknown), r.isTakenForAnother), r.Text)
}

// WithoutParts removes from the words that occur nowhere those that are parts of compounds which
// were found.
func (r *Ranking) WithoutParts(unknown []string) []string {
	return slices.DeleteFunc(unknown, func(word string) bool {
		return slices.ContainsFunc(r.found.Expansions, func(a search.Expansion) bool {
			return a.IsWhole && len(analysis.HighlightTerms{a.Asked: true}.WordsIn(word)) > 0
		})
	})
}

// isTakenForAnother reports whether texts have a word that is written much like one of the
// question.
func (r *Ranking) isTakenForAnother(word string) bool {
	for _, a := range r.found.Expansions {
		if (a.Instead || a.IsWhole) && len(analysis.HighlightTerms{a.Asked: true}.WordsIn(word)) > 0 {
			return true
		}
	}
	return false
}

// places returns how many passages are shown: few for a question whose subject is nowhere, as the
// others have as little to do with it.
func (r *Ranking) places() int {
	if r.Fewer && r.isSubjectNowhere() {
		return min(r.Wanted, mostBeside)
	}
	return r.Wanted
}

// BestScore is the score that is shown as 1: that of the best passage, or, if the subject of the
// question is nowhere, larger in proportion to the question's words that are missing.
func (r *Ranking) BestScore() float64 {
	switch {
	case len(r.chosen) == 0 || r.chosen[0].Related: // if the words find nothing, nothing is good
		return 1
	case r.LacksSubject() && r.CoveredShare() > 0:
		return r.chosen[0].Score / r.CoveredShare()
	}
	return r.chosen[0].Score
}
