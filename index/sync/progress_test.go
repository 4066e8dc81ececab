package sync_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestProgressCountsWhatIsToBeRead: files that are as they were are not counted,
// and the note says so. Those are that are read apart later, and those of every
// folder, before the first is read.
func TestProgressCountsWhatIsToBeRead(t *testing.T) {
	n, m := indextest.NewNotesFolder(t, indextest.ManyFiles(20)), indextest.NewNotesFolder(t, map[string]string{"c.md": "gamma", "d.md": "delta"})
	at := t.TempDir()
	ix := syncertest.OpenFiles(t, []string{filepath.Join(at, "n.db"), filepath.Join(at, "m.db")}, indextest.NewCountingModel(t), n.Dir, m.Dir)
	syncertest.MustSync(t, ix, sync.Scope{Paths: []string{n.Dir}})
	readLongAgo(ix)
	n.Write("large.md", strings.Repeat("A long note. ", sync.LargeFileBytes/10))
	n.Write("book.html", indextest.HTMLPage("Whales are large."))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	release := sync.HoldLarge(ix) // the run does not get over the large note
	go func() {
		_, err := ix.Sync(ctx, sync.Scope{})
		done <- err
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Phase == progress.Indexing })
	want := "The index is being built: 0 of 4 files that are new, changed or to be read again are done; ask again for a complete answer."
	indextest.Eventually(t, indextest.ShortTimeout, want, func() bool { return strings.Contains(syncertest.FreshnessNotes(ix), want) })
	cancel()
	release()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// readLongAgo has all documents be read so long after their last change that
// they cannot have changed unseen.
func readLongAgo(k *sync.Syncer) {
	for _, d := range k.Store.DocumentsIn(0, live.AnyPath) {
		r := d.Record()
		r.ReadAt = time.Now().Add(time.Hour)
		k.Store.TouchInMemory(d.Folder, []catalog.Record{r})
	}
}
