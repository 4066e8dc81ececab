package freshness

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// after is a Snapshot of some folders after steps, the first of which is to begin to load.
func after(folders int, steps ...func(*Snapshot)) *Snapshot {
	s := &Snapshot{OwnState: progress.State{Phase: progress.Loading}, Folders: make([]Folder, folders)}
	s.do(steps...)
	return s
}

func (s *Snapshot) do(steps ...func(*Snapshot)) {
	s.combine()
	for _, step := range steps {
		step(s)
		s.combine()
	}
}

func loaded(s *Snapshot) { s.OwnState.Phase = progress.Scanning }

func ended(err error) func(*Snapshot) { return func(s *Snapshot) { s.EndRun(err, true) } }

func expecting(files int) func(*Snapshot) { return func(s *Snapshot) { s.ExpectFiles(files) } }

func fails(err error) func(*Snapshot) { return func(s *Snapshot) { s.SetFollowError(err) } }

// short is what a state says of runs, in few words.
func short(s progress.State) string {
	line := fmt.Sprintf("%s %d/%d", s.Phase, s.FilesDone, s.FilesTotal)
	if s.ReadsInBackground {
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
	s := after(1)
	background := func(files, fresh int) func(*Snapshot) {
		return func(s *Snapshot) { s.MoveToBackground(files, fresh) }
	}
	for _, step := range []struct {
		name string
		do   []func(*Snapshot)
		want string
	}{
		{"it begins", nil, "loading 0/0 behind"},
		{"loaded", []func(*Snapshot){loaded}, "scanning 0/0 behind"},
		{"a run", []func(*Snapshot){(*Snapshot).StartRun}, "scanning 0/0 behind"},
		{"nothing to read", []func(*Snapshot){expecting(0)}, "scanning 0/0 behind"},
		{"files to read", []func(*Snapshot){expecting(3)}, "indexing 0/3 behind"},
		{"nothing was read", []func(*Snapshot){func(s *Snapshot) { s.AddReadFiles(0) }}, "indexing 0/3 behind"},
		{"one is read", []func(*Snapshot){func(s *Snapshot) { s.AddReadFiles(1) }}, "indexing 1/3 behind"},
		{"none is a book", []func(*Snapshot){background(0, 0)}, "indexing 1/3 behind"},
		{"two are books", []func(*Snapshot){background(2, 2)}, "indexing 1/3 behind"},
		{"the run is through", []func(*Snapshot){ended(nil)}, "indexing 0/2 apart behind"},
		{"another one, which meets a book again", []func(*Snapshot){(*Snapshot).StartRun, expecting(1), background(1, 0)}, "indexing 0/2 behind"},
		{"and fails", []func(*Snapshot){ended(errors.New("the disk is full"))}, "indexing 0/2 apart failed: the disk is full behind"},
		{"a book is read", []func(*Snapshot){(*Snapshot).AddReadBackgroundFile}, "indexing 1/2 apart failed: the disk is full behind"},
		{"and the other", []func(*Snapshot){(*Snapshot).AddReadBackgroundFile}, "ready 0/0 failed: the disk is full"},
		{"a run that is not of all", []func(*Snapshot){(*Snapshot).StartRun, func(s *Snapshot) { s.EndRun(nil, false) }}, "ready 0/0"},
		{"a later run scans, and says nothing", []func(*Snapshot){(*Snapshot).StartRun}, "ready 0/0"},
		{"the index is lost", []func(*Snapshot){func(s *Snapshot) { s.ResetFolder(0) }}, "scanning 0/0 behind"},
		{"all is lost", []func(*Snapshot){func(s *Snapshot) { s.OwnState.Phase, s.OwnState.Failure = progress.Failed, "no index" }}, "failed 0/0 failed: no index behind"},
	} {
		s.do(step.do...)
		if got := short(s.State); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}

// TestRunsEnd for who waits for them, and not for what is read beside them.
func TestRunsEnd(t *testing.T) {
	s := after(1, loaded, (*Snapshot).StartRun, expecting(2))
	if s.IsRunOver() {
		t.Error("in the middle of a run")
	}
	s.do(func(s *Snapshot) { s.MoveToBackground(2, 2) })
	if s.do(ended(nil)); !s.IsRunOver() || s.State.Phase != progress.Indexing {
		t.Errorf("with a book left: %s", short(s.State))
	}
	if s.do((*Snapshot).StartRun); s.IsRunOver() {
		t.Error("in the next run")
	}
	if s.do(ended(errors.New("no"))); !s.IsRunOver() {
		t.Error("not after a failure")
	}
	if s = after(1, func(s *Snapshot) { s.OwnState.Phase = progress.Failed }); !s.IsRunOver() {
		t.Error("not where nothing can be done")
	}
}

// TestSince: since when it is not ready, of which to load is no part.
func TestSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, began := after(1), time.Now()
		for _, step := range []struct {
			name string
			do   []func(*Snapshot)
			want time.Duration // after it began; below 0: never
		}{
			{"loading", nil, 0},
			{"loaded", []func(*Snapshot){loaded}, time.Minute},
			{"a run", []func(*Snapshot){(*Snapshot).StartRun}, time.Minute},
			{"of files", []func(*Snapshot){expecting(1)}, time.Minute},
			{"through", []func(*Snapshot){func(s *Snapshot) { s.AddReadFiles(1) }, ended(nil)}, -1},
			{"the next", []func(*Snapshot){(*Snapshot).StartRun, expecting(1)}, 5 * time.Minute},
		} {
			s.do(step.do...)
			got := s.State.Since
			if step.want < 0 && !got.IsZero() || step.want >= 0 && got.Sub(began) != step.want {
				t.Errorf("%s: since %v after it began, want %v", step.name, got.Sub(began), step.want)
			}
			time.Sleep(time.Minute)
		}
		if synced := s.State.Synced; synced.Sub(began) != 4*time.Minute {
			t.Errorf("it was complete %v after it began", synced.Sub(began))
		}
	})
}

