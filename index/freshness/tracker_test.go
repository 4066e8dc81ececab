package freshness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
)

// short is what a state says of runs, in few words.
func short(s progress.State) string {
	line := fmt.Sprintf("%s %d/%d", s.Phase, s.Done, s.Total)
	if s.Background {
		line += " apart"
	}
	if s.Failure != "" {
		line += " failed: " + s.Failure.String()
	}
	if s.IsBehind() {
		line += " behind"
	}
	return line
}

// TestRuns: what is shown from the start of a process on, step by step.
func TestRuns(t *testing.T) {
	p := NewTracker(1)
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"it begins", func() {}, "loading 0/0 behind"},
		{"loaded", p.SetLoaded, "scanning 0/0 behind"},
		{"a run", p.StartRun, "scanning 0/0 behind"},
		{"nothing to read", func() { p.ExpectFiles(0) }, "scanning 0/0 behind"},
		{"files to read", func() { p.ExpectFiles(3) }, "indexing 0/3 behind"},
		{"nothing was read", func() { p.AdvanceFiles(0) }, "indexing 0/3 behind"},
		{"one is read", func() { p.AdvanceFiles(1) }, "indexing 1/3 behind"},
		{"none is a book", func() { p.MoveToBackground(0, 0) }, "indexing 1/3 behind"},
		{"two are books", func() { p.MoveToBackground(2, 2) }, "indexing 1/3 behind"},
		{"the run is through", func() { p.EndRun(nil, true) }, "indexing 0/2 apart behind"},
		{"another one, which meets a book again", func() { p.StartRun(); p.ExpectFiles(1); p.MoveToBackground(1, 0) }, "indexing 0/2 behind"},
		{"and fails", func() { p.EndRun(errors.New("the disk is full"), true) }, "indexing 0/2 apart failed: the disk is full behind"},
		{"a book is read", p.AdvanceBackground, "indexing 1/2 apart failed: the disk is full behind"},
		{"and the other", p.AdvanceBackground, "ready 0/0 failed: the disk is full"},
		{"a run that is not of all", func() { p.StartRun(); p.EndRun(nil, false) }, "ready 0/0"},
		{"a later run scans, and says nothing", p.StartRun, "ready 0/0"},
		{"the index is lost", func() { p.RestartFolder(0) }, "scanning 0/0 behind"},
		{"all is lost", func() { p.RecordFatal(errors.New("no index")) }, "failed 0/0 failed: no index behind"},
	} {
		step.do()
		if got := short(p.CombinedState()); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// TestSince: since when it is not ready, of which to load is no part.
func TestSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, began := NewTracker(1), time.Now()
		for _, step := range []struct {
			name string
			do   func()
			want time.Duration // after it began; below 0: never
		}{
			{"loading", func() {}, 0},
			{"loaded", p.SetLoaded, time.Minute},
			{"a run", p.StartRun, time.Minute},
			{"of files", func() { p.ExpectFiles(1) }, time.Minute},
			{"through", func() { p.AdvanceFiles(1); p.EndRun(nil, true) }, -1},
			{"the next", func() { p.StartRun(); p.ExpectFiles(1) }, 5 * time.Minute},
		} {
			step.do()
			got := p.CombinedState().Since
			if step.want < 0 && !got.IsZero() || step.want >= 0 && got.Sub(began) != step.want {
				t.Errorf("%s: since %v after it began, want %v", step.name, got.Sub(began), step.want)
			}
			time.Sleep(time.Minute)
		}
		if synced := p.CombinedState().Synced; synced.Sub(began) != 4*time.Minute {
			t.Errorf("it was complete %v after it began", synced.Sub(began))
		}
	})
}

