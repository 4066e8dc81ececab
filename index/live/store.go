// Package live holds in memory what can be searched: the documents, postings and
// vectors of several folders. It follows their catalogues, is found again in a
// snapshot, and answers with chunks, ranked by words and by vectors and fused. It
// knows catalogues by their contract alone, and no folder, no process and no words
// for people.
package live

import (
	"errors"
	"sync"
	"sync/atomic"

	"vademecum/embed"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// Store keeps and searches documents: on disk one catalogue for each folder,
// in memory the postings, the vectors and where each chunk is. Ranking is over
// all folders at once.
type Store struct {
	Followers []*Follower      // by folder; nil when not opened
	Embedder  embed.Embedder   // it makes vectors here where that is free
	Model     embed.Properties // of the Embedder
	heads     bool             // see NewHeads
	refusals  *refusals
	saving    sync.Mutex // held while a snapshot is written, or what others left of theirs is removed

	Mu      sync.RWMutex // guards all below
	torn    bool         // a panic may have left it half changed: see reload
	written uint64       // how often it was changed
	*Memory
	texts map[[32]byte]bool // text hashes of the documents in NoFolder

	searchable atomic.Pointer[searchable]
}

// Memory is what can be searched. Its fields are of this package, and of tests that
// look for contradictions while they hold Mu.
type Memory struct {
	Decomposed  map[search.Location][]string // paths of documents that are not composed, by the place that is; sorted
	Chunks      []search.Chunk               // by slot
	begins      []uint16                     // how the wording of each begins: see beginning
	free        []rank.Slot
	Postings    *lexical.Index
	Vectors     vector.Index
	elsewhere   int                       // chunks that are in catalogues only
	Bare        int                       // chunks without a vector
	incomplete  map[*search.Document]int  // how many of each document
	lacking     lacking                   // which of those that are in catalogues only
	numbering                             // of the documents, for what they say of themselves
	directories map[ranking.Directory]int // searchable documents
}

func newMemory(p vector.Precision) *Memory {
	return &Memory{
		Decomposed:  make(map[search.Location][]string),
		Postings:    lexical.New(),
		Vectors:     vector.New(p),
		incomplete:  make(map[*search.Document]int),
		lacking:     newLacking(),
		numbering:   newNumbering(0),
		directories: make(map[ranking.Directory]int),
	}
}

// NewStore makes a Store of so many folders, of which nothing is loaded yet.
func NewStore(folders int, e embed.Embedder) *Store {
	return &Store{
		Embedder:  e,
		Model:     e.Properties(),
		refusals:  newRefusals(),
		Followers: make([]*Follower, folders),
		Memory:    newMemory(precision(e.Properties())),
		texts:     make(map[[32]byte]bool),
	}
}

// NewHeads makes a Store of documents alone: their chunks are not in memory, but
// where the catalogues keep them, for another searcher. The catalogues list documents
// without chunks, with the slots that these have there.
func NewHeads(folders int, e embed.Embedder) *Store {
	st := NewStore(folders, e)
	st.heads = true
	return st
}

// IsOfHeads tells whether the store was made by NewHeads.
func (st *Store) IsOfHeads() bool { return st.heads }

// precision is what many vectors are kept in: 4 bits do for those that are a tenth of a
// score. With the built-in ones alone three of four collections and the real folders rank
// as with floats, and of the fourth one question in 248 has its passage a place lower.
func precision(p embed.Properties) vector.Precision {
	if p.Weight <= 0.1 {
		return vector.In4Bits
	}
	return vector.In16Bits
}

// Close closes the catalogues.
func (st *Store) Close() error {
	var errs []error
	for _, c := range st.Followers {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Follower is that of a folder, nil while it is not loaded.
func (st *Store) Follower(folder int) *Follower {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Followers[folder]
}

// Unload forgets all documents of a folder, in memory only.
func (st *Store) Unload(folder int) {
	if !st.IsTorn() { // else all is to be loaded again
		st.forgetFolder(folder)
	}
	st.Mu.Lock()
	defer st.unlock()
	st.Followers[folder] = nil
}
