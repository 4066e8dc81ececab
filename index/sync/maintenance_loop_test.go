package sync_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/index/indextest"
	syncs "vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestReconsiderBesideTheLoop: a folder is compared again without holding up who asks
// for it, once at a time, and not before it was noticed that it is left alone.
func TestReconsiderBesideTheLoop(t *testing.T) {
	n := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0"))
	k := syncertest.LoadedOfLibraries(t, []string{filepath.Join(t.TempDir(), "x.db")}, n.Dir)
	syncertest.MustSync(t, k, syncs.Scope{})
	k.MarkMismatched(0, syncs.Overlap{Documents: 9, MissingFiles: 9})
	l, duty := syncs.NewLoop(k), k.Folders[0].Storage.IndexingLease().(*syncertest.CountingLease)
	unlock := sync.OnceFunc(k.Store.Follower(0).LockFollowing()) // as where a comparison takes long
	defer l.Wait()
	defer unlock()
	through := make(chan struct{})
	go func() {
		defer close(through)
		l.SetLeads(0, true)
		l.ReconsiderSome(t.Context(), time.Now().Add(time.Hour))
		if l.IsReconsidering(0) {
			t.Error("it is compared before it was given up")
		}
		l.SetLeads(0, false)
		l.ReconsiderSome(t.Context(), time.Now().Add(time.Hour))
		l.ReconsiderSome(t.Context(), time.Now().Add(time.Hour))
	}()
	select {
	case <-through:
	case <-time.After(indextest.ShortTimeout):
		t.Fatal("the loop waits for a comparison")
	}
	unlock()
	l.Wait()
	if asked := duty.ResumeCount.Load(); asked != 1 || k.FreshnessPublisher.Current().Folders[0].MismatchNote != nil {
		t.Errorf("the folder was taken up %d times: %v", asked, k.FreshnessPublisher.Current().Folders[0].MismatchNote)
	}
}

// TestRequestOfTheDead: a request that processes have ended at is not tried for
// ever, and who asks is told. One that was given up in good order counts as
// before.
func TestRequestOfTheDead(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := syncertest.OpenFiles(t, []string{file}, indextest.NewCountingModel(t), n.Dir)
	c := ix.Store.Follower(0)
	number, err := syncs.SubmitRequest(t.Context(), c, syncertest.WholeFolderRequest)
	indextest.Must(t, err)
	begun := func() int {
		waiting, err := c.RequestMailbox().PendingRequests(t.Context())
		indextest.Must(t, err)
		return syncs.DecodeRequest(waiting[number]).UnfinishedAttempts
	}

	indextest.Must(t, ix.Turn().Acquire(t.Context(), 1)) // it cannot come to its end
	for ended := 1; ended <= 3; ended++ {
		waiting, err := c.RequestMailbox().PendingRequests(t.Context())
		indextest.Must(t, err)
		ctx, end := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- ix.AnswerRequest(ctx, 0, c, number, syncs.DecodeRequest(waiting[number])) }()
		indextest.Eventually(t, indextest.ShortTimeout, "the attempt is noted", func() bool { return begun() == ended })
		noted, err := c.RequestMailbox().PendingRequests(t.Context())
		indextest.Must(t, err)
		end()
		indextest.Must(t, <-over)
		if got := begun(); got != ended-1 {
			t.Errorf("given up in good order it was begun %d times, want %d", got, ended-1)
		}
		if _, err := c.RequestMailbox().UpdateRequest(t.Context(), number, noted[number]); err != nil { // as if the process had died there
			t.Fatal(err)
		}
	}
	ix.Turn().Release(1)

	syncertest.Close(t, ix)
	next := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
	syncertest.KeepRunning(t, next)
	c = next.Store.Follower(0)
	indextest.Eventually(t, indextest.ShortTimeout, "who asks is told", func() bool {
		text, err := c.RequestMailbox().ReadAnswer(t.Context(), number)
		indextest.Must(t, err)
		if text != "" && !strings.Contains(text, "3 processes ended while they were at this") {
			t.Errorf("who asks is told %q", text)
		}
		return text != ""
	})
	if asked, err := c.RequestMailbox().UpdateRequest(t.Context(), number, "{}"); asked || err != nil {
		t.Errorf("what was answered can be begun: %v", err)
	}
}

// TestRegained: whoever has lost the duty and has it again before it looked does what it had
// left to others.
func TestRegained(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, syncs.Scope{})
	ctx, stop := context.WithCancel(t.Context())
	l := syncs.NewLoop(k)
	defer l.Wait()
	defer stop()
	l.Look(ctx)
	if !l.Leads(0) {
		t.Fatal("it does not lead")
	}
	l.BeginAnswer(0, 7)
	l.Look(ctx)
	if !l.IsAnswering(0, 7) {
		t.Error("it is at a request, and begins with it again")
	}
	lease := k.Folders[0].Storage.IndexingLease()
	indextest.Must(t, lease.Release())
	if !lease.TryAcquire() {
		t.Fatal("it does not get the duty again")
	}
	l.TakeDirty() // as if it had come to all
	l.Look(ctx)
	if l.IsAnswering(0, 7) {
		t.Error("a request that it left stays so")
	}
	if areas := l.TakeDirty(); !slices.Contains(areas, syncs.Subtree{Folder: 0, Base: "."}) {
		t.Error("it does not look at what it left")
	}
}
