package match

import (
	"math"
	"slices"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// fused is a chunk's place in the answer.
type fused struct {
	slot                    rank.Slot
	score                   float64
	parts                   search.Parts // which the score is the sum of
	best                    float64      // its score for the phrasing that likes it best
	found                   bool         // it has a word of the question, or is called so
	lexicalRank, vectorRank int
}

// equalPart is the vectors' part of a score where they have an equal say with the words.
const equalPart = 0.5

// vectorPart is the part that the vectors have in the scores of a phrasing. In
// writing without spaces those that know no meanings say what the words say again,
// only less exactly, and have no part.
func (l *Library) vectorPart(p Phrasing) float64 {
	switch {
	case p.Vector == nil:
		return 0
	case !l.Semantic:
		return l.Weight * p.spaced
	}
	return l.Weight
}

// fairPart is the part of a fair lexical score that the best of the list must
// reach beside a model, lest a stray word count for as much as its meaning.
const fairPart = 0.8

// leastShare is the score below which a chunk that has no word of the question
// is noise beside the best.
const leastShare = 0.05

// What a name adds to a score, of which the words and vectors of the best chunk
// have 1. Measured on 162 questions to eleven real folders: with .5 for the name of
// the document 3 fewer have the right passage first, with 1 no more, and SciFact
// loses .003; without the heading 3 fewer. The folder is for what is nowhere
// else, as the patient is whose letters are in one: from .05 to .25 nothing changes.
const (
	namePart    = 0.6
	headingPart = 0.1
	folderPart  = 0.25
)

// fuse makes one score out of both lists of every phrasing: in each list the
// best has 1, and a chunk's score is the weighted mean over the lists and the
// phrasings, to which its names add. (Sums of normalised scores were better than
// reciprocal ranks on all but one of the collections measured.)
//
// The cosines of a model lie close together, somewhere between 0 and 1: they
// count from the least of its list (min-max normalisation; compared with others
// in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023). A chunk that has no vector yet loses nothing by that: its
// words count for both.
func (l *Library) fuse(phrasings []Phrasing, lists []matches) []fused {
	total, most := 0.0, 0
	for i, p := range phrasings {
		total, most = total+p.Weight, max(most, len(lists[i].all))
	}
	all := make([]fused, 0, most)
	at := make(map[rank.Slot]int, most) // in all
	for i, list := range lists {
		p := phrasings[i]
		s := newScale(list, l.vectorPart(p), l.Semantic)
		for _, m := range list.all {
			n, known := at[m.slot]
			if !known {
				n = len(all)
				all, at[m.slot] = append(all, fused{slot: m.slot}), n
			}
			all[n].add(m, s.parts(m), p.Weight/total)
		}
	}
	return slices.DeleteFunc(all, func(f fused) bool { return f.best < leastShare && !f.found })
}

// scale is what the scores of a phrasing are compared with.
type scale struct {
	vectorPart    float64
	words, cosine float64 // of the best
	least         float64 // cosine
	document      float64 // what the words of its document give to a chunk at most
}

func newScale(list matches, vectorPart float64, semantic bool) scale {
	s := scale{vectorPart: vectorPart}
	s.words, s.cosine = best(list.all)
	if vectorPart < equalPart { // else a stray word would count for more than its meaning
		s.document = documentPart * (1 - vectorPart)
	}
	if semantic {
		s.least = leastCosine(list.all)
		s.words = max(s.words, fairPart*list.fair)
	}
	return s
}

// parts is what a match has for one phrasing.
func (s scale) parts(m match) search.Parts {
	part := s.vectorPart
	if m.bare {
		part = 0
	}
	return search.Parts{
		Words:   (1 - part) * Share(m.lexical, s.words),
		Vectors: part * Share(m.cosine-s.least, s.cosine-s.least),
		Name:    namePart * m.name, Heading: headingPart * m.heading, Folder: folderPart * m.folder,
		Document: s.document * m.document,
	}
}

// add adds what a match has for a phrasing of some weight.
func (f *fused) add(m match, p search.Parts, weight float64) {
	own := p.Words + p.Vectors
	named := p.Name + p.Heading + p.Folder
	f.score += weight * (own + named + p.Document)
	f.parts.Words += weight * p.Words
	f.parts.Vectors += weight * p.Vectors
	f.parts.Name += weight * p.Name
	f.parts.Heading += weight * p.Heading
	f.parts.Folder += weight * p.Folder
	f.parts.Document += weight * p.Document
	f.best = max(f.best, own)
	f.found = f.found || m.lexical > 0 || named > 0
	f.lexicalRank = BetterRank(f.lexicalRank, m.lexicalRank)
	f.vectorRank = BetterRank(f.vectorRank, m.vectorRank)
}

func best(matches []match) (lexical, cosine float64) {
	for _, m := range matches {
		lexical, cosine = max(lexical, m.lexical), max(cosine, m.cosine)
	}
	return lexical, cosine
}

// leastCosine is that of the last in the vector list, 0 when the list tells
// nothing apart.
func leastCosine(matches []match) float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for _, m := range matches {
		if m.vectorRank > 0 {
			least, most = min(least, m.cosine), max(most, m.cosine)
		}
	}
	if least >= most {
		return 0
	}
	return least
}

// Share is the part that a score has of the best, 0 where that is nothing.
func Share(score, best float64) float64 {
	if best <= 0 {
		return 0
	}
	return max(score, 0) / best
}

// BetterRank is the lesser of two ranks, of which 0 is none.
func BetterRank(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
