package freshness

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
)

// TestCountFiles follows the files of a run, those that are read beside it, and the state
// that they come to.
func TestCountFiles(t *testing.T) {
	f := NewTracker(1)
	must := func(step string, phase progress.Phase, done, total int, apart bool) {
		t.Helper()
		if s := f.Now(); s.Phase != phase || s.Done != done || s.Total != total || s.Apart != apart {
			t.Errorf("%s: %s, %d of %d, apart %t", step, s.Phase, s.Done, s.Total, s.Apart)
		}
	}
	must("at first", progress.Loading, 0, 0, false)
	f.Load()
	f.Start()
	must("a run", progress.Scanning, 0, 0, false)
	f.Expect(3)
	f.Expect(0)
	must("files", progress.Indexing, 0, 3, false)
	f.HandApart(1, 1)
	f.HandApart(0, 0)
	f.Advance(2)
	f.Advance(0)
	must("one apart", progress.Indexing, 2, 3, false)
	f.End(nil, true)
	must("the run is through", progress.Indexing, 0, 1, true)
	if f.Now().Behind() != true || !f.Now().IsThrough() {
		t.Error("a book is left")
	}
	f.AdvanceApart()
	must("all are read", progress.Ready, 0, 0, false)
	f.Start()
	f.End(errors.New("no"), true)
	if s := f.Own(); s.Failure != "no" || s.Synced.IsZero() {
		t.Errorf("%+v", s)
	}
	f.Restart(0)
	must("lost", progress.Scanning, 0, 0, false)
	f.Fail(errors.New("broken"))
	if s := f.Now(); s.Phase != progress.Failed || s.Failure != "broken" {
		t.Errorf("%+v", s)
	}
}

// TestHearOthers: what other processes do counts as if this one did it.
func TestHearOthers(t *testing.T) {
	f := NewTracker(2)
	f.Load()
	f.HearIndexer(0, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	if s := f.Now(); s.Phase != progress.Scanning {
		t.Errorf("one is left to this process, and it is %s", s.Phase)
	}
	f.HearIndexer(1, &progress.State{Phase: progress.Indexing, Done: 1, Total: 3, Synced: time.Now()})
	if s := f.Now(); s.Phase != progress.Indexing || s.Done != 1 || s.Total != 3 {
		t.Errorf("%+v", s)
	}
	f.Restart(1)
	if s := f.Now(); s.Phase != progress.Scanning || !s.Behind() {
		t.Errorf("%+v", s)
	}
	f.HearIndexer(1, nil)
	f.Start()
	f.End(nil, true)
	if s := f.Now(); s.Phase != progress.Ready || s.Behind() {
		t.Errorf("%+v", s)
	}
	f.Embed(5)
	f.AdvanceEmbedding(2)
	f.HearEmbedder(1, &progress.Embedder{VectorNews: progress.VectorNews{Since: time.Now().Add(-time.Hour), Done: 3, Total: 4, Failure: "away"}, Due: true})
	s := f.Now()
	if s.EmbedDone != 5 || s.EmbedTotal != 9 || !s.EmbedDue || s.EmbedFailure != "away" || time.Since(s.EmbedSince) < time.Hour || !f.EmbeddedByOthers()[1] {
		t.Errorf("%+v", s)
	}
	f.HearEmbedder(1, nil)
	f.Embedded(errors.New("no vectors"))
	f.IndexVectors(1, 2)
	if s := f.Now(); s.EmbedFailure != "no vectors" || s.EmbedTotal != 0 || s.EmbedDue || s.VectorsDone != 1 || len(f.EmbeddedByOthers()) > 0 {
		t.Errorf("%+v", s)
	}
}

// TestKeepsUp says what an error means for those who ask.
func TestKeepsUp(t *testing.T) {
	f := NewTracker(0)
	for _, tt := range []struct {
		err       error
		cut, away bool
	}{
		{fmt.Errorf("connect: %w", catalog.ErrUnreachable), true, true},
		{catalog.ErrUnready, true, false},
		{errors.New("else"), false, false},
		{nil, false, false},
	} {
		f.KeepsUp(tt.err)
		if s := f.Now(); s.Cut != tt.cut || s.Away != tt.away || (s.Failure != "") != (tt.err != nil) {
			t.Errorf("%v: %+v", tt.err, s)
		}
	}
}

// TestWaitAndListen: who waits is woken by what it waits for, and who listens holds at most
// one token.
func TestWaitAndListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewTracker(1)
		ctx, cancel := context.WithCancel(t.Context())
		changes := f.Changes(ctx)
		woken := make(chan error)
		go func() {
			woken <- f.Wait(ctx, func(s progress.State) bool { return s.Phase == progress.Scanning })
		}()
		synctest.Wait()
		f.KeepsUp(errors.New("no matter"))
		f.Load()
		if err := <-woken; err != nil {
			t.Error(err)
		}
		f.Signal()
		f.Signal()
		<-changes
		select {
		case <-changes:
			t.Error("two tokens")
		default:
		}
		go func() { woken <- f.Wait(ctx, func(progress.State) bool { return false }) }()
		cancel()
		if err := <-woken; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		synctest.Wait()
		if f.Signal(); len(changes) > 0 {
			t.Error("it listens still")
		}
	})
}
