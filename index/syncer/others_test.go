package syncer_test

import (
	"errors"
	"path/filepath"
	"testing"

	"vademecum/index/engine/enginetest"
	"vademecum/index/indextest"
	"vademecum/index/peer"
	"vademecum/index/syncer"
)

// TestBackElsewhere: a folder that another process indexes is compared once when it is
// there again, and not for every question from then on.
func TestBackElsewhere(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	both := enginetest.OpenTwice(t, n.Dir)
	for _, k := range both {
		_, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
		indextest.Must(t, err)
	}
	enginetest.BecomeIndexer(t, both[0])
	k := both[1]
	if k.Peers.IsIndexer(0) {
		t.Fatal("both index")
	}
	back := enginetest.HideFolder(t, n.Dir)
	if k.Fresh.UnresponsiveFolders(); !k.Fresh.IsMissing(0) {
		t.Fatal("it is not missing")
	}
	back()
	if k.Fresh.UnresponsiveFolders(); !k.Fresh.IsUncomparedSinceMissing(0) {
		t.Fatal("it need not be compared")
	}
	indextest.Must(t, k.Compare(t.Context(), []int{0}))
	if k.Fresh.IsUncomparedSinceMissing(0) {
		t.Error("it is compared for ever")
	}
}

// TestRequestToAnotherFolder: whoever takes over with another folder leaves what is asked
// for to the next.
func TestRequestToAnotherFolder(t *testing.T) {
	n := indextest.NewNotesFolder(t, enginetest.NumberedNotes(9, "0"))
	file := filepath.Join(t.TempDir(), "x.db")
	k := enginetest.LoadedOfLibraries(t, []string{file}, n.Dir)
	enginetest.MustSync(t, k, syncer.Scope{})
	enginetest.Close(t, k)
	enginetest.ReplaceByEmpty(t, n.Dir)
	k = enginetest.LoadedOfLibraries(t, []string{file}, n.Dir)
	c := k.Store.Follower(0)
	asked := peer.Request{Areas: []peer.Subtree{{Base: "0"}}}
	number, err := peer.SubmitRequest(t.Context(), c, asked)
	indextest.Must(t, err)
	indextest.Must(t, k.Syncer.AnswerRequest(t.Context(), 0, c, number, asked))
	text, err := c.Mailbox().ReadAnswer(t.Context(), number)
	waiting, unread := c.Mailbox().PendingRequests(t.Context())
	if indextest.Must(t, errors.Join(err, unread)); text != "" || len(waiting) != 1 || peer.DecodeRequest(waiting[number]).Begun != 0 {
		t.Errorf("it answers %q and leaves %v", text, waiting)
	}
	enginetest.MustHaveDocuments(t, k, 9)
}
