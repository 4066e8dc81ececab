package ranking

import (
	"cmp"
	"context"
	"math"
	"slices"

	"vademecum/index/search"
)

// fusedChunk is a chunk with its fused score.
type fusedChunk struct {
	chunk int32 // index in recallState.chunks
	score float64
	parts search.ScoreParts // parts of the score, which is their sum
	best  float64           // highest score for a phrasing
	// the chunk contains a word of the query, or has a matching name
	found                   bool
	lexicalRank, vectorRank int
	byPhrasing              [search.MaxPhrasings]float32
	keepsPlace              bool // the best chunk in one language of the phrasings, which is always shown
}

// vectorWeight returns the weight of vectors in the scores of a phrasing. In scripts without
// spaces, vectors that do not represent meanings only repeat the words less exactly, and get no
// weight.
func (c *Corpus) vectorWeight(p Phrasing) float64 {
	switch {
	case p.Vector == nil:
		return 0
	case !c.HasSemanticVectors:
		return c.VectorWeight * p.spaced
	}
	return c.VectorWeight
}

// fuseLists combines both lists of every phrasing into one score: the best of each list has 1, and
// a chunk's score is the weighted mean over the lists and the phrasings, plus the scores of its
// names; or its score for the phrasings in its own language (see addLanguages). (Sums of normalised
// scores were better than reciprocal ranks on all but one of the collections measured.)
//
// The cosines of a model are close together, somewhere between 0 and 1, so they are measured from
// the lowest of their list (min-max normalisation; compared with other methods in Bruch, Gai and
// Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A chunk without a vector
// yet is at no disadvantage: its words count for both.
func fuseLists(_ context.Context, r *recallState) error {
	total := 0.0
	for _, p := range r.phrasings {
		total += p.Weight
	}
	for n := range r.chunks {
		r.fused = append(r.fused, fusedChunk{chunk: int32(n)})
	}
	for i, p := range r.phrasings {
		list := &r.lists[i]
		s := newScoreScale(list, r.vectorWeight(p), r.HasSemanticVectors, p.ScoreReference)
		if p.WithScoreReference {
			r.found.ScoreReferences[i].ScoreScale = search.ScoreScale{BestWordScore: s.words, BestCosine: s.cosine, LowestCosine: s.least}
		}
		for n := range list.all {
			m := &list.all[n]
			f, parts := &r.fused[m.chunk], s.parts(m)
			f.add(m, parts, p.Weight/total)
			f.byPhrasing[i] = float32(parts[byWords] + parts[byVectors])
		}
	}
	r.addLanguages()
	kept := r.fused[:0]
	for i := range r.fused {
		if f := &r.fused[i]; f.best >= leastShare || f.found {
			kept = append(kept, *f)
		}
	}
	r.fused = kept
	return nil
}

// listCandidates lists the fused chunks as candidates, best first, without copies. It sorts them
// before creating candidates, because there are many.
func listCandidates(_ context.Context, r *recallState) error {
	for i := range r.fused {
		r.order = append(r.order, int32(i))
	}
	slices.SortFunc(r.order, func(i, j int32) int {
		a, b := &r.fused[i], &r.fused[j]
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c // most scores differ, and comparing paths takes longer
		}
		return r.Compare(r.chunks[a.chunk].slot, r.chunks[b.chunk].slot)
	})
	candidates := slices.Grow(r.found.Candidates, len(r.order))
	for _, i := range r.order {
		f := &r.fused[i]
		chunk := r.chunks[f.chunk]
		g := &r.groups[chunk.group]
		if g.candidate > 0 {
			shareRanks(&candidates[g.candidate-1], f.lexicalRank, f.vectorRank)
			candidates[g.candidate-1].IsBestInLanguage = candidates[g.candidate-1].IsBestInLanguage || f.keepsPlace
			continue
		}
		candidates = append(candidates, search.Candidate{Chunk: *r.Chunk(chunk.slot), Score: f.score, Parts: f.parts, LexicalRank: f.lexicalRank, VectorRank: f.vectorRank, ScoresByPhrasing: f.byPhrasing, IsBestInLanguage: f.keepsPlace})
		g.candidate = int32(len(candidates))
	}
	r.found.Candidates = candidates
	return nil
}

// shareRanks gives a candidate the ranks of a copy of it where these are better.
func shareRanks(c *search.Candidate, lexicalRank, vectorRank int) {
	c.LexicalRank, c.VectorRank = betterRank(c.LexicalRank, lexicalRank), betterRank(c.VectorRank, vectorRank)
}

// scoreScale holds the values by which the scores of the chunks for a phrasing are normalised.
type scoreScale struct {
	vectorPart    float64
	words, cosine float64 // scores of the best chunk
	least         float64 // lowest cosine
	document      float64 // maximum score of a chunk for the words of its document
}

// newScoreScale returns the scale for the matches of a phrasing. If there is a reference, whose index has
// better chunks, they are normalised by its scale.
func newScoreScale(list *phrasingMatches, vectorPart float64, semantic bool, ref *search.ScoreReference) scoreScale {
	s := scoreScale{vectorPart: vectorPart}
	s.words, s.cosine = bestScores(list.all)
	if vectorPart < equalPart { // otherwise a stray word would count for more than the meaning
		s.document = documentPart * (1 - vectorPart)
	}
	if semantic {
		s.least = leastCosine(list.all)
		s.words = max(s.words, fairPart*list.fair)
	}
	if ref != nil {
		s.words, s.cosine, s.least = max(s.words, ref.BestWordScore), max(s.cosine, ref.BestCosine), ref.LowestCosine
	}
	return s
}

// parts returns the score parts of a match for one phrasing.
func (s scoreScale) parts(m *phrasingMatch) search.ScoreParts {
	part := s.vectorPart
	if m.unembedded {
		part = 0
	}
	return search.ScoreParts{
		byWords:   (1 - part) * ShareOfBest(m.lexical, s.words),
		byVectors: part * ShareOfBest(m.cosine-s.least, s.cosine-s.least),
		byName:    namePart * m.name, byHeading: headingPart * m.heading, byFolder: folderPart * m.folder,
		byDocument: s.document * m.document,
	}
}

// add adds the score parts p of a match, for a phrasing of the given weight, to those of the chunk.
func (f *fusedChunk) add(m *phrasingMatch, p search.ScoreParts, weight float64) {
	own := p[byWords] + p[byVectors]
	named := p[byName] + p[byHeading] + p[byFolder]
	f.score += weight * (own + named + p[byDocument])
	for i := range p {
		f.parts[i] += weight * p[i]
	}
	f.best = max(f.best, own)
	f.found = f.found || m.lexical > 0 || named > 0
	f.lexicalRank = betterRank(f.lexicalRank, m.lexicalRank)
	f.vectorRank = betterRank(f.vectorRank, m.vectorRank)
}

func bestScores(matches []phrasingMatch) (lexical, cosine float64) {
	for _, m := range matches {
		lexical, cosine = max(lexical, m.lexical), max(cosine, m.cosine)
	}
	return lexical, cosine
}

// leastCosine returns the lowest cosine in the vector list; 0 if all are equal.
func leastCosine(matches []phrasingMatch) float64 {
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

// ShareOfBest returns a score divided by the best; 0 if the best is 0.
func ShareOfBest(score, best float64) float64 {
	if best <= 0 {
		return 0
	}
	return max(score, 0) / best
}

// betterRank returns the smaller of two ranks, where 0 means no rank.
func betterRank(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
