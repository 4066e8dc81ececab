// Package syncertest creates engines for tests and queries them.
package syncertest

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
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/location"
	"vademecum/index/store/sqlite"
	"vademecum/index/sync"
)

// Options are the options of a Syncer in a test.
type Options struct {
	Folders, Files []string
	Embedder       embed.Embedder
	Recogniser     *ocr.Recogniser
	Log            *slog.Logger // nil disables logging
}

// New returns a Syncer that is closed when the test ends.
func New(t testing.TB, o Options) *sync.Syncer {
	t.Helper()
	return NewInStorages(t, location.FileStorages{IndexPaths: o.Files, Model: o.Embedder.ModelIdentity()}, o)
}

// NewInStorages returns a Syncer with the given storages, which is closed when the test ends.
func NewInStorages(t testing.TB, storages roots.Storages, o Options) *sync.Syncer {
	t.Helper()
	folders, err := roots.Open(o.Folders, nil, docs.Opener{}, storages)
	indextest.Must(t, err)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	k := sync.New(folders, memindex.New(len(folders), o.Embedder), 0, o.Recogniser, o.Log)
	t.Cleanup(func() { Close(t, k) })
	return k
}

// Close closes a Syncer and its parts. It must be called only once.
func Close(t testing.TB, k *sync.Syncer) {
	t.Helper()
	k.Close()
	indextest.Must(t, k.Store.Close())
	indextest.Must(t, k.Folders.ReleaseLeases())
}

// NewLoaded returns a Syncer that has loaded the index, and is closed when the test ends.
func NewLoaded(t testing.TB, o Options) *sync.Syncer {
	t.Helper()
	k := New(t, o)
	indextest.Must(t, k.Load(t.Context()))
	return k
}

// OpenFiles opens folders with the given index files.
func OpenFiles(t testing.TB, files []string, e embed.Embedder, dirs ...string) *sync.Syncer {
	t.Helper()
	return NewLoaded(t, Options{Folders: dirs, Files: files, Embedder: e})
}

// Open opens a folder with an index of its own.
func Open(t testing.TB, files string, e embed.Embedder, dir string) *sync.Syncer {
	t.Helper()
	return OpenFiles(t, []string{filepath.Join(files, "x.db")}, e, dir)
}

// OpenTwice opens a folder twice with one index file, as two processes do.
func OpenTwice(t testing.TB, dir string) (both [2]*sync.Syncer) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = OpenFiles(t, []string{file}, indextest.NewCountingModel(t), dir)
	}
	return both
}

// FollowAll loads the commits of other processes.
func FollowAll(t testing.TB, k *sync.Syncer) {
	t.Helper()
	for i := range k.Folders {
		_, err := k.Store.Follow(t.Context(), i)
		indextest.Must(t, err)
	}
}

// MustSync brings a scope up to date and embeds it.
func MustSync(t testing.TB, k *sync.Syncer, scope sync.Scope) notice.Report {
	t.Helper()
	r, err := k.Sync(t.Context(), scope)
	indextest.Must(t, err)
	indextest.Must(t, k.Embed(t.Context()))
	return r
}

// BestDocument returns the document of the first passage found for a query.
func BestDocument(t testing.TB, k *sync.Syncer, question string) *search.Document {
	t.Helper()
	vectors, _ := k.Embedding.EmbedQuestion(t.Context(), []string{question})
	var a search.Result
	indextest.Must(t, k.Store.View(t.Context(), func(ctx context.Context, v search.View) (err error) {
		a, err = v.Search(ctx, []search.Phrasing{{Text: question, Weight: 1, Vector: vectors[0]}}, search.Filter{}, 10)
		return err
	}))
	if len(a.Candidates) == 0 {
		return &search.Document{}
	}
	return a.Candidates[0].Document
}

// BestPath returns the path of that document.
func BestPath(t testing.TB, k *sync.Syncer, question string) string {
	t.Helper()
	return BestDocument(t, k, question).Path
}

// Content returns the text of a document, "" if it does not exist.
func Content(t testing.TB, k *sync.Syncer, path string) string {
	t.Helper()
	d, ok := k.Store.Document(search.Location{Folder: 0, Path: path})
	if !ok {
		return ""
	}
	body, _, err := k.Store.Body(t.Context(), d)
	indextest.Must(t, err)
	return body.Text
}

// KeepRunning runs a Syncer until the test ends.
func KeepRunning(t *testing.T, k *sync.Syncer) {
	t.Helper()
	done := make(chan error)
	go func() { done <- k.Run(t.Context()) }()
	t.Cleanup(func() { indextest.Must(t, <-done) })
	indextest.Must(t, k.WaitComplete(t.Context()))
}

// FreshnessNotes returns the notes in a response about how fresh the index is, a line for each.
func FreshnessNotes(k *sync.Syncer) string {
	return strings.Join(notice.EnglishLines(k.Freshness().AllNotes()), "\n")
}

// WholeFolderRequest is a request to the indexer for a whole folder.
var WholeFolderRequest = sync.IndexerRequest{Areas: []sync.RequestedArea{{Base: "."}}}

// SQLiteCatalog returns the catalogue of a follower.
func SQLiteCatalog(c *live.Follower) *sqlite.Catalog { return c.Catalog.(*sqlite.Catalog) }

// StatusOf reads the status of the index of a folder on disk.
func StatusOf(t *testing.T, dir, file string) sync.FolderStatus {
	t.Helper()
	s, err := New(t, Options{Folders: []string{dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)}).ReadStatus(t.Context(), 0)
	indextest.Must(t, err)
	return s
}

// HideFolder renames a folder, so that nothing exists at its path, as if a drive were unplugged.
// The returned function restores the folder.
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