// TestEmbeddingPass: how far a pass of the model is, and how it ended.
func TestEmbeddingPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := after(1, func(s *Snapshot) { s.EndEmbedding(errors.New("it is away")) })
		if s.State.EmbedFailure != "it is away" || !s.State.EmbedSince.IsZero() {
			t.Errorf("%+v", s.State)
		}
		s.do(func(s *Snapshot) { s.BeginEmbedding(100) })
		if pace, left := s.State.EmbedPace(); pace != 0 || left != 0 || s.State.EmbedFailure == "" {
			t.Errorf("before the model has answered: %v a second, %v left", pace, left)
		}
		time.Sleep(10 * time.Second)
		s.do(func(s *Snapshot) { s.AddEmbeddedPassages(20) })
		if pace, left := s.State.EmbedPace(); pace != 2 || left != 40*time.Second || s.State.EmbedFailure != "" {
			t.Errorf("%v a second, %v left, %q", pace, left, s.State.EmbedFailure)
		}
		s.do(func(s *Snapshot) { s.EndEmbedding(nil) })
		if s.State.EmbedTotal != 0 || s.State.EmbedDone != 0 || !s.State.EmbedSince.IsZero() || s.State.EmbedFailure != "" {
			t.Errorf("%+v", s.State)
		}
	})
}

// TestOtherIndexer: the process that indexes a folder instead says how far it is; of two
// folders this one has the other.
func TestOtherIndexer(t *testing.T) {
	s := after(2, loaded, (*Snapshot).StartRun, ended(nil))
	own := s.State.Synced
	earlier := own.Add(-time.Hour)
	for _, step := range []struct {
		name    string
		of      *progress.State
		want    string
		through time.Time
	}{
		{"it is at work", &progress.State{Phase: progress.Indexing, FilesDone: 2, FilesTotal: 5, Synced: earlier}, "indexing 2/5 behind", earlier},
		{"it is through", &progress.State{Phase: progress.Ready, Synced: earlier}, "ready 0/0", earlier},
		{"it has failed", &progress.State{Phase: progress.Ready, Synced: earlier, Failure: "full"}, "ready 0/0 failed: full", earlier},
		{"it begins", &progress.State{Phase: progress.Loading}, "scanning 0/0 behind", time.Time{}},
		{"this one has taken over", nil, "ready 0/0", own},
	} {
		s.do(func(s *Snapshot) { s.editFolder(1).IndexerState = step.of })
		if short(s.State) != step.want || !s.State.Synced.Equal(step.through) {
			t.Errorf("%s: %s since %v, want %s", step.name, short(s.State), s.State.Synced, step.want)
		}
	}
	if short(s.OwnState) != "ready 0/0" {
		t.Errorf("by itself it is %s", short(s.OwnState))
	}
	s.do(func(s *Snapshot) { s.editFolder(0).IndexerState = &progress.State{Phase: progress.Ready} }, func(s *Snapshot) { s.OwnState.Phase = progress.Failed })
	if s.State.Phase != progress.Failed {
		t.Errorf("what has failed is %s", short(s.State))
	}
}

