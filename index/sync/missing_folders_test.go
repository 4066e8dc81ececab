package sync_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestMissingIsLookedForAtIntervals: a missing folder is found again without a question,
// but is not looked for all the time, as that may have a drive be mounted.
func TestMissingIsLookedForAtIntervals(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		k := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t)})
		l := sync.NewLoop(k)
		// until is how long it takes to find the folder, of a time at most.
		until := func(most time.Duration) time.Duration {
			for began := time.Now(); ; {
				l.LookForMissing()
				synctest.Wait()
				if since := time.Since(began); !k.IsMissing(0) || since >= most {
					return since
				}
				time.Sleep(sync.LookEvery)
			}
		}
		for _, c := range []struct{ away, least, most time.Duration }{
			{0, sync.SearchFirst, sync.SearchFirst + sync.LookEvery},
			{time.Minute, time.Second, sync.SearchMost + sync.LookEvery},
		} {
			back := syncertest.HideFolder(t, n.Dir)
			k.FindUnresponsiveFileSystems()
			l.LookForMissing()
			until(c.away)
			back()
			if took := until(time.Minute); took < c.least || took > c.most {
				t.Errorf("away for %s, it is found after %s, want %s to %s", c.away, took, c.least, c.most)
			}
			l.LookForMissing()
		}
		back := syncertest.HideFolder(t, n.Dir)
		k.FindUnresponsiveFileSystems()
		back()
		if k.FindUnresponsiveFileSystems(); k.IsMissing(0) {
			t.Error("a question does not find it at once")
		}
		l.Wait()
	})
}
