package memindex

import (
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/live/livetest"
	"vademecum/index/store/sqlite"
)

// TestEmbedding runs the suite of vectors that come and go, and looks for contradictions in
// each store at its end.
func TestEmbedding(t *testing.T) {
	at := sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	open := func() *live.Store {
		c, err := sqlite.Open(t.Context(), at, "m")
		must(t, err)
		st := New(1, indextest.NewCountingModel(t))
		_, err = st.Load(t.Context(), 0, c)
		t.Cleanup(func() {
			if _, faults := st.ChunkIndex.(*Index).Contents(); len(faults) > 0 {
				t.Errorf("%q", faults)
			}
			must(t, st.Close())
		})
		must(t, err)
		return st
	}
	st := livetest.TestEmbedding(t, open)
	if held := st.InMemoryVectors(0); len(held) != 3 {
		t.Errorf("%d vectors are held, those of two, four and five are needed", len(held))
	}
	if n, err := st.CountWithoutSavedVector(t.Context(), 0); n != 1 || err != nil {
		t.Errorf("%d have no vector in the catalogue, want that of six, %v", n, err)
	}
}
