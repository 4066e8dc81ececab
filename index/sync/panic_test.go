package sync_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
	"vademecum/internal/base/panics"
)

// explosive is an embedder that panics at a word.
type explosive struct {
	*indextest.CountingModel
	at string
}

func (e *explosive) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	if e.at != "" && strings.Contains(strings.Join(texts, " "), e.at) {
		panic("cannot take " + e.at)
	}
	return e.CountingModel.Embed(ctx, kind, texts)
}

func TestPanicEndsItsPass(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha and dynamite", "b.md": "beta"})
	file := filepath.Join(t.TempDir(), "x.db")
	e := &explosive{indextest.NewCountingModel(t), "dynamite"}
	ix := syncertest.OpenFiles(t, []string{file}, e, n.Dir)
	if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Embed(t.Context()); err == nil || !strings.Contains(err.Error(), "internal error: cannot take dynamite") {
		t.Errorf("the pass ended with %v", err)
	}
	if s := syncertest.StatusOf(t, n.Dir, file); !strings.Contains(s.ModelFailure.String(), "cannot take dynamite") {
		t.Errorf("status tells %q", s.ModelFailure)
	}
	if got := syncertest.BestPath(t, ix, "alpha"); got != "a.md" {
		t.Errorf("found %q", got)
	}
	e.at = ""
	if err := ix.Embed(t.Context()); err != nil || ix.Store.CountMissingVectors(0) > 0 {
		t.Errorf("the next pass: %v, %d without a vector", err, ix.Store.CountMissingVectors(0))
	}
}

func TestPanicInMemoryLoadsItAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha stays", "b.md": "beta goes"})
	ix := syncertest.Open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	if _, _, err := ix.AddTexts(t.Context(), []string{"gamma was sent"}, nil); err != nil {
		t.Fatal(err)
	}
	ix.Store.ChunkIndex = &breaking{ChunkIndex: ix.Store.ChunkIndex, delete: true}
	n.Write("b.md", "alpha comes")
	n.Write("c.md", "delta too")
	if r := syncertest.MustSync(t, ix, sync.Scope{}); r.Indexed != 2 || len(r.Skipped) > 0 {
		t.Errorf("reported %+v", r)
	}
	for query, want := range map[string]string{"stays": "a.md", "comes": "b.md", "delta": "c.md", "goes": ""} {
		if got := syncertest.BestPath(t, ix, query); got != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
	if got := syncertest.BestPath(t, ix, "gamma"); !strings.HasPrefix(got, ingest.ClientTextURIPrefix) {
		t.Errorf("the text that was sent is lost, found %q", got)
	}
	documents := ix.Store.CountDocuments()
	chunks, bare := ix.Store.CountChunks()
	if documents != 4 || chunks != 4 || bare != 0 {
		t.Errorf("%d documents, %d chunks, %d of them bare", documents, chunks, bare)
	}
}

func TestPanicInASnapshot(t *testing.T) {
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(memindex.MinSnapshotChanges+50))
	file := filepath.Join(t.TempDir(), "x.db")
	ix := syncertest.OpenFiles(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Fatal(err)
	}
	ix.Store.ChunkIndex = &breaking{ChunkIndex: ix.Store.ChunkIndex, save: true}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := syncertest.StatusOf(t, n.Dir, file); !strings.Contains(s.SnapshotFailure.String(), "internal error") {
		t.Errorf("status tells %q", s.SnapshotFailure)
	}
	if left, err := filepath.Glob(file + memindex.SnapshotSuffix + "*"); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file + memindex.SnapshotSuffix); err != nil {
		t.Errorf("the next snapshot: %v", err)
	}
	if s := syncertest.StatusOf(t, n.Dir, file); s.SnapshotFailure != "" {
		t.Errorf("after one that was saved status tells %q", s.SnapshotFailure)
	}
}

func TestPanicWhileLoading(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	ix := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t)})
	store := ix.Store
	ix.Store = nil
	if err := ix.Load(t.Context()); !panics.Is(err) {
		t.Errorf("loading ended with %v", err)
	}
	ix.Store = store
}

// emptyTerm is the terms of a chunk as an older version saved them for "¯ word".
func emptyTerm(word string) analysis.TermCounts {
	out := binary.AppendUvarint(nil, 0)
	out = binary.AppendUvarint(out, 1)
	return append(out, analysis.CountTerms(analysis.ChunkNames{}, word)...)
}

// TestEmptyTermsOfAnOlderVersion loads rows that hold an empty term, replaces
// nearly all of them, and loads what was saved of the rest.
func TestEmptyTermsOfAnOlderVersion(t *testing.T) {
	const rows = 600
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(rows))
	file := filepath.Join(t.TempDir(), "x.db")
	ix := syncertest.OpenFiles(t, []string{file}, indextest.Builtin(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	c := ix.Store.Follower(0)
	for _, d := range ix.Store.All() {
		r, err := c.Record(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		body, ok, err := ix.Store.Body(t.Context(), d)
		if err != nil || !ok {
			t.Fatalf("%s: %v", d.Path, err)
		}
		for i := range r.Chunks {
			r.Chunks[i].Terms = emptyTerm(fmt.Sprintf("word%d", d.ID))
		}
		if _, err := c.Put(t.Context(), catalog.RecordWithBody{Record: r, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(file + memindex.SnapshotSuffix); err != nil {
		t.Fatal(err)
	}

	older := syncertest.OpenFiles(t, []string{file}, indextest.Builtin(t), n.Dir)
	for _, of := range contents(t, older) {
		if of[""] > 0 {
			t.Error("the empty term was loaded")
		}
	}
	if got := syncertest.BestPath(t, older, "word7"); got == "" {
		t.Error("nothing is found")
	}
	syncertest.MustSync(t, older, sync.Scope{Force: true})
	fresh := syncertest.OpenFiles(t, []string{file}, indextest.Builtin(t), n.Dir)
	got, want := contents(t, fresh), contents(t, older)
	for p, terms := range got {
		if !maps.Equal(terms, want[p]) {
			t.Errorf("loaded %v, want %v", terms, want[p])
		}
	}
	if len(got) != rows || len(want) != rows {
		t.Errorf("%d chunks, loaded %d", len(want), len(got))
	}
}

// contents are the terms of the documents of an index without contradictions, each of one
// chunk, by their paths.
func contents(t testing.TB, ix *sync.Syncer) map[string]map[string]int {
	t.Helper()
	held, faults := ix.Store.ChunkIndex.(*memindex.Index).Contents()
	for _, fault := range faults {
		t.Error(fault)
	}
	all := make(map[string]map[string]int)
	for d, chunks := range held {
		for _, c := range chunks {
			all[d.Path] = c.Terms
		}
	}
	return all
}

// breaking panics once when a document goes, which leaves memory half changed, or when a
// snapshot is saved.
type breaking struct {
	live.ChunkIndex
	delete, save bool
}

func (b *breaking) Delete(docs *live.Documents, d *search.Document) {
	if b.delete {
		b.delete = false
		panic("half-way")
	}
	b.ChunkIndex.Delete(docs, d)
}

func (b *breaking) SaveSnapshot(ctx context.Context, folder int) error {
	if b.save {
		b.save = false
		panic("odd")
	}
	return b.ChunkIndex.SaveSnapshot(ctx, folder)
}