// TestAllIsIndexedByOthers: a process that has no folder left to index is as far as those
// that have.
func TestAllIsIndexedByOthers(t *testing.T) {
	synced := time.Now().Add(-time.Hour)
	s := after(1, loaded, (*Snapshot).StartRun, expecting(9), func(s *Snapshot) {
		s.editFolder(0).IndexerState = &progress.State{Phase: progress.Ready, Synced: synced, UnwatchedReason: "a network drive"}
	})
	if short(s.State) != "ready 0/0" || !s.State.Synced.Equal(synced) || s.State.UnwatchedReason != "a network drive" {
		t.Errorf("%s, since %v, %q", short(s.State), s.State.Synced, s.State.UnwatchedReason)
	}
	if s.do(func(s *Snapshot) { s.ResetFolder(0) }); short(s.State) != "scanning 0/0 behind" {
		t.Errorf("when its index is lost it is %s", short(s.State))
	}
}

// TestOtherEmbedders: what those do that embed folders instead is added up.
func TestOtherEmbedders(t *testing.T) {
	early, late := time.Unix(1000, 0), time.Unix(2000, 0)
	s := after(3, func(s *Snapshot) {
		s.Folders[0].EmbedderProgress = &progress.EmbeddingProgress{EmbedderReport: progress.EmbedderReport{Since: late, Done: 1, Total: 10}}
		s.Folders[2].EmbedderProgress = &progress.EmbeddingProgress{EmbedderReport: progress.EmbedderReport{Since: early, Done: 2, Total: 20, Failure: "it is away"}, IsEmbeddingDue: true}
	})
	if of := s.State; of.EmbedDone != 3 || of.EmbedTotal != 30 || !of.EmbedSince.Equal(early) || !of.IsPeerEmbeddingDue || of.EmbedFailure != "it is away" {
		t.Errorf("%+v", of)
	}
	s.do(func(s *Snapshot) { s.editFolder(2).EmbedderProgress = nil })
	if of := s.State; of.EmbedDone != 1 || of.IsPeerEmbeddingDue || of.EmbedFailure != "" {
		t.Errorf("%+v", of)
	}
	if s.OwnState.EmbedTotal != 0 {
		t.Errorf("by itself: %+v", s.OwnState)
	}
}

// TestUnwatched folders are reported until all are watched, and scanned the more often the less
// that takes.
func TestUnwatched(t *testing.T) {
	s := after(2)
	if got := s.CurrentRescanInterval(); got != RescanInterval {
		t.Errorf("watched: %s", got)
	}
	s.do(func(s *Snapshot) { s.editFolder(1).UnwatchedReason = "a network drive" })
	if s.State.UnwatchedReason != "a network drive" || s.OwnState.UnwatchedReason != "a network drive" || s.CurrentRescanInterval() != unwatchedSweep {
		t.Errorf("it says %q, and scans after %s", s.State.UnwatchedReason, s.CurrentRescanInterval())
	}
	for _, step := range []struct {
		times int
		takes time.Duration
		want  time.Duration
	}{
		{1, time.Second, slowShare * time.Second},
		{2, time.Hour, RescanInterval},
		{1, time.Millisecond, unwatchedSweep},
		{1, time.Hour, unwatchedSweep}, // anything may hold one up
	} {
		for range step.times {
			s.RecordScan(step.takes)
		}
		if got := s.CurrentRescanInterval(); got != step.want {
			t.Errorf("after a scan of %s: %s, want %s", step.takes, got, step.want)
		}
	}
	if s.do(func(s *Snapshot) { s.editFolder(1).UnwatchedReason = "" }); s.State.UnwatchedReason != "" || s.OwnState.UnwatchedReason != "" {
		t.Errorf("it says %q", s.State.UnwatchedReason)
	}
}

