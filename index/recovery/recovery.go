// Package recovery loads indexes, and repairs them: it opens catalogues and loads them into
// memory, replaces catalogues that are damaged, lost, or refused by the disk, and reloads memory
// after a panic.
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

// Dependencies are the dependencies of a Recovery.
type Dependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Comparer  *compare.Comparer
	Peers     *peer.Coordinator
	Fresh     *freshness.Freshness
	Embedding *embedding.Service
	Heap      *heap.Releaser
	Turn      *semaphore.Weighted // of weight 1, held by the goroutine that changes an index
	// Reread asks the indexer of a folder to read areas of it again, even if they appear unchanged.
	Reread func(ctx context.Context, folder int, areas []compare.Subtree) error
	Guard  *panics.Guard
	Log    *slog.Logger
}

// Recovery loads indexes and repairs them. Its methods may be called from several goroutines
// at once.
type Recovery struct {
	Dependencies
	checks *checkRequests // for checks of a database
	models sync.Map       // by folder: models that differ from the one in use
	// time of the last reload of memory after a panic, in nanoseconds since 1970
	reloaded atomic.Int64
}

// New returns a Recovery with the given dependencies, all of which must be set before it is used.
func New(p Dependencies) *Recovery { return &Recovery{Dependencies: p, checks: newCheckRequests()} }
