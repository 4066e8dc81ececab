// Package indexer brings indexes up to date with the folders that this process indexes: it
// reads what is new or changed, commits it, and removes what is gone. It runs over areas, one
// run at a time; files that take long to read are read in the background.
package indexer

import (
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/index/compare"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/heap"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/peer"
	"vademecum/index/recovery"
	"vademecum/index/roots"
	"vademecum/index/throttle"
	"vademecum/internal/base/panics"
)

// Dependencies are what an Indexer works with.
type Dependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Reader    *ingest.Reader
	Comparer  *compare.Comparer
	Recovery  *recovery.Recovery
	Throttle  *throttle.RereadBackoff
	Embedding *embedding.Service
	Peers     *peer.Coordinator
	Fresh     *freshness.Freshness
	Turn      *semaphore.Weighted // of one, held by the goroutine that changes an index
	Heap      *heap.Releaser
	Guard     *panics.Guard
	Log       *slog.Logger
}

// Indexer indexes folders. Its methods may be called from several goroutines at once.
type Indexer struct {
	Dependencies
	synced     time.Time         // when the time of a scan was last saved; guarded by Turn
	whole      map[int]bool      // folders that were scanned since the last complete scan; guarded by Turn
	large      sync.Mutex        // held while a large file is indexed
	background *backgroundReader // reads files beside the runs
}

// New returns an Indexer with its parts, all of which are needed.
func New(p Dependencies) *Indexer {
	x := &Indexer{Dependencies: p, whole: make(map[int]bool)}
	x.background = newBackgroundReader(x)
	return x
}

// Close cancels the readings in the background, and waits for them.
func (x *Indexer) Close() { x.background.close() }
