package upkeep

import (
	"fmt"
	"sync"
	"testing"

	"vademecum/index/indextest"
)

// TestFollowWhileSyncing: what is being committed must not look like what
// another process took away.
func TestFollowWhileSyncing(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d on the heart.", i)
	}
	dir := indextest.NewNotes(t, files).Dir
	both := twoOn(t, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				followAll(t, both[0])
			}
		}
	}()
	var group sync.WaitGroup
	for _, ix := range both {
		group.Go(func() {
			if _, err := ix.sync(t.Context(), ix.everything(), false); err != nil { // as where there are no locks
				t.Error(err)
			}
		})
	}
	group.Wait()
	close(stop)
	<-stopped
	for i, ix := range both {
		followAll(t, ix)
		if n := ix.store.CountDocuments(); n != 200 {
			t.Errorf("index %d has %d documents, want 200", i, n)
		}
		for _, d := range ix.store.All() {
			if content(t, ix, d.Path) == "" {
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
	n := indextest.NewNotes(t, files)
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, Scope{})
	var changed []area
	for i := range 300 {
		changed = append(changed, area{folder: 0, base: fmt.Sprintf("%d.md", i)})
		if i%2 == 0 {
			n.Remove(fmt.Sprintf("%d.md", i))
		} else {
			n.Write(fmt.Sprintf("%d.md", i), fmt.Sprintf("Changed note %d.", i))
		}
	}
	for _, part := range [][]area{changed[:20], changed[20:]} {
		if _, err := ix.sync(t.Context(), part, false); err != nil {
			t.Fatal(err)
		}
	}
	if n := ix.store.CountDocuments(); n != 150 {
		t.Errorf("%d documents, want 150", n)
	}
	if got := found(t, ix, "changed note 299"); got != "299.md" {
		t.Errorf("found %q", got)
	}
}
