package lexical

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"vademecum/index/rank"
)

// BM25 with the usual parameters (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009).
const (
	bm25K1 = 1.2
	bm25B  = 0.5
)

// Scores holds the BM25 score of every chunk for one question.
type Scores struct {
	Fair    float64 // what a chunk of average length gets that has every word of the question once
	value   []float32
	touched []rank.Slot
}

// Score scores all chunks for a question. Give the result back with Release.
//
// The words of the question count by BM25, and so do, for less, the words that
// are written like them: those of a word that occurs only beside others, those
// of one that occurs nowhere also by themselves.
func (x *Index) Score(ctx context.Context, q Question) (*Scores, error) {
	q = x.bounded(q)
	kin, instead, err := x.kindred(ctx, q.content)
	if err != nil {
		return nil, err
	}
	sc := x.blank()
	average := float64(x.total) / float64(max(x.live, 1))
	sc.Fair = 0
	for t, weight := range q.content {
		sc.Fair += x.idf(t) * weight
	}
	for _, part := range []struct {
		weights map[string]float64
		touch   bool
	}{{q.content, true}, {instead, true}, {kin, false}, {q.support, false}} {
		for _, t := range slices.Sorted(maps.Keys(part.weights)) {
			if err := ctx.Err(); err != nil {
				x.Release(sc)
				return nil, err
			}
			x.accumulate(sc, x.list(t), x.idf(t)*part.weights[t], average, part.touch)
		}
	}
	return sc, nil
}

// What of a question counts at most. The words of one that people ask all do; of
// a page that is given for one it is those that tell most.
const (
	mostTerms   = 512 // that occur, in the content and in the support each
	mostKindred = 128 // of which words are looked for that are written like them
)

// MostSteps is how often at most the scores of a question look whether somebody
// still waits for them.
const MostSteps = mostKindred + 2*mostTerms + mostKindred*mostKin

// bounded leaves out the commonest of too many words. Those that occur nowhere
// stay: the answer does without them.
func (x *Index) bounded(q Question) Question {
	return Question{content: x.rarest(q.content), support: x.rarest(q.support)}
}

func (x *Index) rarest(weights map[string]float64) map[string]float64 {
	if len(weights) <= mostTerms {
		return weights
	}
	known := slices.DeleteFunc(slices.Collect(maps.Keys(weights)), func(t string) bool { return len(x.list(t)) == 0 })
	slices.SortFunc(known, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(x.list(a)), len(x.list(b))), cmp.Compare(a, b))
	})
	rarest := maps.Clone(weights)
	for _, t := range known[min(len(known), mostTerms):] {
		delete(rarest, t)
	}
	return rarest
}

// idf is the inverse document frequency, of BM25, over the live chunks.
func (x *Index) idf(term string) float64 {
	df := float64(x.frequency(x.list(term)))
	return math.Log(1 + (float64(x.live)-df+0.5)/(df+0.5))
}

// What a word that is written like one of the question counts, times its
// similarity. A word that occurs nowhere is probably misspelt, or derived:
// there the most similar ones must do.
const (
	kinPart  = 0.2
	misspelt = 0.6
	closeKin = 0.6 // similarity that a word needs to stand for one that occurs nowhere
)

// kindred weighs the words that are written like those of the question: kin of
// words that occur, and what stands instead of those that do not. A rare word
// counts for no more than the one that it stands for.
func (x *Index) kindred(ctx context.Context, content map[string]float64) (kin, instead map[string]float64, err error) {
	kin, instead = make(map[string]float64), make(map[string]float64)
	for _, t := range x.telling(content) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		weight, known, idf := content[t], x.knows(t), x.idf(t)
		for _, k := range x.words.like(t) {
			u := x.terms.names[k.id]
			if content[u] > 0 || isFunction(u) || !x.knows(u) || !sameDigits(t, u) {
				continue
			}
			part := weight * kinPart * k.similarity
			switch {
			case known:
				kin[u] = max(kin[u], part*min(1, idf/x.idf(u)))
			case isMeant(t, u):
				instead[u] = max(instead[u], weight*misspelt*k.similarity)
			case k.similarity >= closeKin && isDerived(t, u):
				instead[u] = max(instead[u], part)
			}
		}
	}
	return kin, instead, nil
}

// Lookalikes are the chunks that have a word which is written like one of a
// question and says another thing: with other digits, or a few letters apart, as
// medical words of opposite meaning are.
func (x *Index) Lookalikes(q Question) map[rank.Slot]bool {
	const apart = 3 // letters
	all := make(map[rank.Slot]bool)
	for _, t := range x.telling(q.content) {
		for _, k := range x.words.like(t) {
			u := x.terms.names[k.id]
			if sameDigits(t, u) && (isMeant(t, u) || isDerived(t, u) || slips([]rune(t), []rune(u)) > apart) {
				continue
			}
			for _, e := range x.lists[k.id] {
				all[e.slot()] = true
			}
		}
	}
	return all
}

// telling lists the words of which others may be kin, the weightiest when there
// are too many.
func (x *Index) telling(content map[string]float64) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(content)), func(t string) bool { return !mayHaveKin(t) })
	if len(words) <= mostKindred {
		return words
	}
	worth := make(map[string]float64, len(words))
	for _, t := range words {
		worth[t] = content[t] * x.idf(t)
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth[b], worth[a]) })
	return words[:mostKindred]
}

// accumulate adds what the chunks of a list get for one term. Without touch it
// adds to chunks that have a score already.
func (x *Index) accumulate(sc *Scores, list []posting, weight, average float64, touch bool) {
	base, slope := bm25K1*(1-bm25B), bm25K1*bm25B/average
	for _, e := range list {
		s, tf := e.slot(), e.tf()
		length := x.lengths[s]
		if length == 0 {
			continue
		}
		if sc.value[s] == 0 {
			if !touch {
				continue
			}
			sc.touched = append(sc.touched, s)
		}
		sc.value[s] += float32(weight * tf * (bm25K1 + 1) / (tf + base + slope*float64(length)))
	}
}

func (x *Index) blank() *Scores {
	sc, ok := x.scratch.Get().(*Scores)
	if !ok {
		sc = &Scores{}
	}
	if len(sc.value) < len(x.lengths) {
		sc.value = make([]float32, len(x.lengths)+len(x.lengths)/8)
	}
	return sc
}

// Release takes scores back: they are of no use any more.
func (x *Index) Release(sc *Scores) {
	for _, s := range sc.touched {
		sc.value[s] = 0
	}
	sc.touched = sc.touched[:0]
	x.scratch.Put(sc)
}

// At is the score of one chunk, 0 when no term matched.
func (sc *Scores) At(s rank.Slot) float64 {
	if int(s) >= len(sc.value) {
		return 0
	}
	return float64(sc.value[s])
}

// Top returns the best k chunks of those to keep, best first, one of those that
// have the same wording.
func (sc *Scores) Top(k int, keep rank.Filter, chunks rank.Chunks) []rank.Hit {
	best := rank.NewBest(k, chunks)
	for _, s := range sc.touched {
		if keep.Has(s) {
			best.Offer(rank.Hit{Slot: s, Score: float64(sc.value[s])})
		}
	}
	return best.Hits()
}
