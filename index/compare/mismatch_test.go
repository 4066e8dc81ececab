package compare_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/compare"
	"vademecum/index/engine/enginetest"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/syncer"
)

// TestPartOfAnotherFolder: a run over a part takes nothing from the library while the
// folder as a whole was not seen to have its files: after a start, and after another
// directory was found at its path.
func TestPartOfAnotherFolder(t *testing.T) {
	n := indextest.NewNotesFolder(t, enginetest.NumberedNotes(30, "0", "1", "2"))
	file := filepath.Join(t.TempDir(), "x.db")
	first := enginetest.LoadedOfLibraries(t, []string{file}, n.Dir)
	enginetest.MustSync(t, first, syncer.Scope{})
	part := syncer.Scope{Paths: []string{"0"}}

	enginetest.BecomeIndexer(t, first)
	areas := []compare.Subtree{{Folder: 0, Base: "0"}}
	_, err := first.Indexer.Index(t.Context(), first.Indexer.NewRun(compare.Comparison{}), areas)
	indextest.Must(t, err)
	back := enginetest.ReplaceByEmpty(t, n.Dir)
	r, err := first.Indexer.Index(t.Context(), first.Indexer.NewRun(compare.Comparison{}), areas)
	indextest.Must(t, err)
	enginetest.MustMismatch(t, r.MismatchError(areas), false, 0)
	enginetest.MustHaveDocuments(t, first, 90)
	enginetest.Close(t, first)
	for _, scope := range []syncer.Scope{part, {}} {
		second := enginetest.LoadedOfLibraries(t, []string{file}, n.Dir)
		_, err = second.Syncer.Sync(t.Context(), scope)
		if enginetest.MustMismatch(t, err, false, 0); !second.Fresh.OwnState().Synced.IsZero() {
			t.Error("the folder counts as compared")
		}
		enginetest.MustHaveDocuments(t, second, 90)
		enginetest.Close(t, second)
	}

	back()
	third := enginetest.LoadedOfLibraries(t, []string{file}, n.Dir)
	indextest.Must(t, os.RemoveAll(n.Path("0")))
	n.Write("1/0.md", "changed")
	if r := enginetest.MustSync(t, third, part); r.Removed != 30 || r.Indexed+r.Unchanged > 0 {
		t.Errorf("a run over a part reports %+v", r)
	}
	enginetest.MustHaveDocuments(t, third, 60)
	if r := enginetest.MustSync(t, third, syncer.Scope{Paths: []string{"1"}}); r.Indexed != 1 || r.Unchanged != 29 {
		t.Errorf("a run over another part reports %+v", r)
	}
}

// TestListingBeforeDriveAway: a listing reports the directory that it is of.
func TestListingBeforeDriveAway(t *testing.T) {
	n := indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0"))
	k := enginetest.LoadedOfLibraries(t, []string{filepath.Join(t.TempDir(), "x.db")}, n.Dir)
	enginetest.MustSync(t, k, syncer.Scope{})
	listing := func() docs.Listing {
		w, err := k.Folders[0].Watch("")
		indextest.Must(t, err)
		defer w.Close()
		return w.InitialListing()
	}
	sync := func(l docs.Listing) error {
		enginetest.BecomeIndexer(t, k)
		r, err := k.Indexer.Index(t.Context(), k.Indexer.NewRun(compare.Comparison{Listings: map[int]docs.Listing{0: l}}), k.Comparer.AllSubtrees())
		return errors.Join(err, r.MismatchError(k.Comparer.AllSubtrees()))
	}
	full := listing()
	back := enginetest.ReplaceByEmpty(t, n.Dir)
	_, err := k.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	empty := listing()
	if full.ReplacementCount != 0 || empty.ReplacementCount != 1 {
		t.Fatalf("listings of turns %d and %d", full.ReplacementCount, empty.ReplacementCount)
	}
	indextest.Must(t, sync(full))
	enginetest.MustMismatch(t, sync(docs.Listing{}), false, 0)
	back()
	indextest.Must(t, k.Comparer.RetryMismatched(t.Context(), 0))
	indextest.Must(t, sync(docs.Listing{}))
	empty.StartedAt = time.Now() // as if nothing had been read since
	enginetest.MustMismatch(t, sync(empty), false, 0)
	enginetest.MustHaveDocuments(t, k, 9)
}

// TestFolderBesideAnother: a folder that has not the files of its library keeps none of
// the others from being brought up to date, and what is wrong with these from nobody.
func TestFolderBesideAnother(t *testing.T) {
	a, b, at := indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0")), indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	_ = os.Symlink("0", a.Path("link.md")) // where there are any: it is not indexed
	both := enginetest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	enginetest.MustSync(t, both, syncer.Scope{})
	enginetest.Close(t, both)
	indextest.Must(t, os.RemoveAll(a.Path("0")))
	b.Write("late.md", "Zugzwang")

	k := enginetest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	r, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
	enginetest.MustMismatch(t, err, true, 0)
	enginetest.MustHaveDocuments(t, k, 19)
	if s := k.Fresh.State(); r.Indexed != 1 || r.Unchanged != 9 || len(r.Skipped) > 0 || s.Synced.IsZero() || s.IsBehind() {
		t.Errorf("it reports %+v, and is %+v", r, s)
	}
	if k.Fresh.Mismatch(0) == nil {
		t.Error("nothing is told of the other folder")
	}
	_, err = k.Syncer.Sync(t.Context(), syncer.Scope{Paths: []string{b.Dir}})
	indextest.Must(t, err)
	enginetest.Close(t, k)

	leader := enginetest.NewOfLibraries(t, files[1:], b.Dir)
	enginetest.KeepRunning(t, leader)
	for range 4 { // whichever comes first
		k = enginetest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
		b.Write("late.md", "Zugzwang "+time.Now().String())
		r, err = k.Syncer.Sync(t.Context(), syncer.Scope{})
		enginetest.MustMismatch(t, err, true, 0)
		if s := k.Fresh.State(); r.Indexed+r.Unchanged != 10 || s.IsBehind() {
			t.Errorf("while another indexes one, it reports %+v, and is %+v", r, s)
		}
		enginetest.Close(t, k)
	}
}

// TestFailureBesideAnother: what fails in one folder is reported although another has not
// the files of its library.
func TestFailureBesideAnother(t *testing.T) {
	a, b, at := indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0")), indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	both := enginetest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	enginetest.MustSync(t, both, syncer.Scope{})
	enginetest.Close(t, both)
	enginetest.ReplaceByEmpty(t, a.Dir)

	k := enginetest.LoadedOfLibraries(t, files, a.Dir, b.Dir)
	indextest.Must(t, k.Folders[1].Close())
	_, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
	if err == nil || errors.As(err, new(freshness.FolderMismatchError)) || k.Fresh.State().Failure == "" {
		t.Errorf("the error is %v, the failure %q", err, k.Fresh.State().Failure)
	}
	for i, fails := range []bool{false, true} {
		s, err := enginetest.StatusReader(k).Describe(t.Context(), i)
		if indextest.Must(t, err); (s.Failure != "") != fails {
			t.Errorf("of folder %d it is noted that %q failed", i, s.Failure)
		}
	}
}
