package sync_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
	"vademecum/internal/base/panics"
)

func TestPanicFailsTheRun(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := syncertest.OpenFiles(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	folder := ix.Folders[0].Folder
	ix.Folders[0].Folder = nil // whatever is asked of it panics
	areas := []sync.Subtree{{Folder: 0, Base: "."}}
	_, err := ix.IndexAreas(t.Context(), ix.NewRun(sync.Comparison{}), areas)
	ix.Folders[0].Folder = folder
	if !panics.Is(err) || !strings.Contains(ix.State().Failure.String(), "internal error") {
		t.Errorf("the run ended with %v, failure %q", err, ix.State().Failure)
	}
	if s := syncertest.StatusOf(t, n.Dir, file); !strings.Contains(s.Failure.String(), "internal error") {
		t.Errorf("status tells %q", s.Failure)
	}
	if got := syncertest.BestPath(t, ix, "alpha"); got != "a.md" {
		t.Errorf("found %q", got)
	}
	syncertest.MustSync(t, ix, sync.Scope{})
	if s := syncertest.StatusOf(t, n.Dir, file); s.Failure != "" {
		t.Errorf("after a run that did not fail status tells %q", s.Failure)
	}
}

// choosy is a catalogue that panics where a document at a path has a text.
type choosy struct {
	catalog.Catalog
	at    string
	after bool // it has been saved
}

func (c choosy) Put(ctx context.Context, entries ...catalog.RecordWithBody) (w catalog.CommitResult, err error) {
	isIt := func(e catalog.RecordWithBody) bool { return e.Path == c.at && e.SkipReason == "" }
	if c.after || !slices.ContainsFunc(entries, isIt) {
		w, err = c.Catalog.Put(ctx, entries...)
	}
	if slices.ContainsFunc(entries, isIt) {
		panic("cannot take " + c.at)
	}
	return w, err
}

// TestPanicInACommitSkipsOneDocument: those that are saved with the one to blame are
// found, be it before or after they are on the disk that it panics.
func TestPanicInACommitSkipsOneDocument(t *testing.T) {
	for _, after := range []bool{false, true} {
		n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta", "c.md": "gamma"})
		ix := syncertest.Open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
		f := ix.Store.Follower(0)
		f.Catalog = choosy{f.Catalog, "b.md", after}
		if r := syncertest.MustSync(t, ix, sync.Scope{}); r.Indexed != 2 || len(r.Skipped) != 1 || r.Skipped[0] != (notice.SkippedFile{Path: "b.md", Reason: "internal error: cannot take b.md"}) {
			t.Errorf("reported %+v", r)
		}
		for query, want := range map[string]string{"alpha": "a.md", "beta": "", "gamma": "c.md"} {
			if got := syncertest.BestPath(t, ix, query); got != want {
				t.Errorf("%q found %q, want %q", query, got, want)
			}
		}
	}
}
