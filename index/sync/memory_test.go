package sync_test

import (
	"fmt"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestMemoryIsGivenBack when nothing is under way any more, and once.
func TestMemoryIsGivenBack(t *testing.T) {
	notes := make(map[string]string)
	for i := range 17 {
		notes[fmt.Sprint(i, ".md")] = fmt.Sprint("alpha", i)
	}
	n := indextest.NewNotesFolder(t, notes)
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	k.RequestMemoryRelease() // as when a server has loaded it
	isDue := func() bool {
		before := k.HasGrown()
		k.ReleaseMemory()
		return before && !k.HasGrown()
	}
	if isDue() {
		t.Error("it is given back before the folder has been compared")
	}
	for range 2 {
		_, err := k.Sync(t.Context(), sync.Scope{})
		indextest.Must(t, err)
		n.Write("b.md", "one more, for which room is made for as many again")
	}
	counting := &settling{ChunkIndex: k.Store.ChunkIndex}
	k.Store.ChunkIndex = counting
	k.Embedding.WhileIdle(func() { // as a pass does, nobody else is let in
		if isDue() {
			t.Error("it is given back while passages are embedded, or a snapshot is saved")
		}
	})
	if !isDue() {
		t.Error("it is not given back")
	}
	if counting.settled != 1 {
		t.Errorf("the store was settled %d times", counting.settled)
	}
	if isDue() {
		t.Error("it is given back twice")
	}
}

// settling counts how often room is given back.
type settling struct {
	live.ChunkIndex
	settled int
}

func (s *settling) TrimCapacity() {
	s.settled++
	s.ChunkIndex.TrimCapacity()
}
