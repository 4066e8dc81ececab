// Package enginetest makes engines for tests, and asks them.
package enginetest

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/index/engine"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/peer"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/sqlite"
	"vademecum/index/storage"
	"vademecum/index/syncer"
)

// Options say what an Engine of a test is made of.
type Options struct {
	Folders, Files []string
	Embedder       embed.Embedder
	Recogniser     *ocr.Recogniser
	Log            *slog.Logger // nil: nothing is logged
}

// New makes an Engine whose parts are closed at the test's end.
func New(t testing.TB, o Options) *engine.Engine {
	t.Helper()
	return NewInStorages(t, storage.Files{Paths: o.Files, Model: o.Embedder.Model()}, o)
}

// NewInStorages is New with other storages.
func NewInStorages(t testing.TB, storages roots.Storages, o Options) *engine.Engine {
	t.Helper()
	folders, err := roots.Open(o.Folders, nil, docs.Open, storages)
	indextest.Must(t, err)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	k := engine.New(folders, memindex.New(len(folders), o.Embedder), 0, o.Recogniser, o.Log)
	t.Cleanup(func() { Close(t, k) })
	return k
}

// Close closes an Engine and all that it has, once.
func Close(t testing.TB, k *engine.Engine) {
	t.Helper()
	k.Indexer.Close()
	indextest.Must(t, k.Store.Close())
	indextest.Must(t, k.Folders.ReleaseDuties())
}

// NewLoaded is New, and loads it.
func NewLoaded(t testing.TB, o Options) *engine.Engine {
	t.Helper()
	k := New(t, o)
	indextest.Must(t, k.Recovery.Load(t.Context()))
	return k
}

// OpenFiles opens folders with their index files named.
func OpenFiles(t testing.TB, files []string, e embed.Embedder, dirs ...string) *engine.Engine {
	t.Helper()
	return NewLoaded(t, Options{Folders: dirs, Files: files, Embedder: e})
}

// Open opens a folder whose index nobody else has.
func Open(t testing.TB, files string, e embed.Embedder, dir string) *engine.Engine {
	t.Helper()
	return OpenFiles(t, []string{filepath.Join(files, "x.db")}, e, dir)
}

// OpenTwice opens a folder twice with one index file, as two processes do.
func OpenTwice(t testing.TB, dir string) (both [2]*engine.Engine) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = OpenFiles(t, []string{file}, indextest.NewCountingModel(t), dir)
	}
	return both
}

// FollowAll takes over what other processes have committed.
func FollowAll(t testing.TB, k *engine.Engine) {
	t.Helper()
	for i := range k.Folders {
		_, err := k.Store.Follow(t.Context(), i)
		indextest.Must(t, err)
	}
}

// MustSync brings a scope up to date, and embeds.
func MustSync(t testing.TB, k *engine.Engine, scope syncer.Scope) notice.Report {
	t.Helper()
	r, err := k.Syncer.Sync(t.Context(), scope)
	indextest.Must(t, err)
	indextest.Must(t, k.Embed(t.Context()))
	return r
}

// BestDocument is the document whose passage a question finds first.
func BestDocument(t testing.TB, k *engine.Engine, question string) *search.Document {
	t.Helper()
	vectors, _ := k.Embedding.EmbedQuestion(t.Context(), []string{question})
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

// BestPath is the path of that document.
func BestPath(t testing.TB, k *engine.Engine, question string) string {
	t.Helper()
	return BestDocument(t, k, question).Path
}

// Content is what a document holds.
func Content(t testing.TB, k *engine.Engine, path string) string {
	t.Helper()
	d, ok := k.Store.Document(search.Location{Folder: 0, Path: path})
	if !ok {
		return ""
	}
	body, _, err := k.Store.Body(t.Context(), d)
	indextest.Must(t, err)
	return body.Text
}

// KeepRunning keeps an Engine running until the test ends.
func KeepRunning(t *testing.T, k *engine.Engine) {
	t.Helper()
	done := make(chan error)
	go func() { done <- k.Run(t.Context()) }()
	t.Cleanup(func() { indextest.Must(t, <-done) })
	indextest.Must(t, k.Fresh.WaitReady(t.Context()))
}

// FreshnessNotes are what an answer reports how fresh an index is, a line for each.
func FreshnessNotes(k *engine.Engine) string {
	return strings.Join(notice.Lines(k.Fresh.Notes()), "\n")
}

// StatusReader reports the folders of an Engine.
func StatusReader(e *engine.Engine) *engine.StatusReader {
	return engine.NewStatusReader(engine.StatusParts{Folders: e.Folders, Store: e.Store, Comparer: e.Comparer, Fresh: e.Fresh, Guard: e.Guard})
}

// Everything is what is asked of the process that indexes a folder.
var Everything = peer.Request{Areas: []peer.Area{{Base: "."}}}

// SQLiteCatalog is the catalogue that a follower is of.
func SQLiteCatalog(c *live.Follower) *sqlite.Catalog { return c.Catalog.(*sqlite.Catalog) }

// StatusOf reads what the index of a folder has on the disk.
func StatusOf(t *testing.T, dir, file string) engine.FolderStatus {
	t.Helper()
	s, err := StatusReader(New(t, Options{Folders: []string{dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})).ReadFolder(t.Context(), 0)
	indextest.Must(t, err)
	return s
}

// HideFolder has nothing be at the path of a folder, as where a drive is unplugged. What it
// returns puts the folder back.
func HideFolder(t *testing.T, dir string) (back func()) {
	t.Helper()
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	return func() {
		t.Helper()
		indextest.Must(t, os.Rename(dir+".away", dir))
	}
}
