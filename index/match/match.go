package match

import (
	"cmp"
	"context"
	"slices"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// Phrasing is one that is analysed.
type Phrasing struct {
	search.Phrasing
	Terms  lexical.Question
	spaced float64    // share of its letters that are of writing with spaces
	list   []rank.Hit // the most similar chunks, where the vectors are those of a model
}

// Analyse takes phrasings apart.
func Analyse(phrasings []search.Phrasing) []Phrasing {
	all := make([]Phrasing, len(phrasings))
	for i, p := range phrasings {
		all[i] = Phrasing{Phrasing: p, Terms: lexical.NewQuestion(p.Text), spaced: lexical.SpacedShare(p.Text)}
	}
	return all
}

// match is a chunk that a phrasing found. Scores are raw: BM25 and cosine.
// Ranks count from 1; 0 says that the chunk is not among the best of the list.
type match struct {
	slot                    rank.Slot
	lexical, cosine         float64
	words                   float64 // BM25 without the part of coverage
	name, heading, folder   float64 // see lexical.Scores
	document                float64 // the share of the question that its document has
	lexicalRank, vectorRank int
	bare                    bool // it has no vector to compare
}

// matches are the chunks that one phrasing found.
type matches struct {
	all  []match
	fair float64 // the lexical score of a chunk that has every word of the question

	alike []lexical.Alike
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
// Of vectors that know no meanings only those of the chunks that the words found are
// compared: what is written like the question has been found by then, and the
// rest is noise where the words find enough. Where they do not, see related.
func (l *Library) match(ctx context.Context, p Phrasing, keep rank.Filter, copies map[rank.Wording][]rank.Slot) (matches, error) {
	if p.Vector != nil && !vector.Fits(l.Vectors, p.Vector) {
		p.Vector = nil // another model answers to the name: see attach
	}
	sc, err := l.Postings.Score(ctx, p.Terms)
	if err != nil {
		return matches{}, err
	}
	defer l.Postings.Release(sc)
	ranks := make(map[rank.Wording]*match)
	var order []rank.Slot
	note := func(hits []rank.Hit, rankOf func(*match) *int) {
		for place, h := range rank.Ranks(hits) {
			w := l.Wording(h.Slot)
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
	worded, err := sc.Top(ctx, listDepth, keep, l.Holder)
	if err != nil {
		return matches{}, err
	}
	note(worded, func(m *match) *int { return &m.lexicalRank })
	note(l.named(sc, keep), func(*match) *int { return new(int) })
	cosine := l.cosine(p)
	all := cosines(cosine, order)
	note(l.similar(p, all), func(m *match) *int { return &m.vectorRank })
	all = append(all, cosines(cosine, order[len(all):])...)
	for i := range all {
		l.fill(&all[i], ranks[l.Wording(all[i].slot)], sc)
	}
	l.addDocuments(all, sc)
	return matches{all, sc.Fair, sc.Alike}, nil
}

// cosine compares chunks with a phrasing.
func (l *Library) cosine(p Phrasing) func(rank.Slot) (cosine float64, ok bool) {
	if p.Vector == nil {
		return func(rank.Slot) (float64, bool) { return 0, true }
	}
	return l.Vectors.Compare(p.Vector)
}

func cosines(cosine func(rank.Slot) (float64, bool), slots []rank.Slot) []match {
	all := make([]match, len(slots))
	for i, s := range slots {
		c, ok := cosine(s)
		all[i] = match{slot: s, cosine: c, bare: !ok}
	}
	return all
}

// How many are looked at of what is called as the question asks. With twice as many
// documents and headings nothing changed on real folders; a folder is asked for when
// all in it may be meant.
const (
	namedDepth  = 50
	folderDepth = 10
)

// named lists chunks that are called what was asked, and that their words may not
// have found: those below such a heading, and the best of each document that has
// such a name or such a folder.
func (l *Library) named(sc *lexical.Scores, keep rank.Filter) []rank.Hit {
	hits := sc.TopHeadings(namedDepth, keep, l.Holder)
	documents := append(sc.TopNames(namedDepth, keep, l.Holder), sc.TopFolders(folderDepth, keep, l.Holder)...)
	for _, h := range documents {
		hits = append(hits, rank.Hit{Slot: l.bestOf(sc, h.Slot), Score: h.Score})
	}
	return hits
}

// fill notes what the words and names of a chunk have of a question, and the ranks of
// its wording.
func (l *Library) fill(m *match, ranked *match, sc *lexical.Scores) {
	s, first := m.slot, l.SlotsOf(m.slot)[0]
	m.lexical, m.words = sc.At(s), sc.Words(s)
	m.name, m.heading, m.folder = sc.Name(first), sc.Heading(s), sc.Folder(first)
	m.lexicalRank, m.vectorRank = ranked.lexicalRank, ranked.vectorRank
}

// similar is the vector list of a phrasing, made of what its words found where the
// vectors know no meanings.
func (l *Library) similar(p Phrasing, worded []match) []rank.Hit {
	if p.Vector == nil || l.Vectors.Len() == 0 {
		return nil
	}
	if l.Semantic {
		return p.list
	}
	best := rank.NewBest(listDepth, l.Holder)
	for _, m := range worded {
		if !m.bare {
			best.Offer(rank.Hit{Slot: m.slot, Score: m.cosine})
		}
	}
	return best.Hits()
}

// listSimilar gives each phrasing the list that similar is to return, where the
// vectors are those of a model.
func (l *Library) listSimilar(ctx context.Context, phrasings []Phrasing, keep rank.Filter) error {
	if !l.Semantic {
		return nil
	}
	lists, err := l.compare(ctx, phrasings, listDepth, keep)
	for i, hits := range lists {
		phrasings[i].list = hits
	}
	return err
}

// compare lists for each phrasing the chunks whose vectors are most similar to its
// own, for all of them at once. One that has no vector gets nothing.
func (l *Library) compare(ctx context.Context, phrasings []Phrasing, k int, keep rank.Filter) ([][]rank.Hit, error) {
	all, queries, of := make([][]rank.Hit, len(phrasings)), [][]float32(nil), []int(nil)
	for i, p := range phrasings {
		if vector.Fits(l.Vectors, p.Vector) { // else see match, or the question was given up
			queries, of = append(queries, p.Vector), append(of, i)
		}
	}
	lists, err := l.Vectors.Top(ctx, queries, k, keep, l.Holder)
	if err != nil {
		return nil, err
	}
	for n, hits := range lists {
		all[of[n]] = hits
	}
	return all, nil
}

// Search fuses what all phrasings find into one list, best first, and tells how
// much of the words of one the best chunk has: 1 is that of a chunk of average
// length with each of them once. Only chunks to keep may answer. Where the words find
// fewer than wanted, related ones follow. Between two phrasings it yields, and ends
// when that fails.
func (l *Library) Search(ctx context.Context, phrasings []Phrasing, keep rank.Filter, wanted int, yield func() error) (found search.Found, err error) {
	lists, copies := make([]matches, len(phrasings)), make(map[rank.Wording][]rank.Slot)
	if err := l.listSimilar(ctx, phrasings, keep); err != nil {
		return found, err
	}
	for i, p := range phrasings {
		if i > 0 {
			if err := yield(); err != nil {
				return found, err
			}
		}
		if lists[i], err = l.match(ctx, p, keep, copies); err != nil {
			return found, err
		}
		for _, m := range lists[i].all {
			found.Covered = max(found.Covered, Share(m.words, lists[i].fair))
		}
		for _, a := range lists[i].alike {
			found.Alike = append(found.Alike, search.Alike(a))
		}
	}
	fused := l.fuse(phrasings, lists)
	l.addCompany(fused)
	if found.Candidates = l.asCandidates(fused); l.Semantic || len(found.Candidates) >= wanted {
		return found, nil
	}
	related, err := l.related(ctx, phrasings, keep, wanted, found.Candidates, yield)
	found.Candidates = append(found.Candidates, related...)
	return found, err
}

// asCandidates lists what was fused, best first, without copies. They are put in
// order before they are made, as they are long.
func (l *Library) asCandidates(all []fused) []search.Candidate {
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		if c := cmp.Compare(all[j].score, all[i].score); c != 0 {
			return c // most scores differ; to compare paths takes longer
		}
		return l.Compare(all[i].slot, all[j].slot)
	})
	candidates := make([]search.Candidate, len(all))
	for n, i := range order {
		f := &all[i]
		candidates[n] = search.Candidate{Chunk: *l.Chunk(f.slot), Score: f.score, Parts: f.parts, LexicalRank: f.lexicalRank, VectorRank: f.vectorRank}
	}
	return withoutCopies(candidates)
}

// LeastRelated is how similar to a question a chunk must be that has no word of
// it. Of 2,700 beginnings and single words of other collections' questions, of
// which five collections have next to nothing, four find a chunk with .30 or more,
// and one in a hundred has .23 to .28. A short note with "Blutdruck" has .36 for
// "Blutdruckmessgerät", one with "tax" .33 for "taxation". With vectors of half the
// length one in a hundred has .30 to .36, and the two cannot be told apart.
const LeastRelated = 0.3

// related lists the chunks that the vectors find where the words find fewer than
// wanted: those that have parts of the words, as compounds and derived words do.
// They stand below what the words have found, whatever that is worth. None has a
// word that looks like one of the question and is another.
func (l *Library) related(ctx context.Context, phrasings []Phrasing, keep rank.Filter, wanted int, found []search.Candidate, yield func() error) ([]search.Candidate, error) {
	least, known := 1.0, make(map[rank.Wording]bool)
	for _, c := range found {
		least, known[c.Wording] = c.Score, true
	}
	total, others := 0.0, rank.NewFilter(l.Postings.Slots())
	for _, p := range phrasings {
		total += p.Weight
		l.Postings.AddLookalikes(others, p.Terms)
	}
	var all []search.Candidate
	if err := yield(); err != nil {
		return nil, err
	}
	lists, err := l.compare(ctx, phrasings, wanted, keep)
	if err != nil {
		return nil, err
	}
	for i, p := range phrasings {
		for place, h := range rank.Ranks(lists[i]) {
			if c := l.Chunk(h.Slot); h.Score >= LeastRelated && !known[c.Wording] && !others.Has(h.Slot) {
				score := l.Weight * h.Score * p.Weight / total
				all = append(all, search.Candidate{Chunk: *c, Score: min(least, score), VectorRank: place, Related: true})
			}
		}
	}
	search.Sort(all)
	all = withoutCopies(all)
	return all[:min(len(all), wanted-len(found))], nil
}
