// Package compare compares folders with what is indexed of them: which files are new,
// changed or gone, and whether a folder is the one of whose files its library was made. It
// writes no documents: of a folder it notes where it is, and whether it is left alone.
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

// New makes a Comparer of its parts, all of which are needed.
func New(p Dependencies) *Comparer {
	return &Comparer{Dependencies: p, likeness: make(map[int]libraryMatch)}
}
