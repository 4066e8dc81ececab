package upkeep

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
	"vademecum/index/roots"
	"vademecum/index/say"
	"vademecum/index/search"
)

func TestMain(m *testing.M) {
	formats.RunChild()
	os.Exit(m.Run())
}

// options say what a Keeper of a test is made of.
type options struct {
	Folders, Files []string
	Embedder       embed.Embedder
}

// newKeeper makes a Keeper whose parts are closed at the test's end.
func newKeeper(t testing.TB, o options) *Keeper {
	t.Helper()
	return keeperIn(t, home.Files{Paths: o.Files, Model: o.Embedder.Model()}, o)
}

// keeperIn is newKeeper with other homes.
func keeperIn(t testing.TB, homes roots.Homes, o options) *Keeper {
	t.Helper()
	folders, err := roots.Open(o.Folders, nil, docs.Open, false, homes)
	indextest.Must(t, err)
	store := memindex.New(len(folders), o.Embedder)
	k := New(folders, store, 0, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { shut(t, k) })
	return k
}

// shut closes a Keeper and all that it has, once.
func shut(t testing.TB, k *Keeper) {
	t.Helper()
	k.Close()
	indextest.Must(t, k.store.Close())
	indextest.Must(t, k.folders.ReleaseDuties())
}

// loaded is newKeeper, and loads it.
func loaded(t testing.TB, o options) *Keeper {
	t.Helper()
	k := newKeeper(t, o)
	indextest.Must(t, k.recovery.Load(t.Context()))
	return k
}

// openOn opens folders with their index files named.
func openOn(t testing.TB, files []string, e embed.Embedder, dirs ...string) *Keeper {
	t.Helper()
	return loaded(t, options{dirs, files, e})
}

// open opens a folder whose index nobody else has.
func open(t testing.TB, files string, e embed.Embedder, dir string) *Keeper {
	t.Helper()
	return openOn(t, []string{filepath.Join(files, "x.db")}, e, dir)
}

// twoOn opens a folder twice with one index file, as two processes do.
func twoOn(t testing.TB, dir string) (both [2]*Keeper) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = openOn(t, []string{file}, indextest.NewCounting(t), dir)
	}
	return both
}

func followAll(t testing.TB, k *Keeper) {
	t.Helper()
	for i := range k.folders {
		_, err := k.store.Follow(t.Context(), i)
		indextest.Must(t, err)
	}
}

func mustSync(t testing.TB, k *Keeper, scope Scope) say.Report {
	t.Helper()
	r, err := k.Sync(t.Context(), scope)
	indextest.Must(t, err)
	indextest.Must(t, k.Embed(t.Context()))
	return r
}

// best is the document whose passage a question finds first.
func best(t testing.TB, k *Keeper, question string) *search.Document {
	t.Helper()
	vectors, _ := k.Embedding.Question(t.Context(), []string{question})
	var a search.Found
	indextest.Must(t, k.store.View(t.Context(), func(ctx context.Context, v search.View) (err error) {
		a, err = v.Search(ctx, []search.Phrasing{{Text: question, Weight: 1, Vector: vectors[0]}}, search.Filter{}, 10)
		return err
	}))
	if len(a.Candidates) == 0 {
		return &search.Document{}
	}
	return a.Candidates[0].Document
}

// found is the path of that document.
func found(t testing.TB, k *Keeper, question string) string {
	t.Helper()
	return best(t, k, question).Path
}

// content is what a document holds.
func content(t testing.TB, k *Keeper, path string) string {
	t.Helper()
	d, ok := k.store.Document(search.Location{Folder: 0, Path: path})
	if !ok {
		return ""
	}
	body, _, err := k.store.Body(t.Context(), d)
	indextest.Must(t, err)
	return body.Text
}

// keepRunning keeps a Keeper running until the test ends.
func keepRunning(t *testing.T, k *Keeper) {
	t.Helper()
	done := make(chan error)
	go func() { done <- k.Run(t.Context()) }()
	t.Cleanup(func() { indextest.Must(t, <-done) })
	indextest.Must(t, k.fresh.WaitReady(t.Context()))
}

func notes(k *Keeper) string { return strings.Join(say.Lines(k.fresh.Notes()), "\n") }
