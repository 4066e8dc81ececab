package engine_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/engine"
	"vademecum/index/engine/enginetest"
	"vademecum/index/indextest"
)

// TestMissingIsLookedForAtIntervals: a missing folder is found again without a question,
// but is not looked for all the time, as that may have a drive be mounted.
func TestMissingIsLookedForAtIntervals(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		k := enginetest.New(t, enginetest.Options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: indextest.NewCountingModel(t)})
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
			back := enginetest.HideFolder(t, n.Dir)
			k.Fresh.UnresponsiveFolders()
			l.LookForMissing()
			until(c.away)
			back()
			if took := until(time.Minute); took < c.least || took > c.most {
				t.Errorf("away for %s, it is found after %s, want %s to %s", c.away, took, c.least, c.most)
			}
			l.LookForMissing()
		}
		back := enginetest.HideFolder(t, n.Dir)
		k.Fresh.UnresponsiveFolders()
		back()
		if k.Fresh.UnresponsiveFolders(); k.Fresh.IsMissing(0) {
			t.Error("a question does not find it at once")
		}
		l.Wait()
	})
}
