// Package search defines the interface for finding chunks for a query. Arguments and results are
// plain values, so that it can be implemented in memory (package memindex) or by a database.
// Package searchtest has the test suite for implementations.
package search

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"sync"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
)

// Searcher finds chunks of documents. Its methods may be called from several goroutines
// at once.
type Searcher interface {
	Documents

	// View calls f with a consistent view of the index, for everything that one query needs. If a
	// document was replaced before its text was read, or the connection to a database breaks, it
	// calls f again with a later view, at most three times in all. It returns the error of f, or
	// the reason why there is no View; errors of a View are returned through f. A View must be used
	// by one goroutine only, and not after f returns.
	View(ctx context.Context, f func(context.Context, View) error) error
}

// View is a consistent view of the index. Arguments and results are plain values. An error matches
// catalog.ErrDamaged if stored data of a document is lost. Documents may be added and removed while
// they are being listed.
type View interface {
	Documents

	// Search fuses the chunks that all phrasings find into one list, best first. If the words find
	// fewer chunks than wanted, related ones follow, if there are any. It returns only one of the
	// chunks with the same content hash. Only documents that the filter admits are found.
	Search(ctx context.Context, phrasings []Phrasing, only Filter, wanted int) (Result, error)
	// AppendCopies appends all chunks with one of the content hashes to a list, by location.
	AppendCopies(ctx context.Context, to []Chunk, of map[rank.ChunkTextHash]bool, only Filter) ([]Chunk, error)
	// UnknownWords lists the words of the question that occur nowhere, and those that occur only if they are
	// spelled without umlauts.
	UnknownWords(ctx context.Context, question string) (unknown, respelled []string, err error)
	// Explain lists the terms of the query that match a chunk, over all phrasings, heaviest first.
	Explain(ctx context.Context, phrasings []Phrasing, of Chunk) ([]TermWeight, error)
	// LoadBodies returns the whole texts of found documents, except those that have been replaced.
	LoadBodies(ctx context.Context, of []*Document) (map[*Document]text.Body, error)
	// CountLanguages returns the number of searchable documents by the code of the language of
	// their prose; "" if that is uncertain or there is no prose.
	CountLanguages(ctx context.Context) (map[string]int, error)
}

// Phrasing is one wording of a query.
type Phrasing struct {
	Text               string
	Weight             float64   // weight relative to the other phrasings
	Vector             []float32 // nil if there is none, so that only its words count
	WithScoreReference bool      // whether the score reference of the result is wanted
	// how the chunks of another index were scored, so that scores can be compared with theirs; nil if there
	// is none
	ScoreReference *ScoreReference
}

// ScoreReference holds the best scores of an index for a phrasing and its statistics of the terms.
// With them, another index can score its chunks so that the scores are comparable.
type ScoreReference struct {
	ScoreScale
	analysis.Statistics
	BestCoverage float64 // share of the words of the phrasing that the best chunk covers
}

// ScoreScale holds the scores by which those of the chunks found for a phrasing are normalised.
type ScoreScale struct {
	BestWordScore, BestCosine float64 // scores of the best chunk
	LowestCosine              float64
}

// MaxPhrasings is the maximum number of phrasings of a query.
const MaxPhrasings = 9

// Result is the result of View.Search. Release returns its memory for reuse.
type Result struct {
	Candidates []Candidate
	// BestCoverage is the share of the words of a phrasing that the best chunk covers: 1 means like a
	// chunk of average length with each of them once.
	BestCoverage float64
	// Expansions are words similar to words of the phrasings, or compounds of them, that count too.
	Expansions []Expansion
	// Words are the words of the phrasings that find chunks.
	Words []Word
	// ScoreReferences has the score reference of each phrasing, if it was requested.
	ScoreReferences []ScoreReference
}

// Word is a word of a query in the forms in which texts have it, with its weight, which is higher
// if fewer chunks have it.
type Word struct {
	Forms         []string // the forms, as terms
	Weight        float64
	PhrasingIndex int // index of the phrasing that contains it
}

// candidateLists is a pool of released lists.
var candidateLists sync.Pool

// NewResult returns an empty Result with room for candidates.
func NewResult() (f Result) {
	if list, ok := candidateLists.Get().(*[]Candidate); ok {
		f.Candidates = *list
	}
	return f
}

// Release returns the memory of the candidates to a pool; they must not be used afterwards.
func (f *Result) Release() {
	if cap(f.Candidates) == 0 {
		return
	}
	list := f.Candidates[:cap(f.Candidates)]
	clear(list) // so that the pool does not keep removed documents alive
	list = list[:0]
	f.Candidates = nil
	candidateLists.Put(&list)
}

// Expansion is a word that counts too because it is spelled like a word of the query, or is a compound of
// one.
type Expansion struct {
	QueryTerm, Term   string // term of the query, and the similar term
	ReplacesQueryTerm bool   // Term replaces QueryTerm, which occurs nowhere
	IsCorrection      bool   // QueryTerm is probably a misspelling of Term
	IsCompound        bool   // Term is a compound of which QueryTerm is a part
}

// Location is the index of a folder and a path in it. Texts from clients are in the folder
// NoFolder.
type Location struct {
	Folder int
	Path   string
}

