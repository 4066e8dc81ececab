package index

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// phrasing is one wording of a question, analysed and embedded.
type phrasing struct {
	weight float64
	terms  lexical.Question
	vector []float32 // nil when there is none: the lexical list answers alone
	spaced float64   // share of its letters that are of writing with spaces
}

// match is a chunk that a phrasing found. Scores are raw: BM25 and cosine.
// Ranks count from 1; 0 says that the chunk is not among the best of the list.
type match struct {
	slot                    rank.Slot
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
// rest is noise where the words find enough. Where they do not, see related.
func (st *store) match(ctx context.Context, p phrasing, keep rank.Filter, copies map[rank.Wording][]rank.Slot) (matches, error) {
	if p.vector != nil && !vector.Fits(st.vectors, p.vector) {
		p.vector = nil // another model answers to the name: see attach
	}
	sc, err := st.postings.Score(ctx, p.terms)
	if err != nil {
		return matches{}, err
	}
	defer st.postings.Release(sc)
	ranks := make(map[rank.Wording]*match)
	var order []rank.Slot
	note := func(hits []rank.Hit, rankOf func(*match) *int) {
		for place, h := range rank.Ranks(hits) {
			w := st.Wording(h.Slot)
			if ranks[w] == nil {
				ranks[w] = &match{}
				order = append(order, copies[w]...)
			}
			*rankOf(ranks[w]) = place
			if !slices.Contains(copies[w], h.Slot) {
				copies[w] = append(copies[w], h.Slot)
				order = append(order, h.Slot)
			}
		}
	}
	note(sc.Top(listDepth, keep, st.memory), func(m *match) *int { return &m.lexicalRank })
	hits, err := st.similar(ctx, p, order, keep)
	if err != nil {
		return matches{}, err
	}
	note(hits, func(m *match) *int { return &m.vectorRank })
	all := make([]match, len(order))
	for i, s := range order {
		m := *ranks[st.Wording(s)]
		m.slot, m.lexical = s, sc.At(s)
		if p.vector != nil {
			cosine, ok := st.vectors.Cosine(p.vector, s)
			m.cosine, m.bare = cosine, !ok
		}
		all[i] = m
	}
	return matches{all, sc.Fair}, nil
}

// similar is the vector list of a phrasing.
func (st *store) similar(ctx context.Context, p phrasing, worded []rank.Slot, keep rank.Filter) ([]rank.Hit, error) {
	if p.vector == nil || st.vectors.Len() == 0 {
		return nil, nil
	}
	if !st.builtin {
		return st.vectors.Top(ctx, p.vector, listDepth, keep, st.memory)
	}
	best := rank.NewBest(listDepth, st.memory)
	for _, s := range worded {
		if cosine, ok := st.vectors.Cosine(p.vector, s); ok {
			best.Offer(rank.Hit{Slot: s, Score: cosine})
		}
	}
	return best.Hits(), nil
}

// unknown lists the words of a question that occur nowhere.
func (st *store) unknown(question string) []string {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.postings.Unknown(question)
}

// Wording returns what the chunk at a slot says.
func (m *memory) Wording(s rank.Slot) rank.Wording { return m.chunks[s].wording }

// Compare orders the chunks at two slots by their places.
func (m *memory) Compare(a, b rank.Slot) int { return comparePlaces(m.chunks[a], m.chunks[b]) }

// comparePlaces compares folder, path and position.
func comparePlaces(a, b chunk) int {
	return cmp.Or(
		cmp.Compare(a.document.folder, b.document.folder),
		cmp.Compare(a.document.Path, b.document.Path),
		cmp.Compare(a.number, b.number))
}

// candidate is a chunk with its fused score, copied out of the store.
type candidate struct {
	chunk
	score                   float64
	lexicalRank, vectorRank int  // the best over all phrasings
	related                 bool // it has no word of the question, but parts of some
}

// search fuses what all phrasings find into one list, best first, and tells how
// much of the words of one the best chunk has: 1 is that of a chunk of average
// length with each of them once. Only documents that are meant may answer. Where
// the words find fewer chunks than wanted, related ones follow.
//
// Between two phrasings others may write. When they do, what was found is void,
// and all is done again without letting anyone in.
func (st *store) search(ctx context.Context, phrasings []phrasing, meant map[location]bool, wanted int) (found []candidate, covered float64, err error) {
	found, covered, err = st.searchOnce(ctx, phrasings, meant, wanted, true)
	if errors.Is(err, errWritten) {
		return st.searchOnce(ctx, phrasings, meant, wanted, false)
	}
	return found, covered, err
}

// errWritten says that memory has changed meanwhile.
var errWritten = errors.New("the index has changed")

func (st *store) searchOnce(ctx context.Context, phrasings []phrasing, meant map[location]bool, wanted int, yielding bool) (found []candidate, covered float64, err error) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	keep, written := st.filter(meant), st.written
	lists, copies := make([]matches, len(phrasings)), make(map[rank.Wording][]rank.Slot)
	yield := func() error {
		if !yielding {
			return nil
		}
		st.mu.RUnlock()
		err := ctx.Err()
		st.mu.RLock() // after those who wait to write
		if err == nil && st.written != written {
			err = errWritten
		}
		return err
	}
	for i, p := range phrasings {
		if i > 0 {
			if err := yield(); err != nil {
				return nil, 0, err
			}
		}
		if lists[i], err = st.match(ctx, p, keep, copies); err != nil {
			return nil, 0, err
		}
		lexical, _ := best(lists[i].all)
		covered = max(covered, share(lexical, lists[i].fair))
	}
	fused := fuse(phrasings, lists, st.builtin)
	candidates := make([]candidate, len(fused))
	for i, f := range fused {
		candidates[i] = candidate{chunk: st.chunks[f.slot], score: f.score, lexicalRank: f.lexicalRank, vectorRank: f.vectorRank}
	}
	sortCandidates(candidates)
	if candidates = withoutCopies(candidates); !st.builtin || len(candidates) >= wanted {
		return candidates, covered, nil
	}
	related, err := st.related(ctx, phrasings, keep, wanted, candidates, yield)
	return append(candidates, related...), covered, err
}

