// Package live holds the documents of several folders in memory: it follows their
// catalogues, finds documents by their places, names, links and what they say of
// themselves, and knows which of their chunks lack a vector. The chunks themselves, with
// postings and vectors, are held by Chunks: in memory or in a database. It knows
// catalogues by their contract alone, and no folder, no process and no words for people.
package live

import (
	"errors"
	"sync"
	"sync/atomic"

	"vademecum/embed"
)

// Store is the documents of several folders, each of which has a catalogue, and the way
// to their chunks. Its methods may be called from several goroutines at once. Those
// without a context wait for whoever changes the Store, which takes no longer than to put one
// document into memory, and neither read nor write a catalogue; the errors of the others
// are those of the catalogues.
type Store struct {
	Chunks
	Embedder embed.Embedder   // it makes vectors here where that is free
	Model    embed.Properties // of the Embedder

	mu        sync.RWMutex // see ReadLocked and Update; guards all below, and what Chunks have in memory
	torn      bool         // a panic may have left it half changed: see Reload
	written   uint64       // how often it was changed
	followers []*Follower  // by folder; nil when not opened
	documents Documents
	texts     map[[32]byte]bool // text hashes of the documents in NoFolder

	searchable atomic.Pointer[searchableCount]
}

// New makes a Store of so many folders, of which nothing is loaded yet. open makes what
// has their chunks; it is not to ask the Store anything yet.
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
