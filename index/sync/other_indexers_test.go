package sync_test

import (
	"errors"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestBackElsewhere: a folder that another process indexes is compared once when it is
// there again, and not for every question from then on.
func TestBackElsewhere(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	both := syncertest.OpenTwice(t, n.Dir)
	for _, k := range both {
		_, err := k.Sync(t.Context(), sync.Scope{})
		indextest.Must(t, err)
	}
	syncertest.BecomeIndexer(t, both[0])
	k := both[1]
	if k.IsIndexer(0) {
		t.Fatal("both index")
	}
	back := syncertest.HideFolder(t, n.Dir)
	if k.FindUnresponsiveFileSystems(); !k.IsMissing(0) {
		t.Fatal("it is not missing")
	}
	back()
	if k.FindUnresponsiveFileSystems(); !k.FreshnessPublisher.Current().Folders[0].IsUncomparedSinceAbsence {
		t.Fatal("it need not be compared")
	}
	indextest.Must(t, k.CompareAndIndex(t.Context(), []int{0}))
	if k.FreshnessPublisher.Current().Folders[0].IsUncomparedSinceAbsence {
		t.Error("it is compared for ever")
	}
}

// TestRequestToAnotherFolder: whoever takes over with another folder leaves what is asked
// for to the next.
func TestRequestToAnotherFolder(t *testing.T) {
	n := indextest.NewNotesFolder(t, syncertest.NumberedNotes(9, "0"))
	file := filepath.Join(t.TempDir(), "x.db")
	k := syncertest.LoadedOfLibraries(t, []string{file}, n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	syncertest.Close(t, k)
	syncertest.ReplaceByEmpty(t, n.Dir)
	k = syncertest.LoadedOfLibraries(t, []string{file}, n.Dir)
	c := k.Store.Follower(0)
	asked := sync.IndexerRequest{Areas: []sync.RequestedArea{{Base: "0"}}}
	number, err := sync.SubmitRequest(t.Context(), c, asked)
	indextest.Must(t, err)
	indextest.Must(t, k.AnswerRequest(t.Context(), 0, c, number, asked))
	text, err := c.RequestMailbox().ReadAnswer(t.Context(), number)
	waiting, unread := c.RequestMailbox().PendingRequests(t.Context())
	if indextest.Must(t, errors.Join(err, unread)); text != "" || len(waiting) != 1 || sync.DecodeRequest(waiting[number]).UnfinishedAttempts != 0 {
		t.Errorf("it answers %q and leaves %v", text, waiting)
	}
	syncertest.MustHaveDocuments(t, k, 9)
}
