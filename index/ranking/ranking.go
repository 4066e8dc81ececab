package ranking

import (
	"context"
	"slices"
	"sync"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Question is the question for which passages are ranked.
type Question struct {
	Text                  string
	Phrasings             []search.Phrasing // phrasings of the question, first the Text itself
	Filter                search.Filter     // selects the documents that may answer
	PassagesPerPage       int               // number of passages on each page
	Page                  int               // from 0
	SingleLines           bool              // only a single line of each passage is shown
	MinScoreShare         float64           // minimum score relative to the best
	FewerIfSubjectUnknown bool              // fewer passages are enough if the subject occurs nowhere
	UnknownWords          []string          // words of the text that occur nowhere; empty if a model finds passages without them
	RespelledWords        []string          // words of the text that occur only if they are spelled without umlauts
	// UnknownWords of each of the Phrasings but the first
	UnknownWordsOfOtherPhrasings [][]string
	TreatsSimilarNamesAsUnknown  bool                   // a name counts as one of UnknownWords too if only similar names occur
	Language                     string                 // ISO 639 code of the language of passages; "" for any
	SimilarFolders               func() *SimilarFolders // returns which folders contain files of the same names

	// scores of a reranker for the texts of RerankTexts; nil if none was used
	RerankScoresByText map[string]float64
}

// Ranking is the state of a question as it passes through the stages.
type Ranking struct {
	Question
	view       search.View
	found      search.Result
	candidates []search.Candidate // candidates of found, best first
	quoted     analysis.Phrases   // phrases in quotation marks
	// possible names in the question, each by its terms; nil until needed
	names [][]string
	taken []string // words that were taken for some that occur nowhere
	// UnknownWords of which candidates have a nearby form
	nearlyFound []string
	versions    map[*search.Document][]*search.Document
	// all chunks whose content hash is that of one of the first candidates
	copies []search.Chunk
	chosen []*Passage
	// passages on the previous pages and, once chosen, on this one
	shown []*Passage
	// how many of shown are on the previous pages
	shownBefore int
	more        bool                           // there are further passages
	bodies      map[*search.Document]text.Body // texts read so far; "" if the document was replaced
	// near duplicates that become candidates again, because the candidate into which they were
	// folded was itself folded into a passage of their document; best first
	returned []*search.Candidate
	ahead    *search.Candidate          // next candidate, already taken from the nearDuplicateFilter; nil if none was taken
	missing  int                        // number of documents that were replaced
	near     map[chunkAt][]search.Chunk // near duplicates of a chunk

	hashes    map[rank.ChunkTextHash]bool          // content hashes of the first candidates
	originals map[rank.ChunkTextHash]*search.Chunk // by content hash, the original among the copies
	unread    []*search.Document                   // documents whose texts are to be read
	distinct  nearDuplicateFilter
}

var rankings = sync.Pool{New: func() any {
	return &Ranking{
		bodies: make(map[*search.Document]text.Body), near: make(map[chunkAt][]search.Chunk), hashes: make(map[rank.ChunkTextHash]bool), originals: make(map[rank.ChunkTextHash]*search.Chunk),
		versions: make(map[*search.Document][]*search.Document),
	}
}}

// Rank ranks passages for a question: it runs all stages. Call Release on the result after use.
func Rank(ctx context.Context, view search.View, q Question) (*Ranking, error) {
	r := newRanking(q, view, nil)
	for _, stage := range stages {
		if err := stage(ctx, r); err != nil {
			r.Release()
			return nil, err
		}
	}
	return r, nil
}

// newRanking returns a ranking of a question with its candidates.
func newRanking(q Question, view search.View, candidates []search.Candidate) *Ranking {
	r := rankings.Get().(*Ranking)
	r.Question, r.view, r.quoted, r.candidates = q, view, analysis.QuotedPhrases(q.Text), candidates
	return r
}

// possibleNames returns the possible names in the question, each by its terms.
func (r *Ranking) possibleNames() [][]string {
	if r.names == nil {
		r.names = append([][]string{}, analysis.NewQuestion(r.Text).PossibleNames...) // not nil
	}
	return r.names
}

// Release returns the memory of a ranking for reuse: the ranking and its passages must not be
// used afterwards.
func (r *Ranking) Release() {
	r.found.Release()
	clear(r.copies)
	clear(r.chosen)
	clear(r.shown)
	clear(r.unread[:cap(r.unread)])
	clear(r.bodies)
	clear(r.near)
	clear(r.hashes)
	clear(r.originals)
	clear(r.versions)
	r.distinct.clear()
	*r = Ranking{
		copies: r.copies[:0], chosen: r.chosen[:0], shown: r.shown[:0], unread: r.unread[:0], bodies: r.bodies, near: r.near, hashes: r.hashes, originals: r.originals, versions: r.versions, distinct: r.distinct,
	}
	rankings.Put(r)
}

// Passages returns the chosen passages, best first.
func (r *Ranking) Passages() []*Passage { return r.chosen }

// CountShownBefore returns the number of passages on the previous pages.
func (r *Ranking) CountShownBefore() int { return r.shownBefore }

// HasMore reports whether there are passages on the next page.
func (r *Ranking) HasMore() bool { return r.more }

// Candidates returns all candidates that the search found, before copies and versions are left out.
func (r *Ranking) Candidates() []search.Candidate { return r.found.Candidates }

// BestCoverage returns search.Result.BestCoverage: how much of the words of a phrasing the best chunk
// covers.
func (r *Ranking) BestCoverage() float64 { return r.found.BestCoverage }

// Expansions returns the words similar to words of the question, or compounds of them, that count too.
func (r *Ranking) Expansions() []search.Expansion { return r.found.Expansions }

// TakenWords returns words that were taken for some that occur nowhere, such as Michal for Michael and 3.12.1 for
// 3.12.
func (r *Ranking) TakenWords() []string { return r.taken }

// ScoreReferences returns how the chunks were scored for each phrasing, if that was requested.
func (r *Ranking) ScoreReferences() []search.ScoreReference { return r.found.ScoreReferences }

// IsStale reports whether documents were replaced during the ranking, so that their new texts may
// not have been found.
func (r *Ranking) IsStale() bool { return r.missing > 0 }

// Body returns the text of a document, if it was read for the ranking.
func (r *Ranking) Body(d *search.Document) text.Body { return r.bodies[d] }

// recallCandidates searches for the candidates, and keeps those in the requested language.
func recallCandidates(ctx context.Context, r *Ranking) (err error) {
	r.found, err = r.view.Search(ctx, r.Phrasings, r.Filter, r.PassagesPerPage*(r.Page+1))
	if r.Language != "" {
		r.found.Candidates = slices.DeleteFunc(r.found.Candidates, func(c search.Candidate) bool { return c.Traits.Language.Code() != r.Language })
	}
	r.candidates = r.found.Candidates
	return err
}

// chunkText returns the text of a chunk; "" if its document was replaced.
func (r *Ranking) chunkText(ctx context.Context, c *search.Chunk) (string, error) {
	text, err := r.documentText(ctx, c.Document)
	if err != nil || text == "" {
		return "", err
	}
	if c.Span.StartByte > c.Span.EndByte || c.Span.EndByte > len(text) {
		return "", search.NewChunkOutsideTextError(c.Document)
	}
	return text[c.Span.StartByte:c.Span.EndByte], nil
}

// documentText returns the text of a document, which is read only once; "" if the document was
// replaced.
func (r *Ranking) documentText(ctx context.Context, d *search.Document) (string, error) {
	if body, ok := r.bodies[d]; ok {
		return body.Text, nil
	}
	r.wantText(d)
	err := r.readTexts(ctx)
	return r.bodies[d].Text, err
}

// wantText queues the text of a document for the next read, unless it was read before.
func (r *Ranking) wantText(d *search.Document) {
	if _, ok := r.bodies[d]; !ok && !slices.Contains(r.unread, d) {
		r.unread = append(r.unread, d)
	}
}

// readTexts reads the queued texts in one batch.
func (r *Ranking) readTexts(ctx context.Context) error {
	if len(r.unread) == 0 {
		return nil
	}
	bodies, err := r.view.LoadBodies(ctx, r.unread)
	if err != nil {
		return err
	}
	for _, d := range r.unread {
		r.bodies[d] = bodies[d]
	}
	r.missing += len(r.unread) - len(bodies)
	r.unread = r.unread[:0]
	return nil
}

// readTextsOf reads the texts of the documents of candidates.
func (r *Ranking) readTextsOf(ctx context.Context, candidates []search.Candidate) error {
	for i := range candidates {
		r.wantText(candidates[i].Document)
	}
	return r.readTexts(ctx)
}

// Corpus holds the chunks to be ranked. It does not change during a ranking.
type Corpus struct {
	ChunkSource
	Postings           *lexical.Index
	Vectors            Vectors
	HasSemanticVectors bool    // the vectors are those of a model: they represent meanings, and find chunks without a word of the query
	VectorWeight       float64 // weight of the vectors in a score
}

// ChunkSource provides the properties of chunks that a ranking needs besides words and vectors.
type ChunkSource interface {
	rank.ChunkProperties
	// Chunk returns the chunk at a slot, which must not be changed.
	Chunk(rank.Slot) *search.Chunk
	// DocumentSlotsOf lists the slots of all chunks of the document that has a chunk at the given slot, in
	// order.
	DocumentSlotsOf(rank.Slot) []rank.Slot
	// CountDirectories returns the number of directories with a searchable document, at most 2.
	CountDirectories() int
	// CountInDirectory returns the number of searchable documents in the directory of a document.
	CountInDirectory(*search.Document) int
}

// Vectors provides the vectors of chunks, as a vector.Index does.
type Vectors interface {
	Len() int
	Dimensions() int
	TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error)
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}
