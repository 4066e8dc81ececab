package ranking

import (
	"math"
	"unicode"

	"vademecum/index/search"
	"vademecum/internal/base/script"
)

// Wordings in different languages are alternatives: a text in one has no word of the others. So a
// passage gets the score of the wordings in one language, if that is more than the mean over all,
// and a part of the lesser of the two, as a text that mixes languages has something of each.
//
// A language is weighted by the square of how much its best passage has of one of its wordings,
// relative to the language that has most: all words of a single wording count for more than some
// words of three. The weight of its wordings enters with a small power, lest a single passing one
// decide.
//
// Of 12 questions to the samples, each asked in one language with three wordings in it and
// answered in another, of which there is one wording, all have the right note first, where the
// mean over all has 1; of 40 to a folder of notes in two languages 34, where that has 10; and of
// 268 to sixteen real folders as hosts ask as many as with the mean. With a part of .4, or a
// power of .05, two less of the 268; with .6 two less of the 12.
const (
	lesserPart     = 0.5
	coveredPower   = 2
	weightPower    = 0.1
	leastWellAsked = 0.4 // share of a wording that the best passage of its language must have to keep a place
)

// languageGroup is the wordings in one language.
type languageGroup struct {
	writing  *unicode.RangeTable
	language script.Language
	weight   float64 // total weight of its wordings
	covered  float64 // share of one of them that the best passage has, 0 to 1
}

// groupByLanguage groups wordings by their languages. A wording without a word that reveals its
// language belongs to the first wording in its script.
func groupByLanguage(phrasings []Phrasing) (groups []languageGroup) {
	for i := range phrasings {
		p := &phrasings[i]
		n := 0
		for n < len(groups) && !groups[n].isOf(p) {
			n++
		}
		if n == len(groups) {
			groups = append(groups, languageGroup{writing: p.writing})
		}
		g := &groups[n]
		if g.language == script.Unknown {
			g.language = p.language
		}
		g.weight += p.Weight
		p.group = n
	}
	return groups
}

// isOf reports whether a wording may be in the language of a group.
func (g *languageGroup) isOf(p *Phrasing) bool {
	return g.writing == p.writing && (g.language == p.language || g.language == script.Unknown || p.language == script.Unknown)
}

// writingOf returns the script of a wording: without spaces if any of it is, which represents all
// such, or else that of the first letter.
func writingOf(text string) *unicode.RangeTable {
	var first *unicode.RangeTable
	for _, r := range text {
		switch {
		case script.IsUnspaced(r):
			return unicode.Han
		case first != nil || !unicode.IsLetter(r):
		case unicode.Is(unicode.Cyrillic, r):
			first = unicode.Cyrillic
		default:
			first = unicode.Latin
		}
	}
	if first == nil {
		return unicode.Latin
	}
	return first
}

// languageScore is the score of a chunk for the wordings in one language.
type languageScore struct {
	score float64
	parts search.ScoreParts
}

// addLanguages adds the scores for the wordings in one language, if there are several languages.
func (r *recallState) addLanguages() {
	groups := groupByLanguage(r.phrasings)
	if len(groups) < 2 {
		return
	}
	all, most := 0.0, 0.0
	for n := range groups {
		groups[n].covered = r.coveredOf(n)
		all, most = all+groups[n].weight, max(most, groups[n].covered)
	}
	best := make([]languageScore, len(r.fused))
	for n, g := range groups {
		factor := math.Pow(ShareOfBest(g.covered, most), coveredPower) * math.Pow(g.weight/all, weightPower)
		own := r.scoreLanguage(n, factor/g.weight)
		first := 0
		for i := range own {
			if own[i].score > own[first].score {
				first = i
			}
			if own[i].score > best[i].score {
				best[i] = own[i]
			}
		}
		if g.covered >= leastWellAsked && own[first].score > 0 {
			r.fused[first].keepsPlace = true
		}
	}
	for i := range r.fused {
		r.fused[i].addLanguage(best[i])
	}
}

// coveredOf returns the share of one of the wordings in a language that its best passage has.
func (r *recallState) coveredOf(group int) (covered float64) {
	for i, p := range r.phrasings {
		if p.group == group {
			covered = max(covered, min(1, r.lists[i].covered))
		}
	}
	return covered
}

// scoreLanguage sums the scores of the wordings in a language for each fused chunk, times a
// factor.
func (r *recallState) scoreLanguage(group int, factor float64) []languageScore {
	sums := make([]languageScore, len(r.fused))
	for i, p := range r.phrasings {
		if p.group != group {
			continue
		}
		scale, weight := newScoreScale(&r.lists[i], r.vectorWeight(p), r.Semantic), p.Weight*factor
		for n := range r.lists[i].all {
			m := &r.lists[i].all[n]
			sum := &sums[m.chunk]
			for part, score := range scale.parts(m) {
				sum.parts[part] += weight * score
				sum.score += weight * score
			}
		}
	}
	return sums
}

// addLanguage combines the score of a chunk with that of a language: the greater, and a part of
// the lesser.
func (f *fusedChunk) addLanguage(own languageScore) {
	more, less := 1.0, lesserPart
	if own.score > f.score {
		more, less = lesserPart, 1
	}
	f.score = more*f.score + less*own.score
	for i := range f.parts {
		f.parts[i] = more*f.parts[i] + less*own.parts[i]
	}
}
