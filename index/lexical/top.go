package lexical

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"vademecum/index/rank"
)

// TopK returns the best k of the chunks that a filter keeps, best first, only one of several chunks
// with the same content.
//
// Most chunks with frequent terms are not scored: it skips blocks whose upper bound is too low, and
// in other blocks the chunks that contain only the terms with the lowest weights (MaxScore: Turtle
// and Flood, "Query Evaluation: Strategies and Optimizations", 1995; with bounds for blocks as in
// Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max Indexes", 2011). The result is
// the same as if all chunks were scored.
func (sc *Scores) TopK(ctx context.Context, k int, keep rank.Filter, chunks rank.ChunkProperties) ([]rank.Hit, error) {
	return sc.top(ctx, keep, rank.NewTopHits(k, chunks))
}

func (sc *Scores) top(ctx context.Context, keep rank.Filter, best *rank.TopHits) ([]rank.Hit, error) {
	t := topCollector{Scores: sc, keep: keep, best: best}
	if len(sc.frequent) == 0 {
		t.addAll()
		return t.best.Hits(), nil
	}
	t.computeBounds()
	t.addRare()
	for _, b := range t.promisingBlocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !t.mayReach(termScore{b.most, 1}) {
			break
		}
		t.addBlock(b.block)
	}
	return t.best.Hits(), nil
}

// topCollector collects the best chunks.
type topCollector struct {
	*Scores
	keep    rank.Filter
	best    *rank.TopHits
	bounds  []termScore     // by block, the maximum that the frequent terms add to the score of a chunk
	aside   []float32       // by block, the maximum that rare terms add to a chunk none of them finds, negated
	present []*weightedTerm // frequent terms in the current chunk
}

// computeBounds computes bounds and aside: for each block of chunks, the most that the frequent and
// the rare terms add to the score of a chunk.
func (t *topCollector) computeBounds() {
	t.bounds, t.aside = make([]termScore, t.x.blockCount()), make([]float32, t.x.blockCount())
	for _, f := range t.frequent {
		for b := range t.bounds {
			t.bounds[b] = t.bounds[b].plus(f.maxScoreInBlock(b))
		}
	}
	for _, s := range t.words.touched {
		t.aside[s/blockSlots] = min(t.aside[s/blockSlots], t.words.value[s])
	}
}

// slack is the factor by which upper bounds are raised to allow for rounding errors.
const slack = 1 + 1e-6

// mayReach reports whether a chunk with the upper bound g of its score may be among the best.
func (t *topCollector) mayReach(g termScore) bool {
	return t.totalScore(g)*slack >= t.best.MinScore()
}

// addAll offers all touched chunks with their full scores.
func (t *topCollector) addAll() {
	least := t.best.MinScore()
	for _, s := range t.words.touched {
		if float64(t.words.value[s]) < least { // true for most; coverage adds nothing
			continue
		}
		if score := t.ScoreAt(s); score > 0 && t.keep.Has(s) {
			t.best.Add(rank.Hit{Slot: s, Score: score})
			least = t.best.MinScore()
		}
	}
}

// settleAfter is the number of chunks after which the minimum score to be among the best is
// updated.
const settleAfter = 1 << 9

// addRare offers the chunks that contain rare terms, whose scores have been summed up already.
func (t *topCollector) addRare() {
	least := 0.0
	for i, s := range t.words.touched {
		if i%settleAfter == 0 {
			t.best.MergeOffered()
			least = t.best.MinScore() / slack
		}
		words, more := t.words.value[s], t.bounds[s/blockSlots]
		if words <= 0 || float64(words)+more.words < least {
			continue // true for most chunks; coverage can only lower the score
		}
		if t.keep.Has(s) {
			t.offer(s, termScore{float64(words), t.CoveredShare(WordSet(t.held.at(s)))})
		}
	}
	t.best.MergeOffered()
}

// promisingBlocks returns the blocks in which chunks found only by frequent terms may be among the
// best, most promising first.
func (t *topCollector) promisingBlocks() []blockBound {
	var blocks []blockBound
	for b, g := range t.bounds {
		if g.words -= float64(t.aside[b]); t.mayReach(g) {
			blocks = append(blocks, blockBound{b, t.totalScore(g)})
		}
	}
	slices.SortFunc(blocks, func(a, b blockBound) int { return cmp.Compare(b.most, a.most) })
	return blocks
}

// blockBound is a block with the upper bound of its scores.
type blockBound struct {
	block int
	most  float64
}

// addBlock offers the chunks of a block that are found only by frequent terms.
func (t *topCollector) addBlock(block int) {
	found := t.candidatesIn(block)
	for w, m := range found {
		for ; m != 0; m &= m - 1 {
			s := rank.Slot(block*blockSlots + w*64 + bits.TrailingZeros64(m))
			if t.words.value[s] <= 0 && t.x.lengths[s] != 0 && t.keep.Has(s) {
				t.offer(s, termScore{-t.words.at(s), 0})
			}
		}
	}
	t.best.MergeOffered()
}

// candidatesIn returns the candidates of a block as a bit set. A candidate contains at least one of
// the terms with the highest weights, if all other terms together do not suffice, and every term
// without which the others do not suffice.
func (t *topCollector) candidatesIn(block int) (found [blockMarks]uint64) {
	all := t.bounds[block].plus(termScore{-float64(t.aside[block]), 0})
	rest := all
	for i := range t.frequent {
		f := &t.frequent[i]
		if !f.touches || !t.mayReach(rest) {
			break
		}
		rest = rest.minus(f.maxScoreInBlock(block))
		for w, m := range f.chunks.chunksInBlock(block) {
			found[w] |= m
		}
	}
	for i := range t.frequent {
		f := &t.frequent[i]
		if t.mayReach(all.minus(f.maxScoreInBlock(block))) {
			continue
		}
		for w, m := range f.chunks.chunksInBlock(block) {
			found[w] &= m
		}
	}
	return found
}

// offer offers a chunk whose score for its rare terms is g, unless its frequent terms cannot raise
// the score enough even with their maximum in the block.
func (t *topCollector) offer(s rank.Slot, g termScore) {
	block, most := int(s/blockSlots), g
	t.present = t.present[:0]
	for i := range t.frequent {
		if f := &t.frequent[i]; f.chunks.has(s) {
			most = most.plus(f.maxScoreInBlock(block))
			t.present = append(t.present, f)
		}
	}
	if !t.mayReach(most) {
		return
	}
	for _, f := range t.present {
		g = g.plus(termScore{f.weight * t.by.termWeight(f.chunks.termFrequency(s), t.x.lengths[s]), f.share})
	}
	t.best.Add(rank.Hit{Slot: s, Score: t.totalScore(g)})
}
