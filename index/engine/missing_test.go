package engine_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/engine"
	"vademecum/index/engine/enginetest"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/syncer"
)

// TestBackElsewhere: a folder that another process indexes is compared once when it is
// there again, and not for every question from then on.
func TestBackElsewhere(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	both := enginetest.TwoOn(t, n.Dir)
	for _, k := range both {
		_, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
		indextest.Must(t, err)
	}
	enginetest.Lead(t, both[0])
	k := both[1]
	if k.Peers.Leads(0) {
		t.Fatal("both index")
	}
	back := enginetest.TakeAway(t, n.Dir)
	if k.Fresh.Silent(); !k.Fresh.IsMissing(0) {
		t.Fatal("it is not missing")
	}
	back()
	if k.Fresh.Silent(); !k.Fresh.IsAbsent(0) {
		t.Fatal("it need not be compared")
	}
	indextest.Must(t, k.Compare(t.Context(), []int{0}))
	if k.Fresh.IsAbsent(0) {
		t.Error("it is compared for ever")
	}
}

// TestIndexInFolderThatGoes: an index that lies in its folder goes and comes back with
// it. What is known of the documents stays meanwhile, and nothing is built again.
func TestIndexInFolderThatGoes(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	k := enginetest.OpenOn(t, []string{filepath.Join(n.Dir, ".index", "x.db")}, indextest.NewCounting(t), n.Dir)
	enginetest.MustSync(t, k, syncer.Scope{})
	before, view := k.Store.Follower(0), k.Fresh.View()
	mend := func(when string) {
		t.Helper()
		indextest.Must(t, k.Recovery.Mend(t.Context(), 0))
		if f := k.Store.Follower(0); f != before || view.Compare(false).CaughtUp || len(k.Store.DocumentsIn(0, live.Anywhere)) != 1 || enginetest.OnDisk(f).IsSuspect() {
			t.Fatalf("%s: another index (%t), damaged (%t), lost (%t), %d documents", when, f != before, enginetest.OnDisk(f).IsSuspect(), view.Compare(false).CaughtUp, k.Store.CountDocuments())
		}
	}
	back := enginetest.TakeAway(t, n.Dir)
	if enginetest.OnDisk(before).HasLostLog() {
		t.Error("the log alone is lost")
	}
	mend("before anybody has looked")
	mend("while it is missing")
	back()
	k.Fresh.Silent()
	mend("when it is back")
	n.Write("b.md", "beta")
	if r := enginetest.MustSync(t, k, syncer.Scope{}); r.Total != 2 || r.Indexed != 1 {
		t.Errorf("then %+v", r)
	}
}

// TestMissingIsLookedForAtIntervals: a missing folder is found again without a question,
// but is not looked for all the time, as that may have a drive be mounted.
func TestMissingIsLookedForAtIntervals(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		k := enginetest.New(t, enginetest.Options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCounting(t)})
		l := engine.NewLoop(k)
		// until is how long it takes to find the folder, of a time at most.
		until := func(most time.Duration) time.Duration {
			for began := time.Now(); ; {
				l.LookForMissing()
				synctest.Wait()
				if since := time.Since(began); !k.Fresh.IsMissing(0) || since >= most {
					return since
				}
				time.Sleep(engine.LookEvery)
			}
		}
		for _, c := range []struct{ away, least, most time.Duration }{
			{0, engine.SearchFirst, engine.SearchFirst + engine.LookEvery},
			{time.Minute, time.Second, engine.SearchMost + engine.LookEvery},
		} {
			back := enginetest.TakeAway(t, n.Dir)
			k.Fresh.Silent()
			l.LookForMissing()
			until(c.away)
			back()
			if took := until(time.Minute); took < c.least || took > c.most {
				t.Errorf("away for %s, it is found after %s, want %s to %s", c.away, took, c.least, c.most)
			}
			l.LookForMissing()
		}
		back := enginetest.TakeAway(t, n.Dir)
		k.Fresh.Silent()
		back()
		if k.Fresh.Silent(); k.Fresh.IsMissing(0) {
			t.Error("a question does not find it at once")
		}
		l.Wait()
	})
}

// TestEmptyMountPoint: an empty directory in the place of the one that was indexed, as
// where a drive is not mounted, changes nothing, while a server runs or before one starts
// or elsewhere. One that somebody has emptied, or that has other files, is indexed.
func TestEmptyMountPoint(t *testing.T) {
	n, files := indextest.NewNotes(t, map[string]string{"a.md": "alpha"}), t.TempDir()
	k := enginetest.Open(t, files, indextest.NewCounting(t), n.Dir)
	enginetest.MustSync(t, k, syncer.Scope{})
	mustKeep := func(k *engine.Engine) {
		t.Helper()
		_, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
		if enginetest.MustBeUnlike(t, err, false, 0); !freshness.IsAboutMissing(err) || !strings.Contains(err.Error(), "its drive seems not to be mounted") || k.Store.CountDocuments() != 1 {
			t.Errorf("it says %v and has %d documents", err, k.Store.CountDocuments())
		}
	}
	back := enginetest.PutAway(t, n.Dir)
	mustKeep(k)
	other := enginetest.Open(t, files, indextest.NewCounting(t), n.Dir)
	mustKeep(other)
	enginetest.Shut(t, other)
	enginetest.Shut(t, k)
	k = enginetest.Open(t, files, indextest.NewCounting(t), n.Dir)
	mustKeep(k)
	back()
	if r := enginetest.MustSync(t, k, syncer.Scope{}); r.Total != 1 || r.Removed != 0 {
		t.Errorf("back there are %+v", r)
	}
	enginetest.PutAway(t, n.Dir)
	n.Write("b.md", "beta")
	if r := enginetest.MustSync(t, k, syncer.Scope{}); r.Total != 1 || r.Removed != 1 {
		t.Errorf("with other files there are %+v", r)
	}
	n.Remove("b.md")
	if r := enginetest.MustSync(t, k, syncer.Scope{}); r.Total != 0 || r.Removed != 1 {
		t.Errorf("emptied there are %+v", r)
	}
}
