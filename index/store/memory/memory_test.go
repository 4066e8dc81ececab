package memory

import (
	"context"
	"errors"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/search"
	"vademecum/index/search/searchtest"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
)

// TestContract runs what every catalogue has to fulfil.
func TestContract(t *testing.T) {
	catalogtest.Test(t, func(t *testing.T) func(string) catalog.Catalog {
		f := NewFolderContent()
		return func(model string) catalog.Catalog {
			c, _ := f.Open(model)
			return c
		}
	})
}

// TestSearch runs what every searcher has to fulfil, with what holds chunks in memory: of
// what was put, and of what is loaded again.
func TestSearch(t *testing.T) {
	open := func(t *testing.T, l searchtest.Library, again bool) search.Searcher {
		folders := make([]*FolderContent, len(l.Folders))
		for i := range folders {
			folders[i] = NewFolderContent()
		}
		load := func() *live.Store {
			st := memindex.New(len(folders), indextest.NewCountingModel(t))
			for i, f := range folders {
				c, _ := f.Open("m")
				_, err := st.Load(t.Context(), i, c)
				indextest.Must(t, err)
			}
			return st
		}
		st := load()
		for i, documents := range l.Folders {
			indextest.Must(t, st.Follower(i).SaveVectors(t.Context(), "", l.Vectors))
			for _, d := range documents {
				indextest.Must(t, st.Put(t.Context(), i, catalog.RecordWithBody{Record: d.Record, Body: d.Body}))
			}
		}
		if again {
			st = load()
		}
		return st
	}
	for name, again := range map[string]bool{"put": false, "loaded": true} {
		t.Run(name, func(t *testing.T) {
			searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, again) })
		})
	}
}

// TestCopy: a copy has the rows of what it is of, and says so unless that has changed.
func TestCopy(t *testing.T) {
	from, _ := NewFolderContent().Open("m")
	put := func(path, text string) int64 {
		t.Helper()
		e := catalog.RecordWithBody{Record: catalog.Record{Path: path, TextHash: [32]byte{byte(len(text))}}}
		e.Body.Text = text
		w, err := from.Put(t.Context(), e)
		indextest.Must(t, err)
		return w.IDs[0]
	}
	put("gone.md", "first")
	id := put("there.md", "second")
	_, err := from.Remove(t.Context(), "gone.md")
	indextest.Must(t, err)
	c, last, err := CopyCatalog(t.Context(), from, "m", catalog.ErrWriteRejected)
	indextest.Must(t, err)
	if last != 3 || c.Condition() != (catalog.Condition{State: catalog.Unsaved, Reason: catalog.ErrWriteRejected}) {
		t.Errorf("the last change is %d", last)
	}
	all, err := catalogtest.Records(t.Context(), c)
	if err != nil || len(all) != 1 || all[0].ID != id || all[0].Path != "there.md" {
		t.Errorf("the copy has %+v, %v", all, err)
	}
	w, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "new.md"}})
	if err != nil || w.IDs[0] <= id {
		t.Errorf("a new document has row %d, %v", w.IDs[0], err)
	}
}

// changing is a catalogue that another process changes while it is read.
type changing struct{ *Catalog }

func (c changing) EachPage(ctx context.Context, f func([]catalog.Record) error) error {
	if err := c.Catalog.EachPage(ctx, f); err != nil {
		return err
	}
	_, err := c.Put(ctx, catalog.RecordWithBody{Record: catalog.Record{Path: "later.md"}})
	return err
}

// TestCopyOfWhatChanges: a copy tells that others have changed something meanwhile.
func TestCopyOfWhatChanges(t *testing.T) {
	from, _ := NewFolderContent().Open("m")
	_, err := from.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "there.md"}})
	indextest.Must(t, err)
	if _, last, err := CopyCatalog(t.Context(), changing{from}, "m", catalog.ErrWriteRejected); err != nil || last != -1 {
		t.Errorf("the last change is %d, %v", last, err)
	}
}

// TestDamage: a row that is not what was put is reported, and noted.
func TestDamage(t *testing.T) {
	c, _ := NewFolderContent().Open("m")
	w, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "there.md"}})
	indextest.Must(t, err)
	c.rows[w.IDs[0]].Row.RecordChecksum++
	if _, err := c.Record(t.Context(), w.IDs[0]); !errors.Is(err, catalog.ErrDamaged) || c.Condition().State != catalog.Damaged {
		t.Errorf("%v, %+v", err, c.Condition())
	}
}
