package sync_test

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
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// asked is a Syncer of folders that questions are put to, and which folders were compared for them.
type asked struct {
	*sync.Syncer
	compared []int
	err      error // of comparing
}

// newAsked makes one of a number of empty folders that were compared a while ago.
func newAsked(t *testing.T, folders int) *asked {
	t.Helper()
	var dirs, files []string
	for range folders {
		dirs, files = append(dirs, t.TempDir()), append(files, filepath.Join(t.TempDir(), "x.db"))
	}
	k := &asked{Syncer: syncertest.OpenFiles(t, files, indextest.NewCountingModel(t), dirs...)}
	syncertest.MustSync(t, k.Syncer, sync.Scope{})
	return k
}

// ask has a question bring the folders up to date.
func (k *asked) ask(t *testing.T) {
	t.Helper()
	k.Refresh(t.Context(), time.Now(), func(_ context.Context, folders []int) error {
		k.compared = append(k.compared, folders...)
		return k.err
	})
}

// TestQuestionsAreWaitedFor: what was saved before a question is found by it, and each question that
// comes later than the last scan has the folders compared.
func TestQuestionsAreWaitedFor(t *testing.T) {
	t.Parallel()
	k := newAsked(t, 2)
	note := filepath.Join(k.Folders[1].Dir(), "a.md")
	indextest.Must(t, os.WriteFile(note, []byte("alpha"), 0o600))
	if indextest.Must(t, k.WaitFresh(t.Context(), sync.WaitPurposeAutocompletion)); k.Store.CountDocuments() != 0 {
		t.Error("for a completion it was compared")
	}
	if indextest.Must(t, k.WaitFresh(t.Context(), sync.WaitPurposeAnswer)); k.Store.CountDocuments() != 1 {
		t.Error("what was saved is not found")
	}
	indextest.Must(t, k.Embed(t.Context()))
	if now := k.Freshness(); now.IsBehind() || now.MayMissDocuments() || syncertest.FreshnessNotes(k.Syncer) != "" {
		t.Errorf("it says %q", syncertest.FreshnessNotes(k.Syncer))
	}
	if k.ask(t); !slices.Equal(k.compared, []int{0, 1}) {
		t.Errorf("compared %d", k.compared)
	}
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.FullScanStartedAt = time.Now().Add(time.Hour) })
	if k.ask(t); len(k.compared) > 2 {
		t.Error("a scan that began later was not enough")
	}
}

// TestWaitInVain says that something may be missing until a question has learned otherwise.
func TestWaitInVain(t *testing.T) {
	k := newAsked(t, 1)
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsMaintaining = true })
	for name, err := range map[string]error{
		"it fails": errors.New("no"), "another has taken over": catalog.ErrLeaseLost, "the database is away": catalog.ErrDatabaseUnreachable,
	} {
		k.err = err
		before := k.Freshness()
		k.ask(t)
		if now := k.Freshness(); !now.IsBehind() || !now.Since(before, false).MayHaveMissed || !strings.Contains(syncertest.FreshnessNotes(k.Syncer), "may be behind") {
			t.Errorf("%s: it says %q", name, syncertest.FreshnessNotes(k.Syncer))
		}
		k.err = nil
		before = k.Freshness()
		k.ask(t)
		now := k.Freshness()
		if now.IsBehind() || syncertest.FreshnessNotes(k.Syncer) != "" {
			t.Errorf("%s: it still says %q", name, syncertest.FreshnessNotes(k.Syncer))
		}
		if since := now.Since(before, false); !since.HasCaughtUp || !since.MayHaveMissed {
			t.Errorf("%s: an answer between the two: caught up %t, may miss %t", name, since.HasCaughtUp, since.MayHaveMissed)
		}
	}
}

// TestSlowDrive: no question waits for a scan where they are slow, unless a folder is there again.
func TestSlowDrive(t *testing.T) {
	k := newAsked(t, 1)
	scansTake := func(all ...time.Duration) {
		for _, d := range all {
			k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(d) })
		}
	}
	scansTake(time.Minute, time.Minute)
	if k.ask(t); len(k.compared) > 0 || !k.Freshness().IsBehind() {
		t.Errorf("it was scanned %d times, behind: %t", len(k.compared), k.Freshness().IsBehind())
	}
	k.FreshnessPublisher.UpdateFolder(0, func(f *freshness.Folder) { f.IsUncomparedSinceAbsence = true })
	if k.ask(t); len(k.compared) != 1 || k.Freshness().IsBehind() {
		t.Errorf("the folder is there again, and was scanned %d times", len(k.compared))
	}
	k.FreshnessPublisher.UpdateFolder(0, func(f *freshness.Folder) { f.IsUncomparedSinceAbsence = false })
	scansTake(time.Millisecond, time.Minute) // anything may hold one up
	if k.ask(t); len(k.compared) != 2 {
		t.Error("one slow scan is no reason")
	}
}

