// Package recovery loads indexes, and repairs them: it opens catalogues and loads them into
// memory, replaces catalogues that are damaged, lost, or refused by the disk, and reloads memory
// after a panic.
package sync

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/internal/base/panics"
)

// RecoveryDependencies are the dependencies of a Recovery.
type RecoveryDependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Comparer  *Comparer
	Peers     *Coordinator
	Fresh     *freshness.Freshness
	Embedding *embedding.Service
	Heap      *Releaser
	Turn      *semaphore.Weighted // of weight 1, held by the goroutine that changes an index
	// Reread asks the indexer of a folder to read areas of it again, even if they appear unchanged.
	Reread func(ctx context.Context, folder int, areas []Subtree) error
	Guard  *panics.Guard
	Log    *slog.Logger
}

// Recovery loads indexes and repairs them. Its methods may be called from several goroutines
// at once.
type Recovery struct {
	RecoveryDependencies
	checks *checkRequests // for checks of a database
	models sync.Map       // by folder: models that differ from the one in use
	// time of the last reload of memory after a panic, in nanoseconds since 1970
	reloaded atomic.Int64
}

// NewRecovery returns a Recovery with the given dependencies, all of which must be set before it is used.
func NewRecovery(p RecoveryDependencies) *Recovery {
	return &Recovery{RecoveryDependencies: p, checks: newCheckRequests()}
}
