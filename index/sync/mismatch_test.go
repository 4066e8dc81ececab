package sync_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestPartOfAnotherFolder: a run over a part takes nothing from the library while the
// folder as a whole was not seen to have its files: after a start, and after another
// directory was found at its path.
func TestPartOfAnotherFolder(t *testing.T) {
	n := indextest.NewNotesFolder(t, syncertest.NumberedNotes(30, "0", "1", "2"))
	file := filepath.Join(t.TempDir(), "x.db")
	first := syncertest.LoadedOfLibraries(t, []string{file}, n.Dir)
	syncertest.MustSync(t, first, sync.Scope{})
	part := sync.Scope{Paths: []string{"0"}}

	syncertest.BecomeIndexer(t, first)
	areas := []sync.Subtree{{Folder: 0, Base: "0"}}
	_, err := first.IndexAreas(t.Context(), first.NewRun(sync.Comparison{}), areas)
	indextest.Must(t, err)
	back := syncertest.ReplaceByEmpty(t, n.Dir)
	r, err := first.IndexAreas(t.Context(), first.NewRun(sync.Comparison{}), areas)
	indextest.Must(t, err)
	syncertest.MustMismatch(t, r.FolderMismatchError(areas), false, 0)
	syncertest.MustHaveDocuments(t, first, 90)
	syncertest.Close(t, first)
	for _, scope := range []sync.Scope{part, {}} {
		second := syncertest.LoadedOfLibraries(t, []string{file}, n.Dir)
		_, err = second.Sync(t.Context(), scope)
		if syncertest.MustMismatch(t, err, false, 0); !second.FreshnessPublisher.Current().OwnState.Synced.IsZero() {
			t.Error("the folder counts as compared")
		}
		syncertest.MustHaveDocuments(t, second, 90)
		syncertest.Close(t, second)
	}

	back()
	third := syncertest.LoadedOfLibraries(t, []string{file}, n.Dir)
	indextest.Must(t, os.RemoveAll(n.Path("0")))
	n.Write("1/0.md", "changed")
	if r := syncertest.MustSync(t, third, part); r.Removed != 30 || r.Indexed+r.Unchanged > 0 {
		t.Errorf("a run over a part reports %+v", r)
	}
	syncertest.MustHaveDocuments(t, third, 60)
	if r := syncertest.MustSync(t, third, sync.Scope{Paths: []string{"1"}}); r.Indexed != 1 || r.Unchanged != 29 {
		t.Errorf("a run over another part reports %+v", r)
	}
}

// TestListingBeforeDriveAway: a listing reports the directory that it is of.
func TestListingBeforeDriveAway(t *testing.T) {
	n := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0"))
	k := syncertest.LoadedOfLibraries(t, []string{filepath.Join(t.TempDir(), "x.db")}, n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	listing := func() docs.Listing {
		w, err := k.Folders[0].Watch("")
		indextest.Must(t, err)
		defer w.Close()
		return w.InitialListing()
	}
	sync := func(l docs.Listing) error {
		syncertest.BecomeIndexer(t, k)
		r, err := k.IndexAreas(t.Context(), k.NewRun(sync.Comparison{Listings: map[int]docs.Listing{0: l}}), k.AllSubtrees())
		return errors.Join(err, r.FolderMismatchError(k.AllSubtrees()))
	}
	full := listing()
	back := syncertest.ReplaceByEmpty(t, n.Dir)
	_, err := k.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	empty := listing()
	if full.RootReplacementCount != 0 || empty.RootReplacementCount != 1 {
		t.Fatalf("listings of turns %d and %d", full.RootReplacementCount, empty.RootReplacementCount)
	}
	indextest.Must(t, sync(full))
	syncertest.MustMismatch(t, sync(docs.Listing{}), false, 0)
	back()
	indextest.Must(t, k.RetryMismatched(t.Context(), 0))
	indextest.Must(t, sync(docs.Listing{}))
	empty.StartedAt = time.Now() // as if nothing had been read since
	syncertest.MustMismatch(t, sync(empty), false, 0)
	syncertest.MustHaveDocuments(t, k, 9)
}

// TestFolderBesideAnother: a folder that has not the files of its library keeps none of
// the others from being brought up to date, and what is wrong with these from nobody.
func TestFolderBesideAnother(t *testing.T) {
	t.Parallel()
	a, b, at := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	_ = os.Symlink("0", a.Path("link.md")) // where there are any: it is not indexed
	both := syncertest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	syncertest.MustSync(t, both, sync.Scope{})
	syncertest.Close(t, both)
	indextest.Must(t, os.RemoveAll(a.Path("0")))
	b.Write("late.md", "Zugzwang")

	k := syncertest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	r, err := k.Sync(t.Context(), sync.Scope{})
	syncertest.MustMismatch(t, err, true, 0)
	syncertest.MustHaveDocuments(t, k, 19)
	if s := k.State(); r.Indexed != 1 || r.Unchanged != 9 || len(r.Skipped) > 0 || s.Synced.IsZero() || s.IsBehind() {
		t.Errorf("it reports %+v, and is %+v", r, s)
	}
	if k.FreshnessPublisher.Current().Folders[0].MismatchNote == nil {
		t.Error("nothing is told of the other folder")
	}
	_, err = k.Sync(t.Context(), sync.Scope{Paths: []string{b.Dir}})
	indextest.Must(t, err)
	syncertest.Close(t, k)

	leader := syncertest.NewOfLibraries(t, files[1:], b.Dir)
	syncertest.KeepRunning(t, leader)
	for range 4 { // whichever comes first
		k = syncertest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
		b.Write("late.md", "Zugzwang "+time.Now().String())
		r, err = k.Sync(t.Context(), sync.Scope{})
		syncertest.MustMismatch(t, err, true, 0)
		if s := k.State(); r.Indexed+r.Unchanged != 10 || s.IsBehind() {
			t.Errorf("while another indexes one, it reports %+v, and is %+v", r, s)
		}
		syncertest.Close(t, k)
	}
}

// TestFailureBesideAnother: what fails in one folder is reported although another has not
// the files of its library.
func TestFailureBesideAnother(t *testing.T) {
	a, b, at := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	both := syncertest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	syncertest.MustSync(t, both, sync.Scope{})
	syncertest.Close(t, both)
	syncertest.ReplaceByEmpty(t, a.Dir)

	k := syncertest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	indextest.Must(t, k.Folders[1].Close())
	_, err := k.Sync(t.Context(), sync.Scope{})
	if err == nil || errors.As(err, new(freshness.FolderMismatchError)) || k.State().Failure == "" {
		t.Errorf("the error is %v, the failure %q", err, k.State().Failure)
	}
	for i, fails := range []bool{false, true} {
		s, err := k.DescribeFolder(t.Context(), i)
		if indextest.Must(t, err); (s.Failure != "") != fails {
			t.Errorf("of folder %d it is noted that %q failed", i, s.Failure)
		}
	}
}
