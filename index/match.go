package index

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
)

// phrasing is one wording of a question, analysed and embedded.
type phrasing struct {
	weight float64
	terms  question
	vector []float32 // nil when there is none: the lexical list answers alone
	spaced float64   // share of its letters that are of writing with spaces
}

// match is a chunk that a phrasing found. Scores are raw: BM25 and cosine.
// Ranks count from 1; 0 says that the chunk is not among the best of the list.
type match struct {
	slot                    slot
	lexical, cosine         float64
	lexicalRank, vectorRank int
	bare                    bool // it has no vector to compare
}

// matches are the chunks that one phrasing found.
type matches struct {
	all  []match
	fair float64 // the lexical score of a chunk that has every word of the question
}

// listDepth is how many chunks each ranked list gives to fusion, copies counted
// once.
const listDepth = 200

// match runs one phrasing against both lists. The result holds every chunk
// that is among the best of either, with its scores in both. Of copies, which
// share a place in a list, it holds those that are the best of a list, and
// those in copies, to which it adds them: so one that another phrasing has found
// has its score for this one too. The caller holds the lock.
//
// Of the built-in vectors only those of the chunks that the words found are
// compared: what is written like the question has been found by then, and the
// rest is noise.
func (st *store) match(ctx context.Context, p phrasing, allow func(slot) bool, copies map[wording][]slot) (matches, error) {
	if p.vector != nil && !st.vectors.fits(p.vector) {
		p.vector = nil // another model answers to the name: see attach
	}
	sc, err := st.postings.score(ctx, p.terms)
	if err != nil {
		return matches{}, err
	}
	defer st.postings.release(sc)
	ranks := make(map[wording]*match)
	var order []slot
	note := func(hits []hit, rankOf func(*match) *int) {
		for rank, h := range ranked(hits) {
			w := st.wording(h.slot)
			if ranks[w] == nil {
				ranks[w] = &match{}
				order = append(order, copies[w]...)
			}
			*rankOf(ranks[w]) = rank
			if !slices.Contains(copies[w], h.slot) {
				copies[w] = append(copies[w], h.slot)
				order = append(order, h.slot)
			}
		}
	}
	note(sc.top(listDepth, allow, st.order, st.wording), func(m *match) *int { return &m.lexicalRank })
	hits, err := st.similar(ctx, p, order, allow)
	if err != nil {
		return matches{}, err
	}
	note(hits, func(m *match) *int { return &m.vectorRank })
	all := make([]match, len(order))
	for i, s := range order {
		m := *ranks[st.wording(s)]
		m.slot, m.lexical = s, sc.at(s)
		if p.vector != nil {
			cosine, ok := st.vectors.similarity(p.vector, s)
			m.cosine, m.bare = cosine, !ok
		}
		all[i] = m
	}
	return matches{all, sc.fair}, nil
}

// similar is the vector list of a phrasing.
func (st *store) similar(ctx context.Context, p phrasing, worded []slot, allow func(slot) bool) ([]hit, error) {
	if p.vector == nil || st.vectors.count() == 0 {
		return nil, nil
	}
	if !st.builtin {
		return st.vectors.top(ctx, p.vector, listDepth, allow, st.order, st.wording)
	}
	best := newTopK(listDepth, st.order, st.wording)
	for _, s := range worded {
		if cosine, ok := st.vectors.similarity(p.vector, s); ok {
			best.offer(hit{s, cosine})
		}
	}
	return best.sorted(), nil
}

func (st *store) wording(s slot) wording { return st.chunks[s].wording }

// order is by place.
func (st *store) order(a, b slot) int { return comparePlaces(st.chunks[a], st.chunks[b]) }

// comparePlaces compares folder, path and position.
func comparePlaces(a, b chunk) int {
	return cmp.Or(
		cmp.Compare(a.document.folder, b.document.folder),
		cmp.Compare(a.document.path, b.document.path),
		cmp.Compare(a.number, b.number))
}

