package freshness

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/storage"
)

// recorder is an Indexer that notes which folders it was to compare.
type recorder struct {
	leads    bool
	compared []int
	err      error
}

func (r *recorder) IsIndexer(int) bool { return r.leads }

func (r *recorder) Compare(_ context.Context, folders []int) error {
	r.compared = append(r.compared, folders...)
	return r.err
}

// fixture is the freshness of some folders that hold nothing.
type fixture struct {
	*Freshness
	indexer *recorder
	late    []search.Location
}

func newFixture(t *testing.T, dirs ...string) *fixture {
	t.Helper()
	var files []string
	for range dirs {
		files = append(files, filepath.Join(t.TempDir(), "x.db"))
	}
	e := indextest.NewCountingModel(t)
	folders, err := roots.Open(dirs, nil, docs.OpenAllowMissing, storage.FileStorages{Paths: files, Model: e.Model()})
	indextest.Must(t, err)
	t.Cleanup(func() { indextest.Must(t, folders.Close()) })
	f := &fixture{indexer: &recorder{leads: true}}
	f.Freshness = New(NewTracker(len(dirs)), Sources{
		Folders: folders, Store: memindex.New(len(dirs), e), Indexer: f.indexer,
		ThrottledFiles: func() []search.Location { return f.late }, HasPending: func() bool { return false }, Log: slog.New(slog.DiscardHandler),
	})
	return f
}

// isUpToDate has it be told that all was compared a while ago.
func (f *fixture) isUpToDate() *fixture {
	f.SetLoaded()
	f.EndLoading(nil)
	f.StartRun()
	f.EndRun(nil, true)
	return f
}

func (f *fixture) lines() string { return strings.Join(notice.Lines(f.Notes()), "\n") }

// TestQuestionsAreWaitedFor: the folders are compared for each question that comes later than the last scan.
func TestQuestionsAreWaitedFor(t *testing.T) {
	f := newFixture(t, t.TempDir(), t.TempDir()).isUpToDate()
	indextest.Must(t, f.Wait(t.Context(), ForCompletion))
	if len(f.indexer.compared) > 0 {
		t.Errorf("for a completion %d were compared", f.indexer.compared)
	}
	indextest.Must(t, f.Wait(t.Context(), ForAnswer))
	if !slices.Equal(f.indexer.compared, []int{0, 1}) || f.IsBehind() || f.MayMissDocuments() || f.lines() != "" {
		t.Errorf("compared %d, says %q", f.indexer.compared, f.lines())
	}
	f.RecordFullScan(time.Now().Add(time.Hour))
	indextest.Must(t, f.Wait(t.Context(), ForSync))
	if len(f.indexer.compared) > 2 {
		t.Error("a scan that began later was not enough")
	}
}

// TestWaitInVain says that something may be missing until a question has learned otherwise.
func TestWaitInVain(t *testing.T) {
	for name, err := range map[string]error{
		"it fails": errors.New("no"), "another has taken over": catalog.ErrLeaseLost, "the database is away": catalog.ErrUnreachable,
	} {
		f := newFixture(t, t.TempDir()).isUpToDate()
		f.SetServing(true)
		f.indexer.err = err
		before := f.TakeBaseline()
		indextest.Must(t, f.Wait(t.Context(), ForAnswer))
		if !f.IsBehind() || !before.Compare(false).MayMiss || !strings.Contains(f.lines(), "may be behind") {
			t.Errorf("%s: it says %q", name, f.lines())
		}
		f.indexer.err = nil
		before = f.TakeBaseline()
		indextest.Must(t, f.Wait(t.Context(), ForAnswer))
		if f.IsBehind() || f.lines() != "" {
			t.Errorf("%s: it still says %q", name, f.lines())
		}
		if since := before.Compare(false); !since.CaughtUp || !since.MayMiss {
			t.Errorf("%s: an answer between the two: %+v", name, since)
		}
	}
}

// TestSlowDrive: no question waits for a scan where they are slow, unless a folder is there
// again.
func TestSlowDrive(t *testing.T) {
	f := newFixture(t, t.TempDir()).isUpToDate()
	f.RecordScanDuration(quickScan + 1)
	f.RecordScanDuration(quickScan + 1)
	indextest.Must(t, f.Wait(t.Context(), ForAnswer))
	if len(f.indexer.compared) > 0 || !f.IsBehind() {
		t.Errorf("it was scanned %d times, behind: %t", len(f.indexer.compared), f.IsBehind())
	}
	f.SetMissing(0)
	indextest.Must(t, f.Wait(t.Context(), ForAnswer))
	if len(f.indexer.compared) != 1 || f.IsBehind() {
		t.Errorf("the folder is there again, and was scanned %d times", len(f.indexer.compared))
	}
	f.RecordCompared(0)
	f.RecordScanDuration(quickScan / 2) // anything may hold one up
	f.RecordScanDuration(100 * quickScan)
	indextest.Must(t, f.Wait(t.Context(), ForAnswer))
	if len(f.indexer.compared) != 2 {
		t.Error("one slow scan is no reason")
	}
}

// TestAskedDuringARun: a run that is under way may have begun before what was saved last,
// and be through when the question is answered, which says so.
func TestAskedDuringARun(t *testing.T) {
	f := newFixture(t, t.TempDir()).isUpToDate()
	f.StartRun()
	f.ExpectFiles(1)
	f.refresh(t.Context(), time.Now())
	f.EndRun(nil, true)
	if !f.IsBehind() || !strings.Contains(f.lines(), "may be behind") || len(f.indexer.compared) > 0 {
		t.Errorf("it says %q", f.lines())
	}
	f.refresh(t.Context(), time.Now())
	if f.IsBehind() {
		t.Errorf("after a question that has compared it says %q", f.lines())
	}
}

