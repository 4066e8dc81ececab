package memindex

import (
	"path/filepath"
	"testing"

	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/indextest"
	"vademecum/index/live"
)

// TestVectorsComeAndGo: a store that embeds and one that follows it agree on which chunks
// have no vector, whatever was refused, forgiven, or dropped for another length.
func TestVectorsComeAndGo(t *testing.T) {
	at := sqlite.Place{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	open := func() *live.Store {
		c, err := sqlite.Open(t.Context(), at, "m")
		must(t, err)
		st := New(1, indextest.NewCounting(t))
		_, err = st.Load(t.Context(), 0, c)
		must(t, err)
		t.Cleanup(func() { must(t, st.Close()) })
		return st
	}
	first, other := open(), open()
	agree := func(step string, bare, pending int) {
		t.Helper()
		_, err := other.Follow(t.Context(), 0)
		must(t, err)
		for who, st := range map[string]*live.Store{"who embeds": first, "who follows": other, "who begins now": open()} {
			if n, p := st.CountBare(0), st.CountPending(st.Pending()); n != bare || p != pending || st.IsPending(0) != (pending > 0) {
				t.Errorf("%s, %s: %d have no vector and %d are to be embedded, want %d and %d", step, who, n, p, bare, pending)
			}
			if _, faults := st.Chunks.(*Index).Contents(); len(faults) > 0 {
				t.Errorf("%s, %s: %q", step, who, faults)
			}
		}
	}
	embed := func(length int, but string) {
		t.Helper()
		for _, d := range first.Pending() {
			chunks, whole, err := first.BareOf(t.Context(), d)
			if err != nil || !whole {
				t.Fatal(whole, err)
			}
			vectors, refused := make(map[catalog.Key][]float32), make(map[catalog.Key]string)
			for _, w := range chunks {
				if w.Input == but {
					refused[w.Key] = "it is odd"
					continue
				}
				vectors[w.Key] = make([]float32, length)
				vectors[w.Key][0] = 1
			}
			if vec := make([]float32, length); first.IsOther(vec) {
				must(t, first.DropVectors(t.Context(), vec))
			}
			must(t, first.SaveVectors(t.Context(), 0, vectors))
			must(t, first.Refuse(t.Context(), 0, chunks, refused))
			must(t, first.Attach(chunks, vectors))
		}
	}
	must(t, first.Put(t.Context(), 0, noteOf("a.md", "one"), noteOf("b.md", "odd"), noteOf("c.md", "two")))
	agree("at first", 3, 3)
	embed(4, "odd")
	agree("embedded", 1, 0)
	if all, err := other.Refused(t.Context()); err != nil || len(all) != 1 || all[0].Document.Path != "b.md" || all[0].Reason != "it is odd" {
		t.Errorf("refused are %+v, %v", all, err)
	}
	must(t, first.Put(t.Context(), 0, noteOf("d.md", "one"))) // a text that has a vector
	agree("with a text that has a vector", 1, 0)
	must(t, first.Forgive(t.Context(), 0))
	must(t, first.Put(t.Context(), 0, noteOf("e.md", "five"))) // or else nothing tells who follows
	agree("forgiven", 2, 2)
	embed(8, "") // of another length: all that had vectors is to get others
	embed(8, "")
	agree("by another model of that name", 0, 0)
	if held := first.HeldVectors(0); len(held) != 4 {
		t.Errorf("%d vectors of four texts are held", len(held))
	}
	must(t, first.Drop(t.Context(), 0, "a.md", "b.md"))
	agree("without two", 0, 0)
	must(t, first.Prune(t.Context(), 0))
	if n, err := first.CountUnembedded(t.Context(), 0); n != 0 || err != nil {
		t.Errorf("%d have no vector in the catalogue, %v", n, err)
	}
}
