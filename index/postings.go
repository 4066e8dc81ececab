package index

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"vademecum/index/rank"
)

// BM25 with the usual parameters (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009).
const (
	bm25K1 = 1.2
	bm25B  = 0.5
)

// posting packs a slot (24 bits) and a term frequency (8 bits, capped).
type posting uint32

// maxSlots is how many chunks a posting can tell apart.
const maxSlots = 1 << 24

func newPosting(s rank.Slot, tf int) posting { return posting(s)<<8 | posting(min(tf, 255)) }

// at is the same for another slot.
func (p posting) at(s rank.Slot) posting { return posting(s)<<8 | p&0xff }

func (p posting) slot() rank.Slot { return rank.Slot(p >> 8) }
func (p posting) tf() float64     { return float64(p & 0xff) }

// postings is the lexical index: for each term the chunks that hold it. The
// caller guards it.
type postings struct {
	terms   *termTable
	lists   [][]posting // by the number of the term
	words   *vocabulary
	lengths []uint32    // terms in the chunk at each slot; 0 when the slot is free
	live    int         // chunks
	total   uint64      // terms in all live chunks
	dead    []rank.Slot // removed, still in lists
	scratch sync.Pool
}

func newPostings() *postings {
	terms := &termTable{}
	return &postings{terms: terms, words: newVocabulary(terms)}
}

// add puts the terms of a chunk at s, which must be free. An empty one is left
// out: older versions took a free-standing accent for a term.
func (p *postings) add(s rank.Slot, counts termCounts) error {
	for int(s) >= len(p.lengths) {
		p.lengths = append(p.lengths, 0)
	}
	length := 0
	err := counts.each(func(term []byte, n int) {
		if len(term) == 0 {
			return
		}
		id := findTerm(p.terms, term)
		if id == noTerm {
			id = p.newTerm(string(term))
		}
		p.lists[id] = append(p.lists[id], newPosting(s, n))
		length += n
	})
	p.lengths[s] = uint32(max(length, 1))
	p.live++
	p.total += uint64(p.lengths[s])
	return err
}

// join adds the chunks of others, the first of which comes to a slot that is
// behind all that are taken.
func (p *postings) join(others *postings, first rank.Slot) {
	for int(first) > len(p.lengths) {
		p.lengths = append(p.lengths, 0)
	}
	p.lengths = append(p.lengths[:first], others.lengths...)
	p.live += others.live
	p.total += others.total
	for other, list := range others.lists {
		if len(list) == 0 { // the number is free
			continue
		}
		id := findTerm(p.terms, others.terms.names[other])
		if id == noTerm {
			id = p.newTerm(others.terms.names[other])
		}
		for _, e := range list {
			p.lists[id] = append(p.lists[id], e.at(first+e.slot()))
		}
	}
}

func (p *postings) newTerm(term string) int32 {
	id := p.terms.add(term)
	if int(id) == len(p.lists) {
		p.lists = append(p.lists, nil)
	}
	p.words.add(id)
	return id
}

// remove forgets the chunk at s. The slot may be used again once compact has
// returned it.
func (p *postings) remove(s rank.Slot) {
	p.live--
	p.total -= uint64(p.lengths[s])
	p.lengths[s] = 0
	p.dead = append(p.dead, s)
}

// compact drops dead entries when they are many and returns the slots that
// became free. The cost of a pass is spread over at least as many removals.
func (p *postings) compact() []rank.Slot {
	if len(p.dead) < 256 || len(p.dead) < p.live/4 {
		return nil
	}
	var gone []int32
	for id, list := range p.lists {
		if len(list) == 0 {
			continue
		}
		// A copy: a picture may still refer to the list.
		p.lists[id] = slices.DeleteFunc(slices.Clone(list), func(e posting) bool { return p.lengths[e.slot()] == 0 })
		if len(p.lists[id]) == 0 {
			p.lists[id] = nil
			gone = append(gone, int32(id))
		}
	}
	p.terms.drop(gone)
	p.words = newVocabulary(p.terms)
	for id := range p.terms.names { // of those that are free too: each has its size
		p.words.add(int32(id))
	}
	freed := p.dead
	p.dead = nil
	return freed
}

// frequency is the number of live chunks in a list.
func (p *postings) frequency(list []posting) int {
	if len(p.dead) == 0 {
		return len(list)
	}
	n := 0
	for _, e := range list {
		if p.lengths[e.slot()] != 0 {
			n++
		}
	}
	return n
}

// scores holds the BM25 score of every chunk for one query.
type scores struct {
	value   []float32
	touched []rank.Slot
	fair    float64 // what a chunk of average length gets that has every word of the question once
}

