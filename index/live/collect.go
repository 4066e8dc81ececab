package live

import (
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// manyChunks is from when on memory is worth more than the time that it takes
// to collect garbage: by default Go lets it grow to twice what is in use.
const manyChunks = 100_000

// By so many percent memory may grow then before garbage is collected. A server that
// asks a database is to stay small.
const (
	growth        = 30
	growthOfHeads = 20
)

// collectPause is for how long after a load no garbage is collected, unless somebody
// makes some before. What was loaded stays, and what a start makes besides, some 30 MB
// for 100,000 documents, is collected when the folder has been compared.
const collectPause = time.Second

// collections are those of garbage, which are a matter of the whole process: to look
// twice at an index of 100,000 chunks was a tenth of a start.
var collections struct {
	mu      sync.Mutex
	pauses  int
	percent int // that is to hold when there is no pause
}

func collectOften(percent int) {
	if os.Getenv("GOGC") != "" {
		return
	}
	collections.mu.Lock()
	defer collections.mu.Unlock()
	if collections.percent = percent; collections.pauses == 0 {
		debug.SetGCPercent(collections.percent)
	}
}

// pauseCollections has no garbage collected until resume is called first.
func pauseCollections() (resume func()) {
	collections.mu.Lock()
	defer collections.mu.Unlock()
	if collections.pauses == 0 {
		collections.percent = debug.SetGCPercent(-1)
	}
	collections.pauses++
	return sync.OnceFunc(func() {
		collections.mu.Lock()
		defer collections.mu.Unlock()
		if collections.pauses--; collections.pauses == 0 {
			debug.SetGCPercent(collections.percent)
		}
	})
}

// pause has a pause last a little longer.
func (st *Store) pause(resume func()) {
	st.Mu.Lock()
	defer st.Mu.Unlock()
	st.pauses = append(st.pauses, resume)
	time.AfterFunc(collectPause, resume)
}

// Collect has garbage collected again as ever, before the pause after a load is over.
func (st *Store) Collect() {
	st.Mu.Lock()
	pauses := st.pauses
	st.pauses = nil
	st.Mu.Unlock()
	for _, resume := range pauses {
		resume()
	}
}

// Settle gives back the room that there is for more documents, as there will be few.
// Nothing that can be searched changes.
func (st *Store) Settle() {
	st.Mu.Lock()
	defer st.Mu.Unlock()
	st.Postings.Settle()
	if cap(st.Chunks) > len(st.Chunks)+len(st.Chunks)/8 {
		st.Chunks, st.begins = slices.Clone(st.Chunks), slices.Clone(st.begins)
	}
}
