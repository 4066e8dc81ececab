package sync_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestOddRequestsAreAnswered puts rows into the mailbox that nobody can mean: each
// gets an answer, and the index is none the worse.
func TestOddRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCountingModel(t)})
	syncertest.KeepRunning(t, ix)
	before := ix.Freshness()
	c, err := ix.Folders[0].Storage.Open(t.Context(), ix.Store.Embedder.ModelIdentity())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	mailbox := catalog.NewRequestMailbox(c)
	for _, row := range []string{"{", `{"Areas":[{"Base":"../.."}]}`, strings.Repeat(" ", 1<<20) + "{}", `{"Areas":[` + strings.Repeat("{},", 10_000) + "{}]}"} {
		number, err := mailbox.SubmitRequest(t.Context(), row)
		indextest.Must(t, err)
		text := ""
		indextest.Eventually(t, indextest.ShortTimeout, fmt.Sprintf("%.40q is answered", row), func() bool {
			text, err = mailbox.ReadAnswer(t.Context(), number)
			indextest.Must(t, err)
			return text != ""
		})
		var a sync.IndexerAnswer
		if indextest.Must(t, json.Unmarshal([]byte(text), &a)); !strings.Contains(a.Error, "request") {
			t.Errorf("%.40q is answered with %+v", row, a)
		}
	}
	if ix.Freshness().Since(before, false).HasCaughtUp || ix.Store.Follower(0).Condition().State == catalog.Damaged {
		t.Error("the index is taken for damaged")
	}
}

// TestSkippedElsewhere: of two folders that another process indexes, what is not indexed
// is told by the path that people see.
func TestSkippedElsewhere(t *testing.T) {
	t.Parallel()
	a, b, at := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.bin": "\x00\x01"}), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	syncertest.KeepRunning(t, syncertest.New(t, syncertest.Options{Folders: []string{a.Dir, b.Dir}, Files: files, Embedder: indextest.NewCountingModel(t)}))
	k := syncertest.OpenFiles(t, files, indextest.NewCountingModel(t), a.Dir, b.Dir)
	for _, force := range []bool{false, true} {
		r := syncertest.MustSync(t, k, sync.Scope{Force: force})
		if len(r.Skipped) != 1 || r.Skipped[0].Path != k.Folders.ShownPath(search.Location{Folder: 1, Path: "b.bin"}) {
			t.Errorf("with force %t it reports %+v", force, r.Skipped)
		}
	}
}

// TestOvertakenWhileAsked: whoever has lost the duty to another process in the middle of a
// request does not say that it is done, and leaves it to the other.
func TestOvertakenWhileAsked(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	both := syncertest.OpenTwice(t, n.Dir)
	before, next := both[0], both[1]
	syncertest.MustSync(t, before, sync.Scope{})
	if !before.IsIndexer(0) {
		t.Fatal("it does not lead")
	}
	n.Write("b.md", "beta")
	indextest.Must(t, os.Remove(before.Folders[0].Storage.Describe().File+".lock")) // as if it had been silent
	indextest.Eventually(t, indextest.ShortTimeout, "the other leads", func() bool { return next.IsIndexer(0) && !before.IsIndexer(0) })

	c := before.Store.Follower(0)
	number, err := sync.SubmitRequest(t.Context(), c, syncertest.WholeFolderRequest)
	indextest.Must(t, err)
	indextest.Must(t, before.AnswerRequest(t.Context(), 0, c, number, syncertest.WholeFolderRequest))
	if text, err := c.RequestMailbox().ReadAnswer(t.Context(), number); text != "" || err != nil {
		t.Errorf("it answers %q (%v), and has not done it", text, err)
	}
	waiting, err := c.RequestMailbox().PendingRequests(t.Context())
	indextest.Must(t, err)
	if got := sync.DecodeRequest(waiting[number]); got.UnfinishedAttempts != 0 || len(got.Areas) == 0 {
		t.Errorf("it leaves the request as %+v", got)
	}

	indextest.Must(t, next.AnswerRequest(t.Context(), 0, next.Store.Follower(0), number, sync.DecodeRequest(waiting[number])))
	if text, err := c.RequestMailbox().ReadAnswer(t.Context(), number); text == "" || err != nil {
		t.Errorf("the other does not answer: %v", err)
	}
	syncertest.FollowAll(t, before)
	if got := syncertest.BestPath(t, before, "beta"); got != "b.md" {
		t.Errorf("it finds %q", got)
	}
}

// TestCompareAsksWhoIndexes: what a process sees that another has not noticed yet, that one
// indexes when it is asked; and it says whose folder it is when the library is to be replaced.
func TestCompareAsksWhoIndexes(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	files := []string{filepath.Join(t.TempDir(), "x.db")}
	syncertest.KeepRunning(t, syncertest.New(t, syncertest.Options{Folders: []string{n.Dir}, Files: files, Embedder: indextest.NewCountingModel(t)}))
	other := syncertest.OpenFiles(t, files, indextest.NewCountingModel(t), n.Dir)
	n.Write("b.md", "beta")
	n.Remove("a.md")
	for range 2 { // the second time there is nothing to do
		indextest.Must(t, other.CompareAndIndex(t.Context(), []int{0}))
		if got := syncertest.BestPath(t, other, "beta"); got != "b.md" || other.Store.CountDocuments() != 1 {
			t.Errorf("found %q among %d documents", got, other.Store.CountDocuments())
		}
	}
	_, err := other.Sync(t.Context(), sync.Scope{ReplaceLibrary: true})
	if want := fmt.Sprintf("process %d keeps ", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("to be replaced it says %v, want %q", err, want)
	}
}