// TestWaitForLoading fails where there is nothing to answer from yet, and says why.
func TestWaitForLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(NewTracker(0), Sources{Store: memindex.New(0, indextest.NewCountingModel(t))})
		fails := func(want string) {
			t.Helper()
			if err := f.Wait(t.Context(), ForCompletion); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v instead of %s", err, want)
			}
		}
		fails("still being loaded")
		f.SetFollowError(errors.New("a reason"))
		fails("cannot be used yet: a reason")
		f.SetFollowError(catalog.ErrUnreachable)
		fails(catalog.ErrUnreachable.Error())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Wait(ctx, ForAnswer); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := f.WaitLoaded(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		f.EndLoading(errors.New("broken"))
		fails("cannot be used: broken")
		if err := f.WaitLoaded(t.Context()); err == nil {
			t.Error("no error")
		}
	})
}

// TestAllMissing: where no folder is there and nothing is known there is nothing to answer
// from, and a sync is not kept.
func TestAllMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "away")
	f := newFixture(t, dir)
	f.SetLoaded()
	f.EndLoading(nil)
	if err := f.Wait(t.Context(), ForAnswer); !IsAboutMissing(err) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	indextest.Must(t, f.Wait(t.Context(), ForSync))
	if !f.IsUncomparedSinceMissing(0) || !f.State().Missing || !strings.Contains(f.lines(), dir) {
		t.Errorf("it says %q", f.lines())
	}
	_, err := f.from.Folders[0].Scan(t.Context(), ".")
	if err = f.AsMismatchIfMissing(0, err); !IsAboutMissing(err) {
		t.Error(err)
	}
	indextest.Must(t, os.Mkdir(dir, 0o700))
	if !f.from.Folders[0].Responds() || f.IsMissing(0) || !f.IsUncomparedSinceMissing(0) {
		t.Error("it is there, and was not compared")
	}
	if other := errors.New("other"); f.AsMismatchIfMissing(0, other) != other || IsAboutMissing(other) {
		t.Error("another error")
	}
}

// TestNotesOfOthers reports what is the matter with other processes and files.
func TestNotesOfOthers(t *testing.T) {
	f := newFixture(t, t.TempDir()).isUpToDate()
	has := func(want string, miss bool) {
		t.Helper()
		if !strings.Contains(f.lines(), want) || f.MayMissDocuments() != miss {
			t.Errorf("it says %q instead of %q, may miss: %t", f.lines(), want, f.MayMissDocuments())
		}
	}
	f.late = []search.Location{{Folder: 0, Path: "server.log"}, {Folder: 0, Path: "b.log"}}
	has("server.log", true)
	if since := f.TakeBaseline().Compare(false); len(since.ThrottledFilesNotes()) != 1 || len(since.Notes(true)) != 0 {
		t.Error("which is told apart")
	}
	f.late = nil
	has("", false)
	n := notice.Note{Kind: notice.FolderMismatch, Path: "/x", Library: "notes", Count: 3, Total: 4}
	f.SetMismatch(0, &n)
	has(n.String(), true)
	if !f.IsLeftToOthers(0) || IsAboutMissing(FolderMismatchError{Folders: map[int]notice.Note{0: n}}) || !strings.Contains(FolderMismatchError{Folders: map[int]notice.Note{0: n}}.Error(), "3 of the 4 documents") {
		t.Error("it is left alone")
	}
	f.SetMismatch(0, nil)
	f.SetUnwatched(0, "too many directories")
	has("", false)
	f.RecordScanDuration(time.Second)
	has("too many directories", false)
	f.SetFollowError(catalog.ErrSetupRequired)
	has(catalog.ErrSetupRequired.Error(), true)
	f.SetFollowError(catalog.ErrUnreachable)
	has(notice.Lines([]notice.Note{{Kind: notice.DatabaseUnavailable}})[0], true)
}

// TestLoss: an answer from an index that was replaced meanwhile may miss documents.
func TestLoss(t *testing.T) {
	f := newFixture(t, t.TempDir()).isUpToDate()
	before := f.TakeBaseline()
	if since := before.Compare(false); since.MayMiss || since.CaughtUp {
		t.Errorf("%+v", since)
	}
	if since := before.Compare(true); !since.MayMiss || !since.CaughtUp {
		t.Errorf("it has met a loss: %+v", since)
	}
	f.RecordIndexLost()
	if since := before.Compare(false); !since.MayMiss || !since.CaughtUp {
		t.Errorf("%+v", since)
	}
}

// TestOwed: what another process has not done is told for a while.
func TestOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewTracker(1)
		f.SetUnanswered(0, true)
		if !f.IsUnanswered(0) {
			t.Error("not at once")
		}
		time.Sleep(unansweredFor)
		if f.IsUnanswered(0) {
			t.Error("for ever")
		}
		f.SetUnanswered(0, true)
		f.SetUnanswered(0, false)
		f.SetHasIndexer(0, false)
		if f.IsUnanswered(0) || !f.LacksIndexer(0) {
			t.Error("it was done, and nobody indexes the folder")
		}
	})
}

// TestWaitRun waits for runs, and not for what is read beside them.
func TestWaitRun(t *testing.T) {
	f := newFixture(t, t.TempDir()).isUpToDate()
	f.StartRun()
	f.ExpectFiles(1)
	f.MoveToBackground(1, 1)
	f.EndRun(nil, true)
	indextest.Must(t, f.WaitRun(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := f.WaitReady(ctx); err == nil {
		t.Error("a book is left")
	}
	f.AdvanceBackground()
	indextest.Must(t, f.WaitReady(t.Context()))
	if s := f.State(); s.Phase != progress.Ready {
		t.Errorf("%+v", s)
	}
}
