// Package compare compares folders with their indexes: which files are new, changed or gone, and
// whether a folder is the one whose files its library was made of. It writes no documents: it
// records the location of a folder, and whether the folder is left alone.
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

// Comparer compares folders. Its methods may be called from several goroutines at once.
type Comparer struct {
	Dependencies

	likenessMu sync.Mutex
	likeness   map[int]libraryMatch // of folders and their libraries
}

// Dependencies are what a Comparer works with.
type Dependencies struct {
	Folders  roots.Set
	Store    *live.Store
	Reader   *ingest.Reader
	Throttle *throttle.RereadBackoff
	Fresh    *freshness.Freshness
	Leads    func(folder int) bool // reports whether this process indexes a folder
	Guard    *panics.Guard
	Log      *slog.Logger
}

// New returns a Comparer with its parts, all of which are needed.
func New(p Dependencies) *Comparer {
	return &Comparer{Dependencies: p, likeness: make(map[int]libraryMatch)}
}
