package sync

import (
	"runtime/debug"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/progress"
)

// Loading, building and saving an index take about as much memory again as the index itself. Go
// retains that memory for later use, which does not occur in a server that has read its folder.

// RequestMemoryRelease makes the next call of ReleaseMemory release memory, because much was needed: for
// a load, a snapshot or a scan of a large folder.
func (s *Syncer) RequestMemoryRelease() {
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.HasSpareMemory = true })
}

// manyWritten is the number of changes of the store after which memory is released. Releasing takes
// 3 ms with 10,000 chunks, and 50 to 80 ms with 100,000.
const manyWritten = 1000

// releaseDelay is how long memory is retained after a scan, so that queries that waited for startup are
// answered first.
const releaseDelay = time.Second

// ReleaseMemory returns memory to the system when the work that needed it is done. It is not safe
// for concurrent use.
func (s *Syncer) ReleaseMemory() {
	written := s.Store.ChangeNumber()
	now := s.FreshnessPublisher.Current()
	if !now.HasSpareMemory && written-s.released < manyWritten || now.State.Phase != progress.Ready || now.State.IsBehind() {
		return
	}
	s.Embedding.WhileIdle(func() { // no snapshot is being saved then either
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.HasSpareMemory = false })
		s.released = written
		s.Store.TrimCapacity()
		debug.FreeOSMemory()
	})
}