// TestAskedDuringARun: a run that is under way may have begun before what was saved last,
// and be through when the question is answered, which says so.
func TestAskedDuringARun(t *testing.T) {
	k := newAsked(t, 1)
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.StartRun(); now.ExpectFiles(1) })
	k.ask(t)
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(nil, true) })
	if notes := syncertest.FreshnessNotes(k.Syncer); !k.Freshness().IsBehind() || !strings.Contains(notes, "may be behind") || len(k.compared) > 0 {
		t.Errorf("it says %q", notes)
	}
	if k.ask(t); k.Freshness().IsBehind() {
		t.Errorf("after a question that has compared it says %q", syncertest.FreshnessNotes(k.Syncer))
	}
}

// TestWaitForLoading fails where there is nothing to answer from yet, and says why.
func TestWaitForLoading(t *testing.T) {
	model := indextest.NewCountingModel(t)
	synctest.Test(t, func(t *testing.T) {
		k := sync.New(nil, memindex.New(0, model), 0, nil, slog.New(slog.DiscardHandler))
		defer k.Close()
		fails := func(want string, before time.Duration) {
			t.Helper()
			began := time.Now()
			if err := k.WaitFresh(t.Context(), sync.WaitPurposeAnswer); err == nil || !strings.Contains(err.Error(), want) || time.Since(began) > before {
				t.Errorf("%v instead of %s, after %s", err, want, time.Since(began))
			}
		}
		follow := func(err error) {
			k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(err) })
		}
		fails("still being loaded", time.Minute)
		follow(errors.New("a reason"))
		fails("cannot be used yet: a reason", sync.QueryWaitTimeout+time.Second)
		follow(catalog.ErrDatabaseUnreachable)
		fails(catalog.ErrDatabaseUnreachable.Error(), sync.QueryWaitTimeout+time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := k.WaitFresh(ctx, sync.WaitPurposeAnswer); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := k.WaitLoaded(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		time.AfterFunc(time.Second+time.Millisecond, func() {
			k.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.HasLoaded, now.LoadError = true, errors.New("broken") })
		})
		fails("cannot be used: broken", time.Second+time.Millisecond) // at once
		if err := k.WaitLoaded(t.Context()); err == nil {
			t.Error("no error")
		}
	})
}

// TestAllMissing: where no folder is there and nothing is known there is nothing to answer
// from, and a sync is not kept.
func TestAllMissing(t *testing.T) {
	dir, model := filepath.Join(t.TempDir(), "away"), indextest.NewCountingModel(t)
	folders, err := roots.Open([]string{dir}, nil, docs.Opener{AllowMissing: true}, location.FileStorages{IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Model: model.ModelIdentity()})
	indextest.Must(t, err)
	k := sync.New(folders, memindex.New(1, model), 0, nil, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { syncertest.Close(t, k); indextest.Must(t, folders.Close()) })
	indextest.Must(t, k.Load(t.Context()))
	if err := k.WaitFresh(t.Context(), sync.WaitPurposeAnswer); !freshness.IsMissingFolderError(err) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	indextest.Must(t, k.WaitFresh(t.Context(), sync.WaitPurposeSync))
	wasMissing := func() bool { return k.FreshnessPublisher.Current().Folders[0].IsUncomparedSinceAbsence }
	if !wasMissing() || !k.State().IsFolderMissing || !strings.Contains(syncertest.FreshnessNotes(k), dir) {
		t.Errorf("it says %q", syncertest.FreshnessNotes(k))
	}
	if _, err := k.Sync(t.Context(), sync.Scope{}); !freshness.IsMissingFolderError(err) {
		t.Error(err)
	}
	indextest.Must(t, os.Mkdir(dir, 0o700))
	if !folders[0].IsResponding() || k.IsMissing(0) || !wasMissing() {
		t.Error("it is there, and was not compared")
	}
	if syncertest.MustSync(t, k, sync.Scope{}); wasMissing() {
		t.Error("it was compared")
	}
}

// TestWaitUntilRunOver waits for runs, and not for what is read beside them.
func TestWaitUntilRunOver(t *testing.T) {
	k := newAsked(t, 1)
	k.FreshnessPublisher.Update(func(now *freshness.Snapshot) {
		now.StartRun()
		now.ExpectFiles(1)
		now.MoveToBackground(1, 1)
		now.EndRun(nil, true)
	})
	indextest.Must(t, k.WaitUntilRunOver(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := k.WaitComplete(ctx); err == nil {
		t.Error("a book is left")
	}
	k.FreshnessPublisher.Update((*freshness.Snapshot).AddReadBackgroundFile)
	indextest.Must(t, k.WaitComplete(t.Context()))
}
