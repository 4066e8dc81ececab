package ranking

import (
	"context"
	"slices"
	"sync"
	"unicode"

	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
	"vademecum/internal/base/script"
)

// Phrasing is a phrasing of a question with its terms.
type Phrasing struct {
	search.Phrasing
	Terms    analysis.Question
	spaced   float64    // share of the text in scripts with spaces
	list     []rank.Hit // most similar chunks, if the vectors are those of a model
	writing  *unicode.RangeTable
	language script.Language
	group    int // group of its language: see groupByLanguage
}

// AnalysePhrasings analyses phrasings: it determines their terms, scripts and languages.
func AnalysePhrasings(phrasings []search.Phrasing) []Phrasing {
	all := make([]Phrasing, len(phrasings))
	for i, p := range phrasings {
		all[i] = Phrasing{Phrasing: p, Terms: analysis.NewQuestion(p.Text), spaced: analysis.SpacedScriptShare(p.Text), writing: writingOf(p.Text), language: script.LanguageOf(p.Text)}
		if p.ScoreReference != nil {
			all[i].Terms.ReferenceStatistics = &p.ScoreReference.Statistics
		}
	}
	return all
}

// recallState is the state of a question in the recall stages.
type recallState struct {
	*Corpus
	phrasings []Phrasing
	keep      rank.Filter
	wanted    int
	yield     func() error
	found     search.Result

	chunks []recalledChunk              // found chunks, each once
	groups []hashGroup                  // chunks with the same content hash
	hashes map[rank.ChunkTextHash]int32 // for each content hash, the index of its group in groups
	lists  []phrasingMatches            // by phrasing
	fused  []fusedChunk                 // chunks with their scores
	order  []int32                      // indexes in fused, best chunk first
	held   map[*search.Document]lexical.WordSet
	directoryScores
}

// recalledChunk is a found chunk, with the indexes of its group and of the next chunk in the group.
type recalledChunk struct {
	slot        rank.Slot
	group, next int32
}

// hashGroup holds the chunks with the same content hash, which share their ranks.
type hashGroup struct {
	first, last             int32 // first and last of its chunks
	phrasing                int   // last phrasing that found it, counted from 1
	lexicalRank, vectorRank int   // ranks for that phrasing
	candidate               int32 // candidate that represents it, counted from 1; 0 if none
}

// phrasingMatch is a chunk that a phrasing found. Scores are raw: BM25 and cosine. Ranks count
// from 1; 0 means that the chunk is not among the best of the list.
type phrasingMatch struct {
	chunk                   int32 // index in recallState.chunks
	lexical, cosine         float64
	words                   float64 // BM25 without the score for coverage
	name, heading, folder   float64 // scores of names, see lexical.Scores
	document                float64 // share of the question's words in its document
	lexicalRank, vectorRank int
	unembedded              bool // the chunk has no vector to compare
}

// phrasingMatches holds the chunks that one phrasing found.
type phrasingMatches struct {
	all     []phrasingMatch
	fair    float64 // lexical score of a chunk with every word of the phrasing
	covered float64 // share of fair that the best chunk has
}

var recalls = sync.Pool{New: func() any {
	return &recallState{hashes: make(map[rank.ChunkTextHash]int32), held: make(map[*search.Document]lexical.WordSet), directoryScores: directoryScores{numbers: make(map[*search.Document]int32), sums: make(map[Directory]float64)}}
}}

// Search fuses the chunks found by all phrasings into one list, best first, and returns the share
// of the words of a phrasing that the best chunk covers: 1 means like a chunk of average length
// with each of them once. Only chunks selected by keep are included. If the words find fewer than
// wanted, related chunks follow. Between two phrasings it calls yield, and stops if that fails.
func (c *Corpus) Search(ctx context.Context, phrasings []Phrasing, keep rank.Filter, wanted int, yield func() error) (search.Result, error) {
	r := recalls.Get().(*recallState)
	defer r.release()
	r.Corpus, r.phrasings, r.keep, r.wanted, r.yield, r.found = c, phrasings, keep, wanted, yield, search.NewResult()
	for _, stage := range recallStages {
		if err := stage(ctx, r); err != nil {
			r.found.Release()
			return search.Result{}, err
		}
	}
	return r.found, nil
}

func (r *recallState) release() {
	clear(r.hashes)
	clear(r.held)
	r.directoryScores.clear()
	*r = recallState{
		chunks: r.chunks[:0], groups: r.groups[:0], hashes: r.hashes, lists: r.lists, fused: r.fused[:0], order: r.order[:0], held: r.held, directoryScores: r.directoryScores,
	}
	recalls.Put(r)
}