// TestSlowScansAreTriedAgain in proportion to what they take.
func TestSlowScansAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Snapshot
		for _, step := range []struct{ takes, pause time.Duration }{
			{2 * quickScan, 2 * quickScan * slowShare},
			{RescanInterval, RescanInterval},
		} {
			s.RecordScan(step.takes)
			if s.RecordScan(step.takes); s.AreScansQuick() {
				t.Errorf("after scans of %s: at once", step.takes)
			}
			time.Sleep(step.pause - 1)
			if s.AreScansQuick() {
				t.Errorf("after scans of %s: too soon", step.takes)
			}
			if time.Sleep(2 * time.Nanosecond); !s.AreScansQuick() {
				t.Errorf("after scans of %s: never", step.takes)
			}
		}
	})
}

// TestFollowErrors: what is wrong with the database, until it is over.
func TestFollowErrors(t *testing.T) {
	s := after(1)
	for _, c := range []struct {
		err       error
		cut, away bool
		failure   string
	}{
		{fmt.Errorf("ask: %w", catalog.ErrDatabaseUnreachable), true, true, "ask: " + catalog.ErrDatabaseUnreachable.Error()},
		{catalog.ErrSetupRequired, true, false, catalog.ErrSetupRequired.Error()},
		{errors.New("else"), false, false, "else"},
		{nil, false, false, ""},
	} {
		s.do(fails(c.err))
		if of := s.State; of.IsDatabaseUnavailable != c.cut || of.IsDatabaseUnreachable != c.away || of.Failure.String() != c.failure || of.IsStuck() != c.cut {
			t.Errorf("%v: %+v", c.err, of)
		}
		if s.OwnState.Failure != "" {
			t.Errorf("%v: others are told of it", c.err)
		}
	}
}

// TestDoubt: what a question has learned does not hold for one that came later.
func TestDoubt(t *testing.T) {
	first := time.Now()
	later, last := first.Add(time.Millisecond), first.Add(2*time.Millisecond)
	s := after(1, loaded, (*Snapshot).StartRun, ended(nil))
	for _, step := range []struct {
		asked  time.Time
		unsure bool
		want   bool
	}{
		{first, false, false},
		{later, true, true},
		{first, false, true}, // it came before
		{last, false, false}, // it is sure of what the other was not
		{later, true, false},
	} {
		if s.RecordQuestion(step.asked, func(int) bool { return step.unsure }); s.IsBehind() != step.want {
			t.Errorf("after a question of %s that is unsure (%t): %t", step.asked.Sub(first), step.unsure, s.IsBehind())
		}
	}
}

// TestDoubtOfAFolder: what a later question has learned of one folder says nothing of another, of which
// answers tell until they tell that it does not answer.
func TestDoubtOfAFolder(t *testing.T) {
	s := after(2, loaded, (*Snapshot).StartRun, ended(nil))
	now := time.Now()
	s.RecordQuestion(now, func(folder int) bool { return folder == 1 })
	s.RecordQuestion(now.Add(time.Second), func(folder int) bool { return folder == 1 })
	doubt := func() bool {
		return slices.ContainsFunc(s.Notes(true), func(n notice.Note) bool { return n.Kind == notice.FreshnessUnknown })
	}
	if !s.IsBehind() || !doubt() {
		t.Errorf("the second folder is not confirmed: behind is %t, with notes %v", s.IsBehind(), s.Notes(true))
	}
	s.Folders[1].UnresponsiveFor = time.Second
	if !s.IsBehind() || doubt() {
		t.Errorf("the second folder does not answer: behind is %t, with notes %v", s.IsBehind(), s.Notes(true))
	}
	s.Folders[1].UnresponsiveFor = 0
	s.RecordQuestion(now.Add(2*time.Second), func(int) bool { return false })
	if s.IsBehind() || doubt() {
		t.Errorf("both are confirmed: behind is %t, with notes %v", s.IsBehind(), s.Notes(true))
	}
}