// TestRemoval is reported while it lasts.
func TestRemoval(t *testing.T) {
	p := NewTracker(1)
	p.SetRemovals(3, 10)
	if s := p.CombinedState(); s.RemoveDone != 3 || s.RemoveTotal != 10 {
		t.Errorf("%+v", s)
	}
	p.SetRemovals(0, 0)
	if s := p.CombinedState(); s.RemoveTotal != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEmbeddingPass: how far a pass of the model is, and how it ended.
func TestEmbeddingPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewTracker(1)
		p.EndEmbedding(errors.New("it is away"))
		if s := p.CombinedState(); s.EmbedFailure != "it is away" || !s.EmbedSince.IsZero() {
			t.Errorf("%+v", s)
		}
		p.BeginEmbedding(100)
		if pace, left := p.CombinedState().EmbedPace(); pace != 0 || left != 0 || p.CombinedState().EmbedFailure == "" {
			t.Errorf("before the model has answered: %v a second, %v left", pace, left)
		}
		time.Sleep(10 * time.Second)
		p.AdvanceEmbedding(20)
		if pace, left := p.CombinedState().EmbedPace(); pace != 2 || left != 40*time.Second || p.CombinedState().EmbedFailure != "" {
			t.Errorf("%v a second, %v left, %q", pace, left, p.CombinedState().EmbedFailure)
		}
		p.EndEmbedding(nil)
		if s := p.CombinedState(); s.EmbedTotal != 0 || s.EmbedDone != 0 || !s.EmbedSince.IsZero() || s.EmbedFailure != "" {
			t.Errorf("%+v", s)
		}
		p.SetVectorIndexing(5, 9)
		if s := p.CombinedState(); s.VectorsDone != 5 || s.VectorsTotal != 9 {
			t.Errorf("%+v", s)
		}
	})
}

// TestOtherIndexer: the process that indexes a folder instead says how far it is; of two
// folders this one has the other.
func TestOtherIndexer(t *testing.T) {
	p := NewTracker(2)
	p.SetLoaded()
	p.StartRun()
	p.EndRun(nil, true)
	own := p.CombinedState().Synced
	earlier := own.Add(-time.Hour)
	for _, step := range []struct {
		name    string
		folder  int
		of      *progress.State
		want    string
		through time.Time
	}{
		{"it is at work", 1, &progress.State{Phase: progress.Indexing, Done: 2, Total: 5, Synced: earlier}, "indexing 2/5 behind", earlier},
		{"it is through", 1, &progress.State{Phase: progress.Ready, Synced: earlier}, "ready 0/0", earlier},
		{"it has failed", 1, &progress.State{Phase: progress.Ready, Synced: earlier, Failure: "full"}, "ready 0/0 failed: full", earlier},
		{"it begins", 1, &progress.State{Phase: progress.Loading}, "scanning 0/0 behind", time.Time{}},
		{"this one has taken over", 1, nil, "ready 0/0", own},
	} {
		p.SetIndexer(step.folder, step.of)
		if s := p.CombinedState(); short(s) != step.want || !s.Synced.Equal(step.through) {
			t.Errorf("%s: %s since %v, want %s", step.name, short(s), s.Synced, step.want)
		}
	}
	if s := p.OwnState(); short(s) != "ready 0/0" {
		t.Errorf("by itself it is %s", short(s))
	}
	p.SetIndexer(0, &progress.State{Phase: progress.Ready, Synced: earlier})
	p.SetIndexer(1, &progress.State{Phase: progress.Ready, Synced: earlier, Unwatched: "a network drive"})
	p.RecordFatal(errors.New("its own"))
	if s := p.CombinedState(); s.Phase != progress.Failed {
		t.Errorf("what has failed is %s", short(s))
	}
}

// TestAllIsIndexedByOthers: a process that has no folder left to index is as far as those
// that have.
func TestAllIsIndexedByOthers(t *testing.T) {
	p := NewTracker(1)
	p.SetLoaded()
	p.StartRun()
	p.ExpectFiles(9)
	synced := time.Now().Add(-time.Hour)
	p.SetIndexer(0, &progress.State{Phase: progress.Ready, Synced: synced, Unwatched: "a network drive"})
	if s := p.CombinedState(); short(s) != "ready 0/0" || !s.Synced.Equal(synced) || s.Unwatched != "a network drive" {
		t.Errorf("%s, since %v, %q", short(s), s.Synced, s.Unwatched)
	}
	p.RestartFolder(0)
	if s := p.CombinedState(); short(s) != "scanning 0/0 behind" {
		t.Errorf("when its index is lost it is %s", short(s))
	}
}

