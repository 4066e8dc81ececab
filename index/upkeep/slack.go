package upkeep

import (
	"runtime/debug"
	"sync/atomic"
	"time"

	"vademecum/index/progress"
)

// slack is memory that was needed and is no more: to load an index, to make one and
// to save it take about as much again as it has. Go keeps that for later, and in a
// server that has read its folder there is no later.
type slack struct {
	made    atomic.Bool // by a load, a snapshot, or a scan of a large folder
	written uint64      // how often the store had been changed when the memory was given back last
}

// manyWritten is how many changes of the store are worth giving back what they
// needed: that takes 3 ms at 10,000 chunks, and 50 to 80 ms at 100,000.
const manyWritten = 1000

// giveBackAfter is how long memory is kept when a scan is through: questions that have
// waited for a start are answered first.
const giveBackAfter = time.Second

// giveBack gives the system its memory when all is done that needed it.
func (k *Keeper) giveBack() {
	written := k.store.Written()
	if !k.slack.made.Load() && written-k.slack.written < manyWritten {
		return
	}
	if s := k.fresh.State(); s.Phase != progress.Ready || s.Behind() {
		return
	}
	k.Embedding.WhileIdle(func() { // no snapshot is saved meanwhile either
		k.slack.made.Store(false)
		k.slack.written = written
		k.store.Settle()
		debug.FreeOSMemory()
	})
}
