package index

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/progress"

	"vademecum/index/say"
)

// TestProgressCountsWhatIsToBeRead: files that are as they were are not counted,
// and the note says so. Those are that are read apart later, and those of every
// folder, before the first is read.
func TestProgressCountsWhatIsToBeRead(t *testing.T) {
	n, m := newNotes(t, manyFiles(20)), newNotes(t, map[string]string{"c.md": "gamma", "d.md": "delta"})
	ix := loaded(t, Options{
		Folders: []string{n.dir, m.dir}, Files: []string{filepath.Join(t.TempDir(), "n.db"), filepath.Join(t.TempDir(), "m.db")},
		Embedder: newCounting(t), Logger: quietLog,
	})
	mustSync(t, ix, Scope{Paths: []string{n.dir}})
	readLongAgo(ix)
	n.write("large.md", strings.Repeat("A long note. ", largeFile/10))
	n.write("book.html", page("Whales are large."))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	ix.large.Lock() // the run does not get over the large note
	go func() {
		_, err := ix.Sync(ctx, Scope{})
		done <- err
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Phase == progress.Indexing })
	want := "The index is being built: 0 of 4 files that are new, changed or to be read again are done; ask again for a complete answer."
	within(t, seconds, want, func() bool { return strings.Contains(strings.Join(say.Lines(ix.Freshness()), "\n"), want) })
	cancel()
	ix.large.Unlock()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
