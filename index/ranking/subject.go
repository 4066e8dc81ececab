package ranking

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// LowCoverageThreshold is the threshold of BestCoverage: with less, the best chunk covers little of the
// question. On SciFact, 5 of 100 answered questions have less than .57, on code less than .72, and on
// Chinese articles less than .66; questions on other subjects have a median of .16 to .42.
const LowCoverageThreshold = 0.5

// muchUnknown is the share of a question from which words that occur nowhere are reported, even if good
// passages were found. Of 130 questions on eight folders, six with such a word are answered
// correctly, in five of which it makes up a quarter of the question or less, and three are not, all
// of which this limit or a low coverage reveals.
const muchUnknown = 1. / 3

// mostBeside is the maximum number of passages shown, unless a number is requested, for a question
// whose subject occurs nowhere.
const mostBeside = 2

// AreLargePartOf reports whether the words make up at least a third of a question.
func AreLargePartOf(words []string, question string) bool {
	return len(words) > 0 && float64(analysis.ContentHalfWords(strings.Join(words, " "))) >= muchUnknown*float64(analysis.ContentHalfWords(question))
}

// LacksSubject reports whether the subject of the question occurs nowhere: a word that no document
// contains, not even in another form, is the name that the question is about, and no other wording
// names it differently; or words that no document contains are a large part of the question, and no
// phrasing is covered well. It is false if no passage was chosen.
func (r *Ranking) LacksSubject() bool {
	return len(r.chosen) > 0 && r.isSubjectNowhere()
}

func (r *Ranking) isSubjectNowhere() bool {
	if len(r.UnknownWords) == 0 {
		return false
	}
	if analysis.HasUnknownSubject(r.Text, slices.DeleteFunc(slices.Clone(r.UnknownWords), r.isSpelledLikeAnother)) && !r.mayOtherWordingName() {
		return true
	}
	words := slices.DeleteFunc(slices.Clone(r.UnknownWords), r.isTakenForAnother)
	return r.BestCoverage() < LowCoverageThreshold && AreLargePartOf(words, r.Text)
}

// WithoutWordsInCompounds returns the unknown words without those that were found as parts of compounds.
func (r *Ranking) WithoutWordsInCompounds(unknown []string) []string {
	return slices.DeleteFunc(slices.Clone(unknown), func(word string) bool {
		return slices.ContainsFunc(r.found.Expansions, func(a search.Expansion) bool {
			return a.IsCompound && len(analysis.HighlightTerms{a.QueryTerm: true}.WordsIn(word)) > 0
		})
	})
}

// isTakenForAnother reports whether the texts have a word that is spelled much like the given one.
func (r *Ranking) isTakenForAnother(word string) bool {
	if slices.Contains(r.nearlyFound, word) {
		return true
	}
	for _, a := range r.found.Expansions {
		if (a.ReplacesQueryTerm || a.IsCompound) && len(analysis.HighlightTerms{a.QueryTerm: true}.WordsIn(word)) > 0 {
			return true
		}
	}
	return false
}

// mayOtherWordingName reports whether another phrasing of the question may call its subject by a name that
// occurs: that is so unless every other phrasing is known to name its subject by a word that occurs nowhere.
func (r *Ranking) mayOtherWordingName() bool {
	for i := 1; i < len(r.Phrasings); i++ {
		if i > len(r.UnknownWordsOfOtherPhrasings) || !analysis.HasUnknownSubject(r.Phrasings[i].Text, r.UnknownWordsOfOtherPhrasings[i-1]) {
			return true
		}
	}
	return false
}

// isSpelledLikeAnother reports whether a word was probably meant for one that occurs, or is a compound or
// another form of it. Names that only begin alike, as penicillin and penicillamine, are two things.
func (r *Ranking) isSpelledLikeAnother(word string) bool {
	if slices.Contains(r.nearlyFound, word) {
		return true
	}
	for _, a := range r.found.Expansions {
		isForm := a.ReplacesQueryTerm && (a.IsCorrection || strings.HasPrefix(a.Term, a.QueryTerm) || strings.HasPrefix(a.QueryTerm, a.Term))
		if (isForm || a.IsCompound) && len(analysis.HighlightTerms{a.QueryTerm: true}.WordsIn(word)) > 0 {
			return true
		}
	}
	return false
}

// places returns how many passages are shown on a page: few for a question whose subject occurs nowhere,
// because further ones have just as little to do with it.
func (r *Ranking) places() int {
	if r.FewerIfSubjectUnknown && r.isSubjectNowhere() {
		return min(r.PassagesPerPage, mostBeside)
	}
	return r.PassagesPerPage
}

// BestScore returns the score that is displayed as 1: that of the best passage of the first page, so that
// the scores of all pages are comparable, or, if the subject of the question occurs nowhere, more in
// proportion to the missing words of the question.
func (r *Ranking) BestScore() float64 {
	if len(r.chosen) == 0 {
		return 1
	}
	best := r.chosen[0]
	if r.shownBefore > 0 {
		best = r.shown[0]
	}
	switch {
	case best.IsRelatedOnly: // found by parts of words only, so not scaled
		return 1
	case r.LacksSubject() && r.BestCoverage() > 0:
		return best.Score / min(1, r.BestCoverage())
	}
	return best.Score
}

// isOnOtherSubject reports whether, in a question with one name, the title of a passage's document has
// a word of the question that none of the given passages has. The name outweighs all else, so that such a
// passage looks too weak to be shown: in a question about an animal, salt and pressure, these are the notes
// called Salt and Pressure.
func (r *Ranking) isOnOtherSubject(p *Passage, shown []*Passage) bool {
	if p.Parts[byName] < namedByName || len(r.possibleNames()) != 1 {
		return false
	}
	words := newQuestionWords(r.found.Words)
	missing := words.inText(p.Traits.Language, p.Document.Title)
	for _, other := range shown {
		missing &^= words.in(&other.Candidate, other.Text)
	}
	return missing != 0
}
