// Package search is what finds chunks for a question, as a contract: what it is
// asked and what it answers are plain values, so that memory (package memindex)
// or a database can do it. searchtest has the suite that each passes.
package search

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"sync"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/rank"
)

// Searcher finds chunks of documents. Its methods may be called from several goroutines
// at once.
type Searcher interface {
	Documents

	// View calls f with what can be found at one moment, which is all that one question
	// asks. It calls f again, with a later moment, where a document was replaced before
	// its text was read, or where the connection to a database breaks: at most three
	// times. The error is that of f, or why there is no View; those of a View come through
	// f. A View is used by one goroutine, and not after f.
	View(ctx context.Context, f func(context.Context, View) error) error
}

// View is what can be found at one moment. What it is asked and what it answers are plain
// values. An error matches catalog.ErrDamaged where what is kept of a document is lost.
// Documents may come and go meanwhile where they are listed.
type View interface {
	Documents

	// Search fuses what all phrasings find into one list, best first. Where the
	// words find fewer chunks than wanted, related ones follow, if there are any.
	// Of chunks that have the same content hash it holds one. Only documents that the
	// filter admits may answer.
	Search(ctx context.Context, phrasings []Phrasing, only Filter, wanted int) (Found, error)
	// Copies appends to a list all chunks that have one of some content hashes, in the order of
	// their places.
	Copies(ctx context.Context, to []Chunk, of map[rank.ContentHash]bool, only Filter) ([]Chunk, error)
	// Unknown lists the words of a question that occur nowhere.
	Unknown(ctx context.Context, question string) ([]string, error)
	// Explain lists the terms for which a chunk is found by its words, the weightiest
	// first, over all phrasings. It is for explanations.
	Explain(ctx context.Context, phrasings []Phrasing, of Chunk) ([]TermWeight, error)
	// Bodies returns the whole texts of documents that were found, without those of
	// which another has taken the place meanwhile.
	Bodies(ctx context.Context, of []*Document) (map[*Document]text.Body, error)
	// CountLanguages counts the documents that are searchable by the codes of the languages
	// that their prose surely is in, "" where that is not known or they are no prose.
	CountLanguages(ctx context.Context) (map[string]int, error)
}

// Phrasing is one wording of a question.
type Phrasing struct {
	Text   string
	Weight float64   // beside those of the others
	Vector []float32 // nil when there is none: its words must do
}

// MostPhrasings is how many a question may have.
const MostPhrasings = 9

// Found is what was found, best first. It may be given back with Release.
type Found struct {
	Candidates []Candidate
	// Covered is how much of the words of a phrasing the best chunk has: 1 is that of
	// a chunk of average length with each of them once.
	Covered float64
	// Expansion are words that count beside those of the phrasings.
	Expansions []Expansion
	// Words are the words of the phrasings that find chunks.
	Words []Word
}

// Word is a word of a question as texts may have it, with what it weighs beside others:
// more where few chunks have it.
type Word struct {
	Forms    []string // terms
	Weight   float64
	Phrasing int // that has it
}

// candidateLists are those that were given back.
var candidateLists sync.Pool

// NewFound is nothing yet, with room for candidates.
func NewFound() (f Found) {
	if list, ok := candidateLists.Get().(*[]Candidate); ok {
		f.Candidates = *list
	}
	return f
}

// Release gives the room for candidates back: they are of no use any more.
func (f *Found) Release() {
	if cap(f.Candidates) == 0 {
		return
	}
	list := f.Candidates[:cap(f.Candidates)]
	clear(list) // documents that are gone are not to be kept for it
	list = list[:0]
	f.Candidates = nil
	candidateLists.Put(&list)
}

// Expansion is a word that counts because it is written like one that was asked for.
type Expansion struct {
	Asked, Term string // terms
	Instead     bool   // that one occurs nowhere
	IsWhole     bool   // it is a compound of which that one is a part
}

// Location is a folder's number and the path in it. Texts that a client sent
// are in the folder NoFolder.
type Location struct {
	Folder int
	Path   string
}

// NoFolder is the folder of those.
const NoFolder = -1

// Chunk is a part of a document.
type Chunk struct {
	Document    *Document // nil when there is none
	Number      int       // of the chunk in its document, from 0
	Span        text.Span
	Heading     []string
	Key         catalog.Key
	ContentHash rank.ContentHash
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

// chunksByLocation swaps chunks in their places: they are too long to be compared as copies.
type chunksByLocation []Chunk

func (c chunksByLocation) Len() int           { return len(c) }
func (c chunksByLocation) Less(i, j int) bool { return c[i].CompareLocation(&c[j]) < 0 }
func (c chunksByLocation) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// CompareLocations compares folder, path and position.
func CompareLocations(a, b Chunk) int { return a.CompareLocation(&b) }

// CompareLocation is CompareLocations for chunks that are not to be copied: ranking settles
// thousands of equal scores for a question.
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

// ScoreParts are what a score is the sum of, by what adds them: package ranking lists that.
// Each is a mean over the phrasings.
type ScoreParts [MostScoreParts]float64

// ScorePart numbers one of them.
type ScorePart uint8

// MostScoreParts is how many there may be.
const MostScoreParts = 16

// MisfitError is the error of a document with passages that do not lie in its text.
func MisfitError(d *Document) error {
	return fmt.Errorf("the passages of %s do not lie in its text: %w", d.Path, catalog.ErrDamaged)
}

// TermWeight is a term of a question and its share of what a chunk gets for its words.
type TermWeight struct {
	Term  string  `json:"term"`
	Share float64 `json:"share"`
}

// Candidate is a chunk with its fused score.
type Candidate struct {
	Chunk
	Score                   float64
	Parts                   ScoreParts             // none when it is only related
	LexicalRank, VectorRank int                    // the best over all phrasings
	Related                 bool                   // it has no word of the question, but parts of some
	ByPhrasing              [MostPhrasings]float32 // the share that its words and vectors have of the best, for each
	KeepsPlace              bool                   // it is the best in one of several languages of the wordings, and has most of one of these
}

// Add adds to the score, as a part of it.
func (c *Candidate) Add(part ScorePart, n float64) {
	c.Score += n
	c.Parts[part] += n
}

// SetScore changes the score: what it gains or loses is a part of it.
func (c *Candidate) SetScore(part ScorePart, score float64) {
	c.Parts[part] += score - c.Score
	c.Score = score
}

// SortCandidates orders best first, what is only related after all else; equal scores by
// place, so that the order is the same whenever and by whichever process a document
// was indexed.
func SortCandidates(candidates []Candidate) {
	for i := 1; i < len(candidates); i++ {
		if candidates[i-1].Compare(&candidates[i]) > 0 {
			sort.Sort(candidatesByScore(candidates))
			return
		}
	}
}

// candidatesByScore swaps candidates in their places: they are too long to be compared as copies.
type candidatesByScore []Candidate

func (c candidatesByScore) Len() int           { return len(c) }
func (c candidatesByScore) Less(i, j int) bool { return c[i].Compare(&c[j]) < 0 }
func (c candidatesByScore) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// Compare orders candidates as SortCandidates does.
func (c *Candidate) Compare(other *Candidate) int {
	if c.Related != other.Related {
		if other.Related {
			return -1
		}
		return 1
	}
	if n := cmp.Compare(other.Score, c.Score); n != 0 {
		return n // most scores differ; to compare paths takes longer
	}
	return c.CompareLocation(&other.Chunk)
}
