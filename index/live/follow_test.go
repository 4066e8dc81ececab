package live_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/sqlite"
	"vademecum/internal/base/message"
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
	at := sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	open := func() *sqlite.Catalog {
		c, err := sqlite.Open(t.Context(), at, "m")
		indextest.Must(t, err)
		return c
	}
	other, puts := open(), 0
	defer other.Close()
	put := func(c *sqlite.Catalog) {
		if puts++; puts > 3 {
			return
		}
		content := "alpha"
		_, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "a.md", Size: int64(puts), Chunks: []catalog.Chunk{
			{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, content)},
		}}, Body: text.Body{Text: content}})
		indextest.Must(t, err)
	}
	put(other)
	st := memindex.New(1, indextest.NewCountingModel(t))
	f, err := st.Load(t.Context(), 0, busy{open(), other, put})
	indextest.Must(t, err)
	defer func() { indextest.Must(t, st.Close()) }()
	if d, ok := st.Document(search.Location{Folder: 0, Path: "a.md"}); !ok || d.Size != 3 || st.CountDocuments() != 1 {
		t.Errorf("there are %d documents, a.md is %+v", st.CountDocuments(), d)
	}
	if chunks, _ := st.CountChunks(); chunks != 1 || puts < 3 {
		t.Errorf("there are %d chunks after %d replacements", chunks, puts)
	}
	if f.Condition().State != catalog.Healthy {
		t.Error("the catalogue is taken for damaged")
	}
}

// TestOwnCommitsAreFollowed: what this process commits is in memory with that, and
// is not taken for the work of another.
func TestOwnCommitsAreFollowed(t *testing.T) {
	c, err := sqlite.Open(t.Context(), sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}, "m")
	indextest.Must(t, err)
	st := memindex.New(1, indextest.NewCountingModel(t))
	f, err := st.Load(t.Context(), 0, c)
	indextest.Must(t, err)
	defer func() { indextest.Must(t, st.Close()) }()
	skipped := func(path, why string) catalog.RecordWithBody {
		return catalog.RecordWithBody{Record: catalog.Record{Path: path, SkipReason: message.Message(why)}}
	}
	indextest.Must(t, st.Put(t.Context(), 0, skipped("a.md", "it is empty"), skipped("b.md", "it is empty")))
	indextest.Must(t, st.Put(t.Context(), 0, skipped("a.md", "not text")))
	indextest.Must(t, st.Remove(t.Context(), 0, "a.md", "b.md"))
	last, err := catalogtest.LastChange(t.Context(), c)
	indextest.Must(t, err)
	if _, err := st.Follow(t.Context(), 0); err != nil || f.LastFollowedChange() != last || f.ForeignChangeSinceLastCall() {
		t.Errorf("followed up to %d of %d, by another: %t, %v", f.LastFollowedChange(), last, f.ForeignChangeSinceLastCall(), err)
	}
}

// looking reports when it is asked which chunks have no vector.
type looking struct {
	live.ChunkIndex
	asked func()
}

func (l *looking) FollowVectors(ctx context.Context, folder int, f *live.Follower) error {
	l.asked()
	return l.ChunkIndex.FollowVectors(ctx, folder, f)
}

func (l *looking) OnCommit(ctx context.Context, folder int, f *live.Follower) (func(), error) {
	l.asked()
	return l.ChunkIndex.OnCommit(ctx, folder, f)
}

// skipped is a document without a text.
func skipped(path string) catalog.RecordWithBody {
	return catalog.RecordWithBody{Record: catalog.Record{Path: path, SkipReason: "it is empty"}}
}

// TestFollowedWithVectors: a change counts as followed when it is known whether it lacks
// vectors, as else all would seem to be embedded.
func TestFollowedWithVectors(t *testing.T) {
	at := sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	open := func() *live.Store {
		c, err := sqlite.Open(t.Context(), at, "m")
		indextest.Must(t, err)
		st := memindex.New(1, indextest.NewCountingModel(t))
		_, err = st.Load(t.Context(), 0, c)
		indextest.Must(t, err)
		t.Cleanup(func() { indextest.Must(t, st.Close()) })
		return st
	}
	st, other := open(), open()
	l := &looking{ChunkIndex: st.ChunkIndex}
	st.ChunkIndex = l
	f := st.Follower(0)
	for name, bring := range map[string]func(){
		"its own": func() { indextest.Must(t, st.Put(t.Context(), 0, skipped("a.md"))) },
		"another's": func() {
			indextest.Must(t, other.Put(t.Context(), 0, skipped("b.md")))
			_, err := st.Follow(t.Context(), 0)
			indextest.Must(t, err)
		},
	} {
		before, asked := f.LastFollowedChange(), 0
		l.asked = func() {
			if asked++; f.LastFollowedChange() != before {
				t.Errorf("%s change is followed before its vectors were looked for", name)
			}
		}
		if bring(); asked == 0 || f.LastFollowedChange() == before {
			t.Errorf("%s change: its vectors were looked for %d times, and %d is followed", name, asked, f.LastFollowedChange())
		}
	}
}

// tidying reports when it has time to tidy up.
type tidying struct {
	live.ChunkIndex
	tidy func()
}

func (c *tidying) OnCommit(context.Context, int, *live.Follower) (func(), error) { return c.tidy, nil }

// TestTidiedApart: what holds chunks is tidied after each commit, and nobody waits for that.
func TestTidiedApart(t *testing.T) {
	c, err := sqlite.Open(t.Context(), sqlite.Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}, "m")
	indextest.Must(t, err)
	tidied, st := 0, memindex.New(1, indextest.Builtin(t))
	t.Cleanup(func() { indextest.Must(t, st.Close()) })
	_, err = st.Load(t.Context(), 0, c)
	indextest.Must(t, err)
	st.ChunkIndex = &tidying{st.ChunkIndex, func() {
		tidied++
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := st.Follow(ctx, 0)
		indextest.Must(t, err)
	}}
	indextest.Must(t, st.Put(t.Context(), 0, skipped("a.md")))
	indextest.Must(t, st.Put(t.Context(), 0, skipped("b.md")))
	if tidied != 2 {
		t.Errorf("it was tidied %d times", tidied)
	}
}
