// Package heap returns memory to the system after work that needed much of it.
package sync

import (
	"runtime/debug"
	"sync/atomic"
	"time"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
)

// Loading, building and saving an index take about as much memory again as the index itself. Go
// retains that memory for later use, which does not occur in a server that has read its folder.

// ReleaserDependencies are the dependencies of ReleaseMemory.
type ReleaserDependencies struct {
	Store     *live.Store
	Fresh     *freshness.Freshness
	Embedding *embedding.Service
}

// Releaser returns memory of this process to the system.
type Releaser struct {
	grown   atomic.Bool
	written uint64 // change number of the store when memory was last released; used only by ReleaseMemory
}

// RecordGrowth records that much memory was needed, for a load, a snapshot or a scan of a large
// folder.
func (h *Releaser) RecordGrowth() { h.grown.Store(true) }

// manyWritten is the number of changes of the store after which memory is released. Releasing takes
// 3 ms with 10,000 chunks, and 50 to 80 ms with 100,000.
const manyWritten = 1000

// ReleaseDelay is how long memory is retained after a scan, so that queries that waited for startup are
// answered first.
const ReleaseDelay = time.Second

// ReleaseMemory returns memory to the system when the work that needed it is done. It is not safe
// for concurrent use.
func (h *Releaser) ReleaseMemory(p ReleaserDependencies) {
	written := p.Store.ChangeNumber()
	if !h.grown.Load() && written-h.written < manyWritten {
		return
	}
	if s := p.Fresh.State(); s.Phase != progress.Ready || s.IsBehind() {
		return
	}
	p.Embedding.WhileIdle(func() { // no snapshot is being saved then either
		h.grown.Store(false)
		h.written = written
		p.Store.TrimCapacity()
		debug.FreeOSMemory()
	})
}