// TestChange: an answer from an index that was behind, or replaced meanwhile, may miss documents.
func TestChange(t *testing.T) {
	fresh := *after(1, loaded, (*Snapshot).StartRun, ended(nil))
	behind, lost, throttled := fresh, fresh, fresh
	behind.do((*Snapshot).StartRun, expecting(1))
	lost.IndexLosses++
	throttled.ThrottledFiles = []search.Location{{Path: "a.log"}}
	for name, c := range map[string]struct {
		before, now       Snapshot
		isLost            bool
		mayMiss, caughtUp bool
	}{
		"nothing":                     {before: fresh, now: fresh},
		"the question has met a loss": {before: fresh, now: fresh, isLost: true, mayMiss: true, caughtUp: true},
		"the index was replaced":      {before: fresh, now: lost, mayMiss: true, caughtUp: true},
		"it was replaced before":      {before: lost, now: lost},
		"it was behind":               {before: behind, now: fresh, mayMiss: true, caughtUp: true},
		"it is behind":                {before: fresh, now: behind, mayMiss: true},
		"it is behind all the time":   {before: behind, now: behind, mayMiss: true},
		"a file changes all the time": {before: fresh, now: throttled, mayMiss: true},
	} {
		if got := c.now.Since(c.before, c.isLost); got.MayHaveMissed != c.mayMiss || got.HasCaughtUp != c.caughtUp {
			t.Errorf("%s: may miss %t, caught up %t", name, got.MayHaveMissed, got.HasCaughtUp)
		}
	}
}

// TestUnanswered: what another process has not done is told for a while.
func TestUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Folder
		if f.HasUnansweredRequest() {
			t.Error("at first")
		}
		if f.LastUnansweredRequest = time.Now(); !f.HasUnansweredRequest() {
			t.Error("not at once")
		}
		if time.Sleep(unansweredFor); f.HasUnansweredRequest() {
			t.Error("for ever")
		}
	})
}

// TestWaitingPages: pages that wait are counted in the documents, whoever indexes their folder,
// and those wait in vain whose process recognises none.
func TestWaitingPages(t *testing.T) {
	indexer := func(pages progress.PagesToRecognise) *progress.State {
		return &progress.State{Phase: progress.Ready, Synced: time.Now(), PagesToRecognise: pages}
	}
	for _, step := range []struct {
		name          string
		first, second int             // pages of the folders
		indexer       *progress.State // of the second one
		left          int
		reason        message.Message
	}{
		{"nobody is known to index it", 3, 4, nil, 7, ""},
		{"it recognises them", 3, 4, indexer(progress.PagesToRecognise{Left: 5, Total: 9}), 7, ""},
		{"it has given up some", 3, 4, indexer(progress.PagesToRecognise{GivenUp: 4}), 3, ""},
		{"it recognises none", 3, 4, indexer(progress.PagesToRecognise{IsOff: true}), 7, withoutRecognition},
		{"it recognises none, and there are none", 3, 0, indexer(progress.PagesToRecognise{IsOff: true}), 3, ""},
	} {
		s := after(2, loaded, func(s *Snapshot) {
			s.HasRecogniser, s.OwnState.PagesToRecognise = true, progress.PagesToRecognise{Left: 1, Total: 1} // which this process counted before
			s.Folders[0].UnrecognisedPages, s.Folders[1].UnrecognisedPages, s.Folders[1].IndexerState = step.first, step.second, step.indexer
		})
		if pages := s.PagesToRecognise(); pages.Left != step.left || pages.Failure != step.reason || pages.IsOff {
			t.Errorf("%s: there are %+v, want %d, %q", step.name, pages, step.left, step.reason)
		}
	}
	s := after(2, func(s *Snapshot) {
		s.OwnState.PagesToRecognise, s.Folders[1].IndexerState = progress.PagesToRecognise{Left: 1}, indexer(progress.PagesToRecognise{Left: 5})
		s.Folders[0].UnrecognisedPages = 9
	})
	if pages := s.PagesToRecognise(); pages.Left != 6 {
		t.Errorf("where there is no program, there are %+v, want those that others tell", pages)
	}
}

// TestEdit leaves copies that were made before as they are.
func TestEdit(t *testing.T) {
	s := after(2)
	before := *s
	s.editFolder(1).IndexerPID = 7
	if before.Folders[1].IndexerPID != 0 || s.Folders[1].IndexerPID != 7 || !slices.Equal(before.Folders, make([]Folder, 2)) {
		t.Errorf("before it is %+v, then %+v", before.Folders, s.Folders)
	}
}
