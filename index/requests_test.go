package index

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestRequestOfTheDead: a request that processes have ended at is not tried for
// ever, and who asks is told. One that was given up in good order counts as
// before.
func TestRequestOfTheDead(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix, err := New(Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t), Logger: quietLog})
	mustDo(t, err)
	mustDo(t, ix.Load(t.Context()))
	c, k := ix.store.catalogue(0), newKeeper(ix)
	number, err := c.ask(t.Context(), requestFor(ix.everything(), false))
	mustDo(t, err)
	begun := func() int {
		waiting, err := c.unanswered(t.Context())
		mustDo(t, err)
		return waiting[number].Begun
	}

	ix.syncing <- struct{}{} // it cannot come to its end
	for ended := 1; ended <= mostBegun; ended++ {
		waiting, err := c.unanswered(t.Context())
		mustDo(t, err)
		ctx, end := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- k.attempt(ctx, 0, c, number, waiting[number]) }()
		within(t, seconds, "the attempt is noted", func() bool { return begun() == ended })
		noted, err := c.unanswered(t.Context())
		mustDo(t, err)
		end()
		mustDo(t, <-over)
		if got := begun(); got != ended-1 {
			t.Errorf("given up in good order it was begun %d times, want %d", got, ended-1)
		}
		if _, err := c.amend(t.Context(), number, noted[number]); err != nil { // as if the process had died there
			t.Fatal(err)
		}
	}
	<-ix.syncing

	mustDo(t, ix.Close())
	c = started(t, file, n.dir, newCounting(t)).store.catalogue(0)
	within(t, seconds, "who asks is told", func() bool {
		a, ok, err := c.answered(t.Context(), number)
		mustDo(t, err)
		if ok && !strings.Contains(a.Error, "3 processes ended while they were at this") {
			t.Errorf("who asks is told %q", a.Error)
		}
		return ok
	})
	if asked, err := c.amend(t.Context(), number, request{}); asked || err != nil {
		t.Errorf("what was answered can be begun: %v", err)
	}
}
