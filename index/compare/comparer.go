// Package compare compares folders with their indexes: it finds new, changed and deleted files, and
// checks whether a folder is the one from which its library was built. It writes no documents, but
// records the path of a folder, and whether the folder is left alone.
package compare

import (
	"log/slog"
	"sync"

	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/throttle"
	"vademecum/internal/base/panics"
)

// Comparer compares folders. It is safe for concurrent use.
type Comparer struct {
	Dependencies

	likenessMu sync.Mutex
	likeness   map[int]libraryMatch // by folder
}

// Dependencies are the dependencies of a Comparer.
type Dependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Reader    *ingest.Reader
	Throttle  *throttle.RereadBackoff
	Fresh     *freshness.Freshness
	IsIndexer func(folder int) bool // reports whether this process indexes a folder
	Guard     *panics.Guard
	Log       *slog.Logger
}

// New returns a Comparer. All fields of p are required.
func New(p Dependencies) *Comparer {
	return &Comparer{Dependencies: p, likeness: make(map[int]libraryMatch)}
}
