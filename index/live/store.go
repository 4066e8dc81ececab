// Package live holds the documents of several folders in memory: it follows their catalogues, finds
// documents by location, name, link and metadata, and records which of their chunks have no vector.
// The chunks themselves, with postings and vectors, are held by Chunks, in memory or in a database.
// The package uses catalogues only through their interface, and depends neither on folders or
// processes nor on texts for people.
package live

import (
	"errors"
	"sync"

	"vademecum/embed"
)

// Store holds the documents of several folders, each with a catalogue, and gives access to their
// chunks. It is safe for concurrent use. Methods without a context do not access a catalogue, and
// wait only for writers, at most for the time to add one document to memory. The errors of the
// others are those of the catalogues.
type Store struct {
	ChunkIndex
	Embedder        embed.Embedder   // computes vectors; in this package only if that costs next to nothing
	ModelProperties embed.Properties // properties of the Embedder

	mu        sync.RWMutex // guards the fields below and the memory of Chunks; see ReadLocked and Update
	torn      bool         // a panic may have left the content half changed, see Reload
	written   uint64       // number of changes so far, see ChangeNumber
	followers []*Follower  // by folder; nil if not loaded
	documents Documents
	texts     map[[32]byte]bool // text hashes of the documents in NoFolder
}

// New returns a Store for folderCount folders, none of them loaded yet. open returns the holder of
// their chunks; it must not use the Store yet.
func New(folderCount int, e embed.Embedder, open func(*Store) ChunkIndex) *Store {
	st := &Store{
		Embedder:        e,
		ModelProperties: e.Properties(),
		followers:       make([]*Follower, folderCount),
		documents:       *NewDocuments(0),
		texts:           make(map[[32]byte]bool),
	}
	st.ChunkIndex = open(st)
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