// findSimilar sets the vector list of each phrasing, if the vectors are those of a model.
func findSimilar(ctx context.Context, r *recallState) error {
	if !r.HasSemanticVectors {
		return nil
	}
	lists, err := r.compareVectors(ctx, r.phrasings, listDepth, r.keep)
	for i, hits := range lists {
		r.phrasings[i].list = hits
	}
	return err
}

// compareVectors finds the k chunks with the most similar vectors for each phrasing, all in one pass. A
// phrasing without a vector gets none.
func (c *Corpus) compareVectors(ctx context.Context, phrasings []Phrasing, k int, keep rank.Filter) ([][]rank.Hit, error) {
	all, queries, of := make([][]rank.Hit, len(phrasings)), [][]float32(nil), []int(nil)
	for i, p := range phrasings {
		// otherwise see phrasingMatch, or the query was cancelled
		if vector.CanCompare(c.Vectors, p.Vector) {
			queries, of = append(queries, p.Vector), append(of, i)
		}
	}
	lists, err := c.Vectors.TopK(ctx, queries, k, keep, c.ChunkSource)
	if err != nil {
		return nil, err
	}
	for n, hits := range lists {
		all[of[n]] = hits
	}
	return all, nil
}

// findWords matches each phrasing by words and names, and by its vector list if it has one.
func findWords(ctx context.Context, r *recallState) error {
	for len(r.lists) < len(r.phrasings) {
		r.lists = append(r.lists, phrasingMatches{})
	}
	r.lists = r.lists[:len(r.phrasings)]
	for i := range r.phrasings {
		if i > 0 {
			if err := r.yield(); err != nil {
				return err
			}
		}
		if err := r.findMatches(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// findMatches finds the chunks that match a phrasing best: every chunk that is among the best by words
// or among the best by vectors, with both of its scores. Copies of a chunk share a rank. Of these it
// finds the best one, and those that other phrasings have found, so that these have a score for this
// phrasing too.
//
// The built-in vectors are compared only for the chunks found by words: chunks that are worded like
// the question have been found by then, and the others are noise if the words find enough. If they
// do not, see addRelated.
func (r *recallState) findMatches(ctx context.Context, i int) error {
	p, list := r.phrasings[i], &r.lists[i]
	list.all = list.all[:0]
	if p.Vector != nil && !vector.CanCompare(r.Vectors, p.Vector) {
		p.Vector = nil // the vectors in the index are of another model with the same name
	}
	sc, err := r.Postings.Score(ctx, p.Terms)
	if err != nil {
		return err
	}
	defer r.Postings.Release(sc)
	worded, err := sc.TopK(ctx, listDepth, r.keep, r.ChunkSource)
	if err != nil {
		return err
	}
	for rank, h := range rank.WithRanks(worded) {
		r.addMatch(i, h.Slot).lexicalRank = rank
	}
	r.addNamedMatches(i, sc)
	cosine := r.cosineWith(p)
	addCosines(list.all, r.chunks, cosine)
	before := len(list.all)
	for rank, h := range rank.WithRanks(r.similarHits(p, list.all)) {
		r.addMatch(i, h.Slot).vectorRank = rank
	}
	addCosines(list.all[before:], r.chunks, cosine)
	for n := range list.all {
		r.fillScores(&list.all[n], sc)
	}
	r.addDocumentShares(list.all, sc)
	list.fair, list.covered = sc.FullMatchScore, 0
	for _, m := range list.all {
		list.covered = max(list.covered, ShareOfBest(m.words, sc.FullMatchScore))
	}
	r.found.BestCoverage = max(r.found.BestCoverage, list.covered)
	r.found.Expansions = slices.Grow(r.found.Expansions, len(sc.Expansions))
	for _, a := range sc.Expansions {
		r.found.Expansions = append(r.found.Expansions, search.Expansion(a))
	}
	if p.WithScoreReference {
		r.found.ScoreReferences = append(r.found.ScoreReferences, search.ScoreReference{Statistics: sc.Statistics(), BestCoverage: list.covered})
	}
	for forms, weight := range sc.TermFormsWithWeights() {
		r.found.Words = append(r.found.Words, search.Word{Forms: forms, Weight: p.Weight * weight, PhrasingIndex: i})
	}
	return nil
}

// addMatch adds a chunk to the matches of a phrasing, and returns its group.
func (r *recallState) addMatch(phrasing int, s rank.Slot) *hashGroup {
	list, w := &r.lists[phrasing], r.ContentHash(s)
	n, known := r.hashes[w]
	if !known {
		n = int32(len(r.groups))
		r.hashes[w] = n
		r.groups = append(r.groups, hashGroup{first: none, last: none})
	}
	g, isKnown := &r.groups[n], false
	isNew := g.phrasing != phrasing+1
	if isNew {
		g.phrasing, g.lexicalRank, g.vectorRank = phrasing+1, 0, 0
	}
	for c := g.first; c != none; c = r.chunks[c].next {
		if isNew {
			list.all = append(list.all, phrasingMatch{chunk: c})
		}
		isKnown = isKnown || r.chunks[c].slot == s
	}
	if isKnown {
		return g
	}
	c := int32(len(r.chunks))
	r.chunks = append(r.chunks, recalledChunk{slot: s, group: n, next: none})
	if g.first == none {
		g.first = c
	} else {
		r.chunks[g.last].next = c
	}
	g.last = c
	list.all = append(list.all, phrasingMatch{chunk: c})
	return g
}

// none is an index that means no chunk.
const none = -1

// addNamedMatches adds chunks with matching names that words may not have found: those below a
// matching heading, and the best of each document whose name or folder matches.
func (r *recallState) addNamedMatches(phrasing int, sc *lexical.Scores) {
	for _, h := range sc.TopByHeadings(namedDepth, r.keep, r.ChunkSource) {
		r.addMatch(phrasing, h.Slot)
	}
	for _, h := range sc.TopDocumentsByName(namedDepth, r.keep, r.ChunkSource) {
		r.addMatch(phrasing, r.bestInDocument(sc, h.Slot))
	}
	for _, h := range sc.TopDocumentsByFolder(folderDepth, r.keep, r.ChunkSource) {
		r.addMatch(phrasing, r.bestInDocument(sc, h.Slot))
	}
}

// cosineWith returns a function that computes the cosines of chunks with a phrasing.
func (r *recallState) cosineWith(p Phrasing) func(rank.Slot) (cosine float64, ok bool) {
	if p.Vector == nil {
		return func(rank.Slot) (float64, bool) { return 0, true }
	}
	return r.Vectors.Compare(p.Vector)
}

func addCosines(all []phrasingMatch, chunks []recalledChunk, cosine func(rank.Slot) (float64, bool)) {
	for i := range all {
		c, ok := cosine(chunks[all[i].chunk].slot)
		all[i].cosine, all[i].unembedded = c, !ok
	}
}

// fillScores sets the scores of a chunk for words and names, and the ranks of its group.
func (r *recallState) fillScores(m *phrasingMatch, sc *lexical.Scores) {
	c := r.chunks[m.chunk]
	s, first := c.slot, r.DocumentSlotsOf(c.slot)[0]
	m.lexical, m.words = sc.ScoreAt(s), sc.WordScore(s)
	m.name, m.heading, m.folder = sc.NameScore(first), sc.HeadingScore(s), sc.FolderScore(first)
	m.lexicalRank, m.vectorRank = r.groups[c.group].lexicalRank, r.groups[c.group].vectorRank
}

// similarHits returns the chunks with the most similar vectors for a phrasing. If the vectors do not
// represent meanings, only the chunks found by words (worded) are compared.
func (r *recallState) similarHits(p Phrasing, worded []phrasingMatch) []rank.Hit {
	if p.Vector == nil || r.Vectors.Len() == 0 {
		return nil
	}
	if r.HasSemanticVectors {
		return p.list
	}
	best := rank.NewTopHits(listDepth, r.ChunkSource)
	for _, m := range worded {
		if !m.unembedded {
			best.Add(rank.Hit{Slot: r.chunks[m.chunk].slot, Score: m.cosine})
		}
	}
	return best.Hits()
}

// addDocumentShares sets for each match the share of the question's words in its document, which is
// unknown for a long question.
func (r *recallState) addDocumentShares(all []phrasingMatch, sc *lexical.Scores) {
	if !sc.RecordsChunkWords() {
		return
	}
	clear(r.held)
	for _, m := range all {
		s := r.chunks[m.chunk].slot
		r.held[r.Chunk(s).Document] |= sc.WordsOfChunk(s)
	}
	for i := range all {
		m := &all[i]
		m.document = sc.CoveredShare(r.held[r.Chunk(r.chunks[m.chunk].slot).Document])
	}
}
