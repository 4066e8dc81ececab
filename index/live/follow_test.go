package live

import (
	"context"
	"path/filepath"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// busy is a catalogue in which another process replaces a document after each page
// that is read.
type busy struct {
	*sqlite.Catalog
	other *sqlite.Catalog
	put   func(*sqlite.Catalog)
}

func (c busy) EachPage(ctx context.Context, f func([]catalog.Record) error) error {
	return c.Catalog.EachPage(ctx, func(page []catalog.Record) error {
		err := f(page)
		c.put(c.other)
		return err
	})
}

// TestReplacedBetweenPages: a document that another process replaces while all are
// read comes again in a later page. That is no damage, and it is there once.
func TestReplacedBetweenPages(t *testing.T) {
	at := sqlite.Place{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	open := func() *sqlite.Catalog {
		c, err := sqlite.Open(t.Context(), at, "m")
		must(t, err)
		return c
	}
	other, puts := open(), 0
	defer other.Close()
	put := func(c *sqlite.Catalog) {
		if puts++; puts > 3 {
			return
		}
		content := "alpha"
		_, err := c.Put(t.Context(), catalog.Entry{Record: catalog.Record{Path: "a.md", Size: int64(puts), Chunks: []catalog.Chunk{
			{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Terms: analysis.Count(analysis.Names{}, content)},
		}}, Body: text.Body{Text: content}})
		must(t, err)
	}
	put(other)
	st := NewStore(1, indextest.NewCounting(t))
	f, err := st.Load(t.Context(), 0, busy{open(), other, put})
	must(t, err)
	defer func() { must(t, st.Close()) }()
	if d, ok := st.Document(search.Location{Folder: 0, Path: "a.md"}); !ok || d.Size != 3 || st.CountDocuments() != 1 {
		t.Errorf("there are %d documents, a.md is %+v", st.CountDocuments(), d)
	}
	if chunks, _ := st.CountChunks(); chunks != 1 || puts < 3 {
		t.Errorf("there are %d chunks after %d replacements", chunks, puts)
	}
	if c := f.Catalog.(busy); c.IsSuspect() {
		t.Error("the catalogue is taken for damaged")
	}
}

// TestOwnCommitsAreFollowed: what this process commits is in memory with that, and
// is not taken for the work of another.
func TestOwnCommitsAreFollowed(t *testing.T) {
	c, err := sqlite.Open(t.Context(), sqlite.Place{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}, "m")
	must(t, err)
	st := NewStore(1, indextest.NewCounting(t))
	f, err := st.Load(t.Context(), 0, c)
	must(t, err)
	defer func() { must(t, st.Close()) }()
	skipped := func(path, why string) catalog.Entry {
		return catalog.Entry{Record: catalog.Record{Path: path, Skip: why}}
	}
	must(t, st.Put(t.Context(), 0, skipped("a.md", "it is empty"), skipped("b.md", "it is empty")))
	must(t, st.Put(t.Context(), 0, skipped("a.md", "not text")))
	must(t, st.Drop(t.Context(), 0, "a.md", "b.md"))
	last, err := c.LastChange(t.Context())
	must(t, err)
	if _, err := st.Follow(t.Context(), 0); err != nil || f.LastFollowed() != last || f.Foreign.Load() {
		t.Errorf("followed up to %d of %d, by another: %t, %v", f.LastFollowed(), last, f.Foreign.Load(), err)
	}
}
