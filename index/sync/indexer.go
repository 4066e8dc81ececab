// Package indexer brings indexes up to date with the folders that this process indexes: it reads
// new and changed files, commits them, and removes deleted documents. Each run covers some areas,
// and only one run is active at a time; files that take long to read are read in the background.
package sync

import (
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/internal/base/panics"
)

// IndexerDependencies are the dependencies of an Indexer.
type IndexerDependencies struct {
	Folders   roots.Set
	Store     *live.Store
	Reader    *ingest.Reader
	Comparer  *Comparer
	Recovery  *Recovery
	Throttle  *RereadBackoff
	Embedding *embedding.Service
	Peers     *Coordinator
	Fresh     *freshness.Freshness
	Turn      *semaphore.Weighted // weight 1; held by the goroutine that changes an index
	Heap      *Releaser
	Guard     *panics.Guard
	Log       *slog.Logger
}

// Indexer indexes folders. It is safe for concurrent use.
type Indexer struct {
	IndexerDependencies
	synced     time.Time         // when the time of a scan was last saved; guarded by Turn
	whole      map[int]bool      // folders scanned since the last complete scan; guarded by Turn
	large      sync.Mutex        // held while a large file is indexed
	background *backgroundReader // reads files outside of runs
}

// NewIndexer returns an Indexer. All fields of p are required.
func NewIndexer(p IndexerDependencies) *Indexer {
	x := &Indexer{IndexerDependencies: p, whole: make(map[int]bool)}
	x.background = newBackgroundReader(x)
	return x
}

// Close cancels background reads and waits for them to end.
func (x *Indexer) Close() { x.background.close() }