// score ranks all chunks for a question. Give the result back with release.
//
// The words of the question count by BM25, and so do, for less, the words that
// are written like them: those of a word that occurs only beside others, those
// of one that occurs nowhere also by themselves.
func (p *postings) score(ctx context.Context, q question) (*scores, error) {
	q = p.bounded(q)
	kin, instead, err := p.kindred(ctx, q.content)
	if err != nil {
		return nil, err
	}
	sc := p.blank()
	average := float64(p.total) / float64(max(p.live, 1))
	sc.fair = 0
	for t, weight := range q.content {
		sc.fair += p.idf(t) * weight
	}
	for _, part := range []struct {
		weights map[string]float64
		touch   bool
	}{{q.content, true}, {instead, true}, {kin, false}, {q.support, false}} {
		for _, t := range slices.Sorted(maps.Keys(part.weights)) {
			if err := ctx.Err(); err != nil {
				p.release(sc)
				return nil, err
			}
			p.accumulate(sc, p.list(t), p.idf(t)*part.weights[t], average, part.touch)
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

// bounded leaves out the commonest of too many words. Those that occur nowhere
// stay: the answer does without them.
func (p *postings) bounded(q question) question {
	return question{content: p.rarest(q.content), support: p.rarest(q.support)}
}

func (p *postings) rarest(weights map[string]float64) map[string]float64 {
	if len(weights) <= mostTerms {
		return weights
	}
	known := slices.DeleteFunc(slices.Collect(maps.Keys(weights)), func(t string) bool { return len(p.list(t)) == 0 })
	slices.SortFunc(known, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(p.list(a)), len(p.list(b))), cmp.Compare(a, b))
	})
	rarest := maps.Clone(weights)
	for _, t := range known[min(len(known), mostTerms):] {
		delete(rarest, t)
	}
	return rarest
}

func (p *postings) list(term string) []posting {
	if id := findTerm(p.terms, term); id != noTerm {
		return p.lists[id]
	}
	return nil
}

// idf is the inverse document frequency, of BM25, over the live chunks.
func (p *postings) idf(term string) float64 {
	df := float64(p.frequency(p.list(term)))
	return math.Log(1 + (float64(p.live)-df+0.5)/(df+0.5))
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
func (p *postings) kindred(ctx context.Context, content map[string]float64) (kin, instead map[string]float64, err error) {
	kin, instead = make(map[string]float64), make(map[string]float64)
	for _, t := range p.telling(content) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		weight, known, idf := content[t], p.knows(t), p.idf(t)
		for _, k := range p.words.like(t) {
			u := p.terms.names[k.id]
			if content[u] > 0 || isFunction(u) || !p.knows(u) || !sameDigits(t, u) {
				continue
			}
			part := weight * kinPart * k.similarity
			switch {
			case known:
				kin[u] = max(kin[u], part*min(1, idf/p.idf(u)))
			case isMeant(t, u):
				instead[u] = max(instead[u], weight*misspelt*k.similarity)
			case k.similarity >= closeKin && isDerived(t, u):
				instead[u] = max(instead[u], part)
			}
		}
	}
	return kin, instead, nil
}

// telling lists the words of which others may be kin, the weightiest when there
// are too many.
func (p *postings) telling(content map[string]float64) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(content)), func(t string) bool { return !mayHaveKin(t) })
	if len(words) <= mostKindred {
		return words
	}
	worth := make(map[string]float64, len(words))
	for _, t := range words {
		worth[t] = content[t] * p.idf(t)
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth[b], worth[a]) })
	return words[:mostKindred]
}

// accumulate adds what the chunks of a list get for one term. Without touch it
// adds to chunks that have a score already.
func (p *postings) accumulate(sc *scores, list []posting, weight, average float64, touch bool) {
	base, slope := bm25K1*(1-bm25B), bm25K1*bm25B/average
	for _, e := range list {
		s, tf := e.slot(), e.tf()
		length := p.lengths[s]
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

func (p *postings) blank() *scores {
	sc, ok := p.scratch.Get().(*scores)
	if !ok {
		sc = &scores{}
	}
	if len(sc.value) < len(p.lengths) {
		sc.value = make([]float32, len(p.lengths)+len(p.lengths)/8)
	}
	return sc
}

func (p *postings) release(sc *scores) {
	for _, s := range sc.touched {
		sc.value[s] = 0
	}
	sc.touched = sc.touched[:0]
	p.scratch.Put(sc)
}

// at is the score of one chunk, 0 when no term matched.
func (sc *scores) at(s rank.Slot) float64 {
	if int(s) >= len(sc.value) {
		return 0
	}
	return float64(sc.value[s])
}

// top returns the best k chunks of those to keep, best first, one of those that
// have the same wording.
func (sc *scores) top(k int, keep rank.Filter, chunks rank.Chunks) []rank.Hit {
	best := rank.NewBest(k, chunks)
	for _, s := range sc.touched {
		if keep.Has(s) {
			best.Offer(rank.Hit{Slot: s, Score: float64(sc.value[s])})
		}
	}
	return best.Hits()
}