// ranked yields hits with their ranks, counted from 1. Equal scores share a
// rank, whatever the order of indexing was.
func ranked(hits []hit) iter.Seq2[int, hit] {
	return func(yield func(int, hit) bool) {
		rank := 0
		for i, h := range hits {
			if i == 0 || h.score != hits[i-1].score {
				rank = i + 1
			}
			if !yield(rank, h) {
				return
			}
		}
	}
}

// candidate is a chunk with its fused score, copied out of the store.
type candidate struct {
	chunk
	score                   float64
	lexicalRank, vectorRank int // the best over all phrasings
}

// search fuses what all phrasings find into one list, best first, and tells how
// much of the words of one the best chunk has: 1 is that of a chunk of average
// length with each of them once. admit, when not nil, decides which documents
// may answer.
//
// Between two phrasings others may write. When they do, what was found is void,
// and all is done again without letting anyone in.
func (st *store) search(ctx context.Context, phrasings []phrasing, admit func(*document) bool) (found []candidate, covered float64, err error) {
	found, covered, err = st.searchOnce(ctx, phrasings, admit, true)
	if errors.Is(err, errWritten) {
		return st.searchOnce(ctx, phrasings, admit, false)
	}
	return found, covered, err
}

// errWritten says that memory has changed meanwhile.
var errWritten = errors.New("the index has changed")

func (st *store) searchOnce(ctx context.Context, phrasings []phrasing, admit func(*document) bool, yielding bool) (found []candidate, covered float64, err error) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	allow, written := st.admitted(admit), st.written
	lists, copies := make([]matches, len(phrasings)), make(map[wording][]slot)
	for i, p := range phrasings {
		if yielding && i > 0 {
			st.mu.RUnlock()
			err = ctx.Err()
			st.mu.RLock() // after those who wait to write
			if err == nil && st.written != written {
				err = errWritten
			}
			if err != nil {
				return nil, 0, err
			}
		}
		if lists[i], err = st.match(ctx, p, allow, copies); err != nil {
			return nil, 0, err
		}
		lexical, _ := best(lists[i].all)
		covered = max(covered, share(lexical, lists[i].fair))
	}
	fused := fuse(phrasings, lists, st.builtin)
	candidates := make([]candidate, len(fused))
	for i, f := range fused {
		candidates[i] = candidate{st.chunks[f.slot], f.score, f.lexicalRank, f.vectorRank}
	}
	sortCandidates(candidates)
	return withoutCopies(candidates), covered, nil
}

// withoutCopies keeps the best of those that have the same wording, with the
// ranks that they share.
func withoutCopies(candidates []candidate) []candidate {
	first := make(map[wording]int)
	kept := candidates[:0]
	for _, c := range candidates {
		i, isCopy := first[c.wording]
		if !isCopy {
			first[c.wording] = len(kept)
			kept = append(kept, c)
			continue
		}
		best := &kept[i]
		best.lexicalRank, best.vectorRank = betterRank(best.lexicalRank, c.lexicalRank), betterRank(best.vectorRank, c.vectorRank)
	}
	return kept
}

// copies finds all chunks that have one of some wordings, in the order of
// their places.
func (st *store) copies(of map[wording]bool, admit func(*document) bool) []chunk {
	st.mu.RLock()
	defer st.mu.RUnlock()
	allow := st.admitted(admit)
	var found []chunk
	for s := range st.chunks {
		c := &st.chunks[s]
		if of[c.wording] && c.document != nil && (allow == nil || allow(slot(s))) {
			found = append(found, *c)
		}
	}
	slices.SortFunc(found, comparePlaces)
	return found
}

// admitted turns a rule over documents into one over slots, asking it once for
// each document.
func (st *store) admitted(admit func(*document) bool) func(slot) bool {
	if admit == nil {
		return nil
	}
	asked := make(map[*document]bool)
	return func(s slot) bool {
		d := st.chunks[s].document
		if d == nil {
			return false
		}
		answer, ok := asked[d]
		if !ok {
			answer = admit(d)
			asked[d] = answer
		}
		return answer
	}
}
