// Package recovery loads indexes, and repairs them: it opens catalogues and brings them into
// memory, has another catalogue take the place of one that is damaged, lost, or that the
// disk takes no more, and loads memory again after a panic.
package recovery

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"vademecum/index/compare"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/heap"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/roots"
	"vademecum/internal/base/panics"
)

// Dependencies are what a Recovery works with.
type Dependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Comparer  *compare.Comparer
	Peers     *peer.Coordinator
	Fresh     *freshness.Freshness
	Embedding *embedding.Service
	Heap      *heap.Releaser
	Turn      *semaphore.Weighted // of one, held by whoever changes an index
	// Reread has the process that indexes a folder read areas of it again, whatever they
	// look like.
	Reread func(ctx context.Context, folder int, areas []compare.Area) error
	Guard  *panics.Guard
	Log    *slog.Logger
}

// Recovery loads indexes and repairs them. Its methods may be called from several goroutines
// at once.
type Recovery struct {
	Dependencies
	checks   *checkRequests // of what a database keeps
	models   sync.Map       // of folders whose libraries are indexed with another model, by their numbers
	reloaded atomic.Int64   // nanoseconds since 1970: when memory was loaded again last after a panic
}

// New makes a Recovery of its parts, all of which are needed before it is used.
func New(p Dependencies) *Recovery { return &Recovery{Dependencies: p, checks: newCheckRequests()} }