// leastRelated is how similar to a question a chunk must be that has no word of
// it. Of 2,700 beginnings and single words of other collections' questions, of
// which five collections have next to nothing, four find a chunk with .30 or more,
// and one in a hundred has .23 to .28. A short note with "Blutdruck" has .36 for
// "Blutdruckmessgerät", one with "tax" .33 for "taxation". With vectors of half the
// length one in a hundred has .30 to .36, and the two cannot be told apart.
const leastRelated = 0.3

// related lists the chunks that the vectors find where the words find fewer than
// wanted: those that have parts of the words, as compounds and derived words do.
// They stand below what the words have found, whatever that is worth. None has a
// word that looks like one of the question and is another.
func (st *store) related(ctx context.Context, phrasings []phrasing, keep rank.Filter, wanted int, found []candidate, yield func() error) ([]candidate, error) {
	least, known := 1.0, make(map[rank.Wording]bool)
	for _, c := range found {
		least, known[c.wording] = c.score, true
	}
	total, others := 0.0, make(map[rank.Slot]bool)
	for _, p := range phrasings {
		total += p.weight
		maps.Copy(others, st.postings.Lookalikes(p.terms))
	}
	var all []candidate
	for _, p := range phrasings {
		if p.vector == nil { // the question was given up
			continue
		}
		if err := yield(); err != nil {
			return nil, err
		}
		hits, err := st.vectors.Top(ctx, p.vector, wanted, keep, st.memory)
		if err != nil {
			return nil, err
		}
		for place, h := range rank.Ranks(hits) {
			if c := st.chunks[h.Slot]; h.Score >= leastRelated && !known[c.wording] && !others[h.Slot] {
				score := builtinPart * h.Score * p.weight / total
				all = append(all, candidate{chunk: c, score: min(least, score), vectorRank: place, related: true})
			}
		}
	}
	sortCandidates(all)
	all = withoutCopies(all)
	return all[:min(len(all), wanted-len(found))], nil
}

// withoutCopies keeps the best of those that have the same wording, with the
// ranks that they share.
func withoutCopies(candidates []candidate) []candidate {
	first := make(map[rank.Wording]int)
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
func (st *store) copies(of map[rank.Wording]bool, meant map[location]bool) []chunk {
	st.mu.RLock()
	defer st.mu.RUnlock()
	keep := st.filter(meant)
	var found []chunk
	for s := range st.chunks {
		c := &st.chunks[s]
		if of[c.wording] && c.document != nil && keep.Has(rank.Slot(s)) {
			found = append(found, *c)
		}
	}
	slices.SortFunc(found, comparePlaces)
	return found
}

// filter admits the chunks of the documents that are meant, nil when all are.
func (m *memory) filter(meant map[location]bool) rank.Filter {
	if meant == nil {
		return nil
	}
	f := rank.NewFilter(len(m.chunks))
	for at := range meant {
		if d := m.documents[at]; d != nil {
			for _, s := range d.slots {
				f.Add(s)
			}
		}
	}
	return f
}
