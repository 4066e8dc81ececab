package lexical

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// Weights of words similar to a word of the query, to be multiplied by the similarity. A word that
// occurs nowhere is probably misspelt or derived; then the most similar words replace it.
const (
	kinPart  = 0.2
	misspelt = 0.6
	closeKin = 0.6 // minimum similarity of a derived word that replaces one that occurs nowhere
)

// Expansion is a word that counts because it is similar to a word of the query.
type Expansion struct {
	QueryTerm, Term   string // term of the query, and the similar term
	ReplacesQueryTerm bool   // QueryTerm occurs nowhere, and Term replaces it
	IsCorrection      bool   // QueryTerm is probably a misspelling of Term
	IsCompound        bool   // Term is a compound with QueryTerm as a part
}

// similarTerms holds the weights of words similar to words that occur (kin), and of replacements
// for those that do not (instead), with the words of the query that they belong to (all).
type similarTerms struct {
	kin, instead map[string]float64
	all          []Expansion
}

func newSimilarTerms() similarTerms {
	return similarTerms{kin: make(map[string]float64), instead: make(map[string]float64)}
}

func (k *similarTerms) add(to map[string]float64, a Expansion, weight float64) {
	to[a.Term] = max(to[a.Term], weight)
	k.all = append(k.all, a)
}

// findSimilarTerms finds and weighs the words similar to those of the query. A rarer word counts no
// more than the word of the query to which it is similar.
func (x *Index) findSimilarTerms(ctx context.Context, q analysis.Question, all *similarTerms) error {
	if all.kin == nil {
		*all = newSimilarTerms()
	}
	var alike [mostSimilar]similarTerm
	content := q.ContentTerms
	for _, t := range x.wordsToExpand(content) {
		if err := ctx.Err(); err != nil {
			return err
		}
		weight, id := content[t], findTerm(x.terms, t)
		known, idf := x.isLive(id) || len(x.formsOf(q.EquivalentTerms[t])) > 0, x.idf(id)
		for _, c := range q.Compounds[t] {
			if !analysis.IsFieldTerm(c) {
				all.all = append(all.all, Expansion{QueryTerm: t, Term: c, IsCompound: true})
			}
		}
		known = known || len(q.Compounds[t]) > 0
		for _, k := range x.words.similarTo(alike[:0], t) {
			u := x.terms.name(k.id)
			if content[u] > 0 || analysis.IsFunctionTerm(u) || !x.isLive(k.id) || !sameDigits(t, u) {
				continue
			}
			part := weight * kinPart * k.similarity
			switch {
			case known:
				all.add(all.kin, Expansion{QueryTerm: t, Term: u}, part*min(1, idf/x.idf(k.id)))
			case isProbableCorrection(t, u):
				all.add(all.instead, Expansion{QueryTerm: t, Term: u, ReplacesQueryTerm: true, IsCorrection: true}, weight*misspelt*k.similarity)
			case k.similarity >= closeKin && isDerived(t, u):
				all.add(all.instead, Expansion{QueryTerm: t, Term: u, ReplacesQueryTerm: true}, part)
			}
		}
	}
	return nil
}

// AddSimilarlySpelled adds to the filter the chunks with a word that looks like a word of the query but
// probably has a different meaning: it has other digits, or differs by a few letters, like medical
// words of opposite meaning.
func (x *Index) AddSimilarlySpelled(to rank.Filter, q analysis.Question) {
	const apart = 3 // letters
	var alike [mostSimilar]similarTerm
	for _, t := range x.wordsToExpand(q.ContentTerms) {
		for _, k := range x.words.similarTo(alike[:0], t) {
			u := x.terms.name(k.id)
			if sameDigits(t, u) && (isProbableCorrection(t, u) || isDerived(t, u) || editDistance([]rune(t), []rune(u)) > apart) {
				continue
			}
			for _, e := range x.postingsOf(k.id) {
				to.Add(e.slot())
			}
		}
	}
}

// wordsToExpand returns the words for which similar ones are searched; if there are too many, those
// with the highest weight.
func (x *Index) wordsToExpand(content map[string]float64) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(content)), func(t string) bool { return !mayHaveSimilar(t) })
	if len(words) <= mostKindred {
		return words
	}
	worth := make(map[string]float64, len(words))
	for _, t := range words {
		worth[t] = content[t] * x.idf(findTerm(x.terms, t))
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth[b], worth[a]) })
	return words[:mostKindred]
}
