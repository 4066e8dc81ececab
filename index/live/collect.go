package live

import (
	"os"
	"runtime/debug"
	"slices"
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

// collectOften has garbage collected when memory has grown by so many percent, unless
// who runs the program says when.
func collectOften(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
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
