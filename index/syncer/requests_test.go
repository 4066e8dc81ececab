package syncer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/engine/enginetest"
	"vademecum/index/indextest"
	"vademecum/index/peer"
	"vademecum/index/search"
	"vademecum/index/syncer"
)

// TestOddRequestsAreAnswered puts rows into the mailbox that nobody can mean: each
// gets an answer, and the index is none the worse.
func TestOddRequestsAreAnswered(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := enginetest.New(t, enginetest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
	enginetest.KeepRunning(t, ix)
	before := ix.Fresh.TakeBaseline()
	c, err := ix.Folders[0].Storage.Open(t.Context(), ix.Store.Embedder.Model())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, row := range []string{"{", `{"Areas":[{"Base":"../.."}]}`, strings.Repeat(" ", 1<<20) + "{}", `{"Areas":[` + strings.Repeat("{},", 10_000) + "{}]}"} {
		number, err := c.Mailbox().SubmitRequest(t.Context(), row)
		indextest.Must(t, err)
		text := ""
		indextest.Eventually(t, indextest.Soon, fmt.Sprintf("%.40q is answered", row), func() bool {
			text, err = c.Mailbox().ReadAnswer(t.Context(), number)
			indextest.Must(t, err)
			return text != ""
		})
		var a peer.Answer
		if indextest.Must(t, json.Unmarshal([]byte(text), &a)); !strings.Contains(a.Error, "request") {
			t.Errorf("%.40q is answered with %+v", row, a)
		}
	}
	if before.Compare(false).CaughtUp || enginetest.SQLiteCatalog(ix.Store.Follower(0)).IsSuspect() {
		t.Error("the index is taken for damaged")
	}
}

// TestSkippedElsewhere: of two folders that another process indexes, what is not indexed
// is told by the path that people see.
func TestSkippedElsewhere(t *testing.T) {
	a, b, at := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.bin": "\x00\x01"}), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	enginetest.KeepRunning(t, enginetest.New(t, enginetest.Options{Folders: []string{a.Dir, b.Dir}, Files: files, Embedder: indextest.NewCountingModel(t)}))
	k := enginetest.OpenFiles(t, files, indextest.NewCountingModel(t), a.Dir, b.Dir)
	for _, force := range []bool{false, true} {
		r := enginetest.MustSync(t, k, syncer.Scope{Force: force})
		if len(r.Skipped) != 1 || r.Skipped[0].Path != k.Folders.ShownPath(search.Location{Folder: 1, Path: "b.bin"}) {
			t.Errorf("with force %t it reports %+v", force, r.Skipped)
		}
	}
}

// TestOvertakenWhileAsked: whoever has lost the duty to another process in the middle of a
// request does not say that it is done, and leaves it to the other.
func TestOvertakenWhileAsked(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	both := enginetest.OpenTwice(t, n.Dir)
	before, next := both[0], both[1]
	enginetest.MustSync(t, before, syncer.Scope{})
	if !before.Peers.IsIndexer(0) {
		t.Fatal("it does not lead")
	}
	n.Write("b.md", "beta")
	indextest.Must(t, os.Remove(before.Folders[0].Storage.File()+".lock")) // as if it had been silent
	indextest.Eventually(t, indextest.Soon, "the other leads", func() bool { return next.Peers.IsIndexer(0) && !before.Peers.IsIndexer(0) })

	c := before.Store.Follower(0)
	number, err := peer.SubmitRequest(t.Context(), c, enginetest.Everything)
	indextest.Must(t, err)
	indextest.Must(t, before.Syncer.AnswerRequest(t.Context(), 0, c, number, enginetest.Everything))
	if text, err := c.Mailbox().ReadAnswer(t.Context(), number); text != "" || err != nil {
		t.Errorf("it answers %q (%v), and has not done it", text, err)
	}
	waiting, err := c.Mailbox().PendingRequests(t.Context())
	indextest.Must(t, err)
	if got := peer.DecodeRequest(waiting[number]); got.Begun != 0 || len(got.Areas) == 0 {
		t.Errorf("it leaves the request as %+v", got)
	}

	indextest.Must(t, next.Syncer.AnswerRequest(t.Context(), 0, next.Store.Follower(0), number, peer.DecodeRequest(waiting[number])))
	if text, err := c.Mailbox().ReadAnswer(t.Context(), number); text == "" || err != nil {
		t.Errorf("the other does not answer: %v", err)
	}
	enginetest.FollowAll(t, before)
	if got := enginetest.BestPath(t, before, "beta"); got != "b.md" {
		t.Errorf("it finds %q", got)
	}
}

// TestCompareAsksWhoIndexes: what a process sees that another has not noticed yet, that one
// indexes when it is asked; and it says whose folder it is when the library is to be replaced.
func TestCompareAsksWhoIndexes(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	files := []string{filepath.Join(t.TempDir(), "x.db")}
	enginetest.KeepRunning(t, enginetest.New(t, enginetest.Options{Folders: []string{n.Dir}, Files: files, Embedder: indextest.NewCountingModel(t)}))
	other := enginetest.OpenFiles(t, files, indextest.NewCountingModel(t), n.Dir)
	n.Write("b.md", "beta")
	n.Remove("a.md")
	for range 2 { // the second time there is nothing to do
		indextest.Must(t, other.Syncer.Compare(t.Context(), []int{0}))
		if got := enginetest.BestPath(t, other, "beta"); got != "b.md" || other.Store.CountDocuments() != 1 {
			t.Errorf("found %q among %d documents", got, other.Store.CountDocuments())
		}
	}
	_, err := other.Syncer.Sync(t.Context(), syncer.Scope{Replace: true})
	if want := fmt.Sprintf("process %d keeps ", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("to be replaced it says %v, want %q", err, want)
	}
}