// TestOtherEmbedders: what those do that embed folders instead is added up.
func TestOtherEmbedders(t *testing.T) {
	p, early, late := NewTracker(3), time.Unix(1000, 0), time.Unix(2000, 0)
	p.SetEmbedder(0, &progress.Embedder{VectorReport: progress.VectorReport{Since: late, Done: 1, Total: 10}})
	p.SetEmbedder(2, &progress.Embedder{VectorReport: progress.VectorReport{Since: early, Done: 2, Total: 20, Failure: "it is away"}, Due: true})
	if s := p.CombinedState(); s.EmbedDone != 3 || s.EmbedTotal != 30 || !s.EmbedSince.Equal(early) || !s.EmbedDue || s.EmbedFailure != "it is away" {
		t.Errorf("%+v", s)
	}
	if others := p.EmbeddedByOthers(); len(others) != 2 || !others[0] || !others[2] {
		t.Errorf("others embed %v", others)
	}
	p.SetEmbedder(2, nil)
	if s := p.CombinedState(); s.EmbedDone != 1 || s.EmbedDue || s.EmbedFailure != "" || len(p.EmbeddedByOthers()) != 1 {
		t.Errorf("%+v, others embed %v", s, p.EmbeddedByOthers())
	}
	if s := p.OwnState(); s.EmbedTotal != 0 {
		t.Errorf("by itself: %+v", s)
	}
}

// TestUnwatched folders are reported until all are watched.
func TestUnwatched(t *testing.T) {
	p := NewTracker(2)
	p.SetUnwatched(0, "a network drive")
	p.SetUnwatched(1, "")
	if s := p.CombinedState(); s.Unwatched != "a network drive" {
		t.Errorf("it says %q", s.Unwatched)
	}
	p.SetUnwatched(0, "")
	if s := p.CombinedState(); s.Unwatched != "" {
		t.Errorf("it says %q", s.Unwatched)
	}
}

// TestKeepsUp: what is wrong with the database, until it is over.
func TestKeepsUp(t *testing.T) {
	p := NewTracker(1)
	for _, c := range []struct {
		err               error
		cut, away, refuse bool
		failure           string
	}{
		{fmt.Errorf("ask: %w", catalog.ErrUnreachable), true, true, false, "ask: " + catalog.ErrUnreachable.Error()},
		{catalog.ErrSetupRequired, true, false, false, catalog.ErrSetupRequired.Error()},
		{errors.New("else"), false, false, false, "else"},
		{nil, false, false, false, ""},
	} {
		p.SetFollowError(c.err)
		if s := p.CombinedState(); s.IsDatabaseUnavailable != c.cut || s.IsDatabaseUnreachable != c.away || s.Failure.String() != c.failure || s.IsStuck() != c.cut {
			t.Errorf("%v: %+v", c.err, s)
		}
	}
}

// TestWait: who waits is woken by each change, and gives up with its context.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewTracker(1)
		var looks []string
		ready := make(chan error, 1)
		go func() {
			ready <- p.WaitState(t.Context(), func(s progress.State) bool {
				looks = append(looks, short(s))
				return s.Phase == progress.Ready
			})
		}()
		gone, give := context.WithCancel(t.Context())
		given := make(chan error, 1)
		go func() { given <- p.WaitState(gone, func(progress.State) bool { return false }) }()
		for _, do := range []func(){p.SetLoaded, p.StartRun, func() { p.EndRun(nil, true) }} {
			synctest.Wait()
			do()
		}
		if err := <-ready; err != nil || !slices.Equal(looks, []string{"loading 0/0 behind", "scanning 0/0 behind", "scanning 0/0 behind", "ready 0/0"}) {
			t.Errorf("it saw %q, %v", looks, err)
		}
		give()
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Errorf("who gives up gets %v", err)
		}
	})
}

// TestChanges: one token for however many changes, and none for whoever is gone.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewTracker(1)
		ctx, cancel := context.WithCancel(t.Context())
		c := p.Changes(ctx)
		has := func() bool {
			select {
			case <-c:
				return true
			default:
				return false
			}
		}
		if has() {
			t.Error("there is a change at first")
		}
		for name, do := range map[string]func(){
			"loaded": p.SetLoaded, "a run is through": func() { p.EndRun(nil, true) }, "a file is read": func() { p.AdvanceFiles(1) }, "a book is read": p.AdvanceBackground, "somebody says so": p.SignalChange,
		} {
			do()
			do()
			if !has() || has() {
				t.Errorf("%s: it is not told once", name)
			}
		}
		cancel()
		synctest.Wait()
		if p.SignalChange(); has() {
			t.Error("it is told to who is gone")
		}
	})
}
