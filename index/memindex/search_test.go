package memindex

import (
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/search/searchtest"
	"vademecum/index/store/catalog"
	"vademecum/index/store/sqlite"
)

// TestContract runs what every searcher has to fulfil: of what was put, and of what
// was loaded from a snapshot.
func TestContract(t *testing.T) {
	open := func(t *testing.T, l searchtest.Library, again bool) search.Searcher {
		places := make([]sqlite.Location, len(l.Folders))
		for i := range places {
			places[i] = sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
		}
		load := func() *live.Store {
			st := New(len(places), indextest.NewCountingModel(t))
			for i, at := range places {
				c, err := sqlite.Open(t.Context(), at, "m")
				must(t, err)
				_, err = st.Load(t.Context(), i, c)
				must(t, err)
			}
			return st
		}
		st := load()
		for i, documents := range l.Folders {
			must(t, st.Follower(i).SaveVectors(t.Context(), "", l.Vectors))
			for _, d := range documents {
				must(t, st.Put(t.Context(), i, catalog.RecordWithBody{Record: d.Record, Body: d.Body}))
			}
			must(t, st.SaveSnapshot(t.Context(), i))
		}
		if again {
			must(t, st.Close())
			st = load()
		}
		t.Cleanup(func() { must(t, st.Close()) })
		return st
	}
	t.Run("put", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, false) })
	})
	t.Run("loaded", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, true) })
	})
}
