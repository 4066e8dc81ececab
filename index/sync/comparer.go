// Package compare compares folders with their indexes: it finds new, changed and deleted files, and
// checks whether a folder is the one from which its library was built. It writes no documents, but
// records the path of a folder, and whether the folder is left alone.
package sync

import (
	"log/slog"
	"sync"

	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/internal/base/panics"
)

// Comparer compares folders. It is safe for concurrent use.
type Comparer struct {
	ComparerDependencies

	likenessMu sync.Mutex
	likeness   map[int]libraryMatch // by folder
}

// ComparerDependencies are the dependencies of a Comparer.
type ComparerDependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Reader    *ingest.Reader
	Throttle  *RereadBackoff
	Fresh     *freshness.Freshness
	IsIndexer func(folder int) bool // reports whether this process indexes a folder
	Guard     *panics.Guard
	Log       *slog.Logger
}

// NewComparer returns a Comparer. All fields of p are required.
func NewComparer(p ComparerDependencies) *Comparer {
	return &Comparer{ComparerDependencies: p, likeness: make(map[int]libraryMatch)}
}
