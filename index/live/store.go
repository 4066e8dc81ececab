// Package live holds the documents of several folders in memory: it follows their catalogues,
// finds documents by location, name, link and metadata, and records which of their chunks lack a
// vector. The chunks themselves, with postings and vectors, are held by Chunks: in memory or in a
// database. The package knows catalogues by their interface alone, and neither folders nor
// processes nor texts for people.
package live

import (
	"errors"
	"sync"
	"sync/atomic"

	"vademecum/embed"
)

// Store holds the documents of several folders, each with a catalogue, and gives access to their
// chunks. Its methods may be called from several goroutines at once. Those without a context wait
// for writers, which takes no longer than adding one document to memory, and do not access a
// catalogue; the errors of the others are those of the catalogues.
type Store struct {
	Chunks
	Embedder embed.Embedder   // makes vectors here if that is free
	Model    embed.Properties // of the Embedder

	mu        sync.RWMutex // see ReadLocked and Update; guards all below, and what Chunks have in memory
	torn      bool         // a panic may have left it half changed: see Reload
	written   uint64       // number of changes
	followers []*Follower  // by folder; nil if not opened
	documents Documents
	texts     map[[32]byte]bool // text hashes of the documents in NoFolder

	searchable atomic.Pointer[searchableCount]
}

// New returns a Store of a number of folders, none of them loaded yet. open returns the holder of
// their chunks; it must not call the Store yet.
func New(folders int, e embed.Embedder, open func(*Store) Chunks) *Store {
	st := &Store{
		Embedder:  e,
		Model:     e.Properties(),
		followers: make([]*Follower, folders),
		documents: *NewDocuments(0),
		texts:     make(map[[32]byte]bool),
	}
	st.Chunks = open(st)
	return st
}

// Close closes the catalogues. No other method may be running.
func (st *Store) Close() error {
	var errs []error
	for _, f := range st.Followers() {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
