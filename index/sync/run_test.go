package sync_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/indextest"
	syncs "vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestFollowWhileSyncing: what is being committed must not look like what
// another process took away.
func TestFollowWhileSyncing(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d on the heart.", i)
	}
	dir := indextest.NewNotesFolder(t, files).Dir
	both := syncertest.OpenTwice(t, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				syncertest.FollowAll(t, both[0])
			}
		}
	}()
	var group sync.WaitGroup
	for _, ix := range both {
		group.Go(func() {
			if _, err := ix.IndexAreas(t.Context(), ix.NewRun(syncs.Comparison{}), ix.AllSubtrees()); err != nil { // as where there are no locks
				t.Error(err)
			}
		})
	}
	group.Wait()
	close(stop)
	<-stopped
	for i, ix := range both {
		syncertest.FollowAll(t, ix)
		if n := ix.Store.CountDocuments(); n != 200 {
			t.Errorf("index %d has %d documents, want 200", i, n)
		}
		for _, d := range ix.Store.All() {
			if syncertest.Content(t, ix, d.Path) == "" {
				t.Fatalf("%s has no text", d.Path)
			}
		}
	}
}

func TestManyChangedPaths(t *testing.T) {
	files := make(map[string]string)
	for i := range 300 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	n := indextest.NewNotesFolder(t, files)
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, syncs.Scope{})
	var changed []syncs.Subtree
	for i := range 300 {
		changed = append(changed, syncs.Subtree{Folder: 0, Base: fmt.Sprintf("%d.md", i)})
		if i%2 == 0 {
			n.Remove(fmt.Sprintf("%d.md", i))
		} else {
			n.Write(fmt.Sprintf("%d.md", i), fmt.Sprintf("Changed note %d.", i))
		}
	}
	for _, part := range [][]syncs.Subtree{changed[:20], changed[20:]} {
		if _, err := ix.IndexAreas(t.Context(), ix.NewRun(syncs.Comparison{}), part); err != nil {
			t.Fatal(err)
		}
	}
	if n := ix.Store.CountDocuments(); n != 150 {
		t.Errorf("%d documents, want 150", n)
	}
	if got := syncertest.BestPath(t, ix, "changed note 299"); got != "299.md" {
		t.Errorf("found %q", got)
	}
}

// TestListingSparesAScan: a run takes the listing that it is given for a scan of its
// folder, once, unless a document has been read since that began: its file may have
// come later.
func TestListingSparesAScan(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, syncs.Scope{})
	withListing := func(began time.Time) *syncs.Run {
		files, err := ix.Folders[0].Scan(t.Context(), "a.md") // b.md looks as if it were gone
		if err != nil {
			t.Fatal(err)
		}
		r := ix.NewRun(syncs.Comparison{Listings: map[int]docs.Listing{0: {Files: files, StartedAt: began, Duration: time.Hour}}})
		r, err = ix.IndexAreas(t.Context(), r, ix.AllSubtrees())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := withListing(time.Now().Add(-time.Hour)); r.Report.Removed > 0 || ix.Store.CountDocuments() != 2 {
		t.Errorf("a listing from before a document was read has taken it away: %+v", r.Report)
	}
	began := time.Now()
	r := withListing(began)
	if r.Report.Removed != 1 || r.ScanDuration < time.Hour {
		t.Errorf("the listing was not used: %+v in %s", r.Report, r.ScanDuration)
	}
	if ix.FreshnessPublisher.Current().FullScanStartedAt.After(began) || !ix.FreshnessPublisher.Current().FullScanStartedAt.After(began.Add(-1)) {
		t.Error("the scan is not said to have begun when the listing did")
	}
	if len(r.Listings) > 0 {
		t.Error("a listing is there for another time")
	}
}

// TestFoldersOneAfterTheOther: a server of several folders comes to each of them by
// itself, and knows when it has been through all.
func TestFoldersOneAfterTheOther(t *testing.T) {
	a, b := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.md": "beta"})
	at := t.TempDir()
	k := syncertest.OpenFiles(t, []string{at + "/a.db", at + "/b.db"}, indextest.NewCountingModel(t), a.Dir, b.Dir)
	for _, folder := range []int{0, 1} {
		if !k.State().Synced.IsZero() {
			t.Errorf("all is taken for scanned before folder %d is", folder)
		}
		if _, err := k.IndexAreas(t.Context(), k.NewRun(syncs.Comparison{}), []syncs.Subtree{{Folder: folder, Base: "."}}); err != nil {
			t.Fatal(err)
		}
	}
	if k.State().Synced.IsZero() {
		t.Error("all was scanned, and is not taken for it")
	}
}
