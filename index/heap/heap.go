// Package heap gives memory back to the system that was needed and is no more.
package heap

import (
	"runtime/debug"
	"sync/atomic"
	"time"

	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
)

// To load an index, to make one and to save it take about as much memory again as it has. Go
// keeps that for later, and in a server that has read its folder there is no later.

// Dependencies are what a Heap works with.
type Dependencies struct {
	Store     *live.Store
	Fresh     *freshness.Freshness
	Embedding *embedding.Service
}

// Heap is the memory of this process.
type Releaser struct {
	grown   atomic.Bool
	written uint64 // how often the store had been changed when memory was given back last; guarded by giving it back
}

// RecordGrowth notes that much memory was needed: by a load, a snapshot, or a scan of a large folder.
func (h *Releaser) RecordGrowth() { h.grown.Store(true) }

// manyWritten is how many changes of the store are worth giving back what they
// needed: that takes 3 ms at 10,000 chunks, and 50 to 80 ms at 100,000.
const manyWritten = 1000

// Delay is how long memory is kept when a scan is through: questions that have waited for a
// start are answered first.
const Delay = time.Second

// ReleaseMemory gives the system its memory when all is done that needed it. One goroutine at a time
// calls it.
func (h *Releaser) ReleaseMemory(p Dependencies) {
	written := p.Store.ChangeNumber()
	if !h.grown.Load() && written-h.written < manyWritten {
		return
	}
	if s := p.Fresh.State(); s.Phase != progress.Ready || s.IsBehind() {
		return
	}
	p.Embedding.WhileIdle(func() { // no snapshot is saved meanwhile either
		h.grown.Store(false)
		h.written = written
		p.Store.TrimCapacity()
		debug.FreeOSMemory()
	})
}
