package engine

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/embed"
	"vademecum/index/home"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/peer"
	"vademecum/index/roots"
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/index/status"
	"vademecum/index/syncer"
)

func TestMain(m *testing.M) {
	formats.RunChild()
	os.Exit(m.Run())
}

// options say what an Engine of a test is made of.
type options struct {
	Folders, Files []string
	Embedder       embed.Embedder
}

// newEngine makes an Engine whose parts are closed at the test's end.
func newEngine(t testing.TB, o options) *Engine {
	t.Helper()
	return engineIn(t, home.Files{Paths: o.Files, Model: o.Embedder.Model()}, o)
}

// engineIn is newEngine with other homes.
func engineIn(t testing.TB, homes roots.Homes, o options) *Engine {
	t.Helper()
	folders, err := roots.Open(o.Folders, nil, docs.Open, false, homes)
	indextest.Must(t, err)
	store := memindex.New(len(folders), o.Embedder)
	k := New(folders, store, 0, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { shut(t, k) })
	return k
}

// shut closes an Engine and all that it has, once.
func shut(t testing.TB, k *Engine) {
	t.Helper()
	k.Indexer.Close()
	indextest.Must(t, k.Store.Close())
	indextest.Must(t, k.Folders.ReleaseDuties())
}

// loaded is newEngine, and loads it.
func loaded(t testing.TB, o options) *Engine {
	t.Helper()
	k := newEngine(t, o)
	indextest.Must(t, k.Recovery.Load(t.Context()))
	return k
}

// openOn opens folders with their index files named.
func openOn(t testing.TB, files []string, e embed.Embedder, dirs ...string) *Engine {
	t.Helper()
	return loaded(t, options{dirs, files, e})
}

// open opens a folder whose index nobody else has.
func open(t testing.TB, files string, e embed.Embedder, dir string) *Engine {
	t.Helper()
	return openOn(t, []string{filepath.Join(files, "x.db")}, e, dir)
}

// twoOn opens a folder twice with one index file, as two processes do.
func twoOn(t testing.TB, dir string) (both [2]*Engine) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = openOn(t, []string{file}, indextest.NewCounting(t), dir)
	}
	return both
}

func followAll(t testing.TB, k *Engine) {
	t.Helper()
	for i := range k.Folders {
		_, err := k.Store.Follow(t.Context(), i)
		indextest.Must(t, err)
	}
}

func mustSync(t testing.TB, k *Engine, scope syncer.Scope) say.Report {
	t.Helper()
	r, err := k.Syncer.Sync(t.Context(), scope)
	indextest.Must(t, err)
	indextest.Must(t, k.Embed(t.Context()))
	return r
}

// best is the document whose passage a question finds first.
func best(t testing.TB, k *Engine, question string) *search.Document {
	t.Helper()
	vectors, _ := k.Embedding.Question(t.Context(), []string{question})
	var a search.Found
	indextest.Must(t, k.Store.View(t.Context(), func(ctx context.Context, v search.View) (err error) {
		a, err = v.Search(ctx, []search.Phrasing{{Text: question, Weight: 1, Vector: vectors[0]}}, search.Filter{}, 10)
		return err
	}))
	if len(a.Candidates) == 0 {
		return &search.Document{}
	}
	return a.Candidates[0].Document
}

// found is the path of that document.
func found(t testing.TB, k *Engine, question string) string {
	t.Helper()
	return best(t, k, question).Path
}

// content is what a document holds.
func content(t testing.TB, k *Engine, path string) string {
	t.Helper()
	d, ok := k.Store.Document(search.Location{Folder: 0, Path: path})
	if !ok {
		return ""
	}
	body, _, err := k.Store.Body(t.Context(), d)
	indextest.Must(t, err)
	return body.Text
}

// keepRunning keeps an Engine running until the test ends.
func keepRunning(t *testing.T, k *Engine) {
	t.Helper()
	done := make(chan error)
	go func() { done <- k.Run(t.Context()) }()
	t.Cleanup(func() { indextest.Must(t, <-done) })
	indextest.Must(t, k.Fresh.WaitReady(t.Context()))
}

func notes(k *Engine) string { return strings.Join(say.Lines(k.Fresh.Notes()), "\n") }

// reader tells of the folders of an Engine.
func reader(e *Engine) *status.Reader {
	return status.New(status.Parts{Folders: e.Folders, Store: e.Store, Comparer: e.Comparer, Fresh: e.Fresh, Guard: e.Guard})
}

// everything is what is asked of the process that indexes a folder.
var everything = peer.Request{Areas: []peer.Area{{Base: "."}}}
