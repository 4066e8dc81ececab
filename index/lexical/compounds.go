package lexical

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
)

// compoundPart is the share of the score of a word for a chunk that contains the word only as a
// part of compounds, like Rechnung in Stromrechnung.
const compoundPart = 0.6

// mostCompounds is the maximum number of words containing a word of a query that are examined,
// shortest first.
const mostCompounds = 256

// findCompounds returns, for each word of a query, the compounds of which it is a part and whose
// other part is also a word in the chunks or in the query. A compound is listed by its word and by
// its stem. For a word that occurs nowhere, all words that end with it are listed.
func (x *Index) findCompounds(q analysis.Question) map[string][]string {
	languages := x.terms.names.languages
	if languages == 0 { // no compound has a stem among the terms
		return nil
	}
	words := x.wordsToExpand(q.ContentTerms)
	parts := make([]analysis.CompoundPart, len(words))
	asked := make(map[string]bool)
	for i, t := range words {
		parts[i] = analysis.CompoundPartOf(t, q.EquivalentTerms[t])
		for _, stem := range parts[i].Stems {
			asked[stem] = true
		}
	}
	all := make(map[string][]string)
	for i, t := range words {
		if parts[i].CommonPrefix == "" {
			continue
		}
		isKnown := x.hasTerm(t) || len(x.formsOf(q.EquivalentTerms[t])) > 0
		for _, id := range x.words.containing(parts[i].CommonPrefix) {
			word := x.terms.name(id)
			if q.ContentTerms[word] > 0 || !x.isLive(id) {
				continue
			}
			for _, c := range parts[i].CompoundsWith(word, languages) {
				if !slices.ContainsFunc(c.RemainderTerms, x.hasTerm) && !(x.hasTerm(c.StemTerm) && (c.EndsWithLongPart && !isKnown || slices.ContainsFunc(c.RemainderTerms, func(t string) bool { return asked[t] }))) {
					continue
				}
				for _, form := range []string{word, c.StemTerm} {
					if !slices.Contains(all[t], form) && x.hasTerm(form) {
						all[t] = append(all[t], form)
					}
				}
			}
		}
	}
	return all
}

func (x *Index) hasTerm(term string) bool { return x.isLive(findTerm(x.terms, term)) }

// containing returns the words that contain a root, shortest first, at most mostCompounds.
func (v *vocabulary) containing(root string) (found []int32) {
	var rarest []int32
	for i, g := range innerTrigrams(root) {
		if ids := v.trigrams[g]; i == 0 || len(ids) < len(rarest) {
			rarest = ids
		}
	}
	for _, id := range rarest {
		if strings.Contains(v.terms.name(id), root) {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b int32) int {
		return cmp.Or(cmp.Compare(v.sizes[a], v.sizes[b]), cmp.Compare(v.terms.name(a), v.terms.name(b)))
	})
	found = slices.Compact(found)
	return found[:min(len(found), mostCompounds)]
}

// innerTrigrams returns the trigrams inside a word, without those at its ends.
func innerTrigrams(word string) []trigram {
	grams := trigramsOf(word)
	return slices.DeleteFunc(grams, func(g trigram) bool { return g[0] == ' ' || g[2] == ' ' })
}

// frequencyOfCompounds estimates the number of chunks that contain any of the compounds. Each is
// listed twice, by its word and by its stem.
func (x *Index) frequencyOfCompounds(compounds []string) int {
	words, stems := 0, 0
	for _, c := range compounds {
		if n := x.frequency(findTerm(x.terms, c)); analysis.IsFieldTerm(c) {
			stems += n
		} else {
			words += n
		}
	}
	return max(words, stems)
}

// chunksWithCompoundsOnly returns the postings of the chunks that contain compounds of a word, but
// neither the word nor another of its forms, sorted by slot.
func (x *Index) chunksWithCompoundsOnly(t *weightedTerm, withForms []posting) []posting {
	return x.missingFrom(withForms, x.chunksWithFormsOnly(t.id, t.compounds))
}

// addCompoundNames adds the compounds of terms to the terms used for searching names.
func addCompoundNames(weights map[string]float64, wholes map[string][]string) {
	for _, t := range slices.Sorted(maps.Keys(wholes)) {
		for _, c := range wholes[t] {
			if !analysis.IsFieldTerm(c) {
				weights[c] = max(weights[c], compoundPart*weights[t])
			}
		}
	}
}