// NoFolder is the folder of texts from clients.
const NoFolder = -1

// Chunk is a part of a document that is found as a whole.
type Chunk struct {
	Document    *Document // nil if there is none
	Number      int       // number in its document, from 0
	Span        text.Span
	Heading     []string
	Key         catalog.EmbeddingKey
	ContentHash rank.ChunkTextHash
	Traits      kind.Traits
}

// SortByLocation orders chunks by folder, path and position.
func SortByLocation(chunks []Chunk) {
	for i := 1; i < len(chunks); i++ {
		if chunks[i-1].CompareLocation(&chunks[i]) > 0 {
			sort.Sort(chunksByLocation(chunks))
			return
		}
	}
}

// chunksByLocation sorts chunks in place, because they are too large to be copied for comparisons.
type chunksByLocation []Chunk

func (c chunksByLocation) Len() int           { return len(c) }
func (c chunksByLocation) Less(i, j int) bool { return c[i].CompareLocation(&c[j]) < 0 }
func (c chunksByLocation) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// CompareLocations compares folder, path and position.
func CompareLocations(a, b Chunk) int { return a.CompareLocation(&b) }

// CompareLocation compares the folders, paths and positions of two chunks. It does not copy them: a
// ranking breaks thousands of ties per query.
func (c *Chunk) CompareLocation(other *Chunk) int {
	if c.Document == other.Document {
		return cmp.Compare(c.Number, other.Number)
	}
	if n := cmp.Compare(c.Document.Folder, other.Document.Folder); n != 0 {
		return n
	}
	if n := cmp.Compare(c.Document.Path, other.Document.Path); n != 0 {
		return n
	}
	return cmp.Compare(c.Number, other.Number)
}

// ScoreParts holds the parts of a score, by ScorePart; the score is their sum. Package ranking defines
// the parts. Each is a mean over the phrasings.
type ScoreParts [maxScoreParts]float64

// ScorePart identifies a part of a score, such as the one for words.
type ScorePart uint8

// maxScoreParts is the maximum number of score parts.
const maxScoreParts = 16

// NewChunkOutsideTextError returns the error for a document with passages that are not within its text.
func NewChunkOutsideTextError(d *Document) error {
	return fmt.Errorf("the passages of %s do not lie in its text: %w", d.Path, catalog.ErrDamaged)
}

// TermWeight is a term of a query and its share, from 0 to 1, of the score of a chunk for words.
type TermWeight struct {
	Term           string  `json:"term"`
	WordScoreShare float64 `json:"share"`
}

// Candidate is a chunk with its fused score.
type Candidate struct {
	Chunk
	Score                   float64
	Parts                   ScoreParts // parts of Score; zero if IsRelatedOnly is set
	LexicalRank, VectorRank int        // best ranks over all phrasings
	// whether the chunk contains no word of the query, but only parts of some words
	IsRelatedOnly bool
	// for each phrasing, the score of words and vectors relative to the best chunk
	ScoresByPhrasing [MaxPhrasings]float32
	// whether it is the best chunk in one of several languages of the phrasings, and covers most of a
	// phrasing, so that it is shown even if others have higher scores
	IsBestInLanguage bool
	// whether it stands before others of the same score, as the original of one of them
	SortsBeforeEqualScores bool
	// whether it has only another form of a name in the question, which another candidate has
	HasOtherFormOfName bool
}

// AddScore adds n to the score, as the given part.
func (c *Candidate) AddScore(part ScorePart, n float64) {
	c.Score += n
	c.Parts[part] += n
}

// SetScore sets the score, and adds the difference to the given part of it.
func (c *Candidate) SetScore(differencePart ScorePart, score float64) {
	c.Parts[differencePart] += score - c.Score
	c.Score = score
}

// SortCandidates sorts by score, best first, with related ones last. Equal scores are sorted by
// SortsBeforeEqualScores and location, so that the order does not depend on when and by which process a document
// was indexed.
func SortCandidates(candidates []Candidate) {
	for i := 1; i < len(candidates); i++ {
		if candidates[i-1].Compare(&candidates[i]) > 0 {
			sort.Sort(candidatesByScore(candidates))
			return
		}
	}
}

// candidatesByScore sorts candidates in place, because they are too large to be copied for
// comparisons.
type candidatesByScore []Candidate

func (c candidatesByScore) Len() int           { return len(c) }
func (c candidatesByScore) Less(i, j int) bool { return c[i].Compare(&c[j]) < 0 }
func (c candidatesByScore) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// Compare orders candidates like SortCandidates.
func (c *Candidate) Compare(other *Candidate) int {
	if c.IsRelatedOnly != other.IsRelatedOnly {
		if other.IsRelatedOnly {
			return -1
		}
		return 1
	}
	if n := cmp.Compare(other.Score, c.Score); n != 0 {
		return n // most scores differ, and comparing paths takes longer
	}
	if c.SortsBeforeEqualScores != other.SortsBeforeEqualScores {
		if c.SortsBeforeEqualScores {
			return -1
		}
		return 1
	}
	return c.CompareLocation(&other.Chunk)
}
