package engine

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/index/compare"
	"vademecum/index/indextest"
	"vademecum/index/peer"
	"vademecum/index/search"
	"vademecum/index/syncer"
)

// TestRequestOfTheDead: a request that processes have ended at is not tried for
// ever, and who asks is told. One that was given up in good order counts as
// before.
func TestRequestOfTheDead(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := openOn(t, []string{file}, indextest.NewCounting(t), n.Dir)
	c, k := ix.Store.Follower(0), newLoop(ix)
	number, err := peer.Ask(t.Context(), c, everything)
	indextest.Must(t, err)
	begun := func() int {
		waiting, err := c.Mailbox().Unanswered(t.Context())
		indextest.Must(t, err)
		return peer.Decode(waiting[number]).Begun
	}

	indextest.Must(t, ix.Indexer.Turn.Acquire(t.Context(), 1)) // it cannot come to its end
	for ended := 1; ended <= 3; ended++ {
		waiting, err := c.Mailbox().Unanswered(t.Context())
		indextest.Must(t, err)
		ctx, end := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- k.e.Syncer.Answer(ctx, 0, c, number, peer.Decode(waiting[number])) }()
		indextest.Within(t, indextest.Soon, "the attempt is noted", func() bool { return begun() == ended })
		noted, err := c.Mailbox().Unanswered(t.Context())
		indextest.Must(t, err)
		end()
		indextest.Must(t, <-over)
		if got := begun(); got != ended-1 {
			t.Errorf("given up in good order it was begun %d times, want %d", got, ended-1)
		}
		if _, err := c.Mailbox().Amend(t.Context(), number, noted[number]); err != nil { // as if the process had died there
			t.Fatal(err)
		}
	}
	ix.Indexer.Turn.Release(1)

	shut(t, ix)
	next := newEngine(t, options{[]string{n.Dir}, []string{file}, indextest.NewCounting(t)})
	keepRunning(t, next)
	c = next.Store.Follower(0)
	indextest.Within(t, indextest.Soon, "who asks is told", func() bool {
		text, err := c.Mailbox().Answered(t.Context(), number)
		indextest.Must(t, err)
		if text != "" && !strings.Contains(text, "3 processes ended while they were at this") {
			t.Errorf("who asks is told %q", text)
		}
		return text != ""
	})
	if asked, err := c.Mailbox().Amend(t.Context(), number, "{}"); asked || err != nil {
		t.Errorf("what was answered can be begun: %v", err)
	}
}

// TestOddRequestsAreAnswered puts rows into the mailbox that nobody can mean: each
// gets an answer, and the index is none the worse.
func TestOddRequestsAreAnswered(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := newEngine(t, options{Folders: []string{n.Dir}, Files: []string{file}, Embedder: indextest.NewCounting(t)})
	keepRunning(t, ix)
	before := ix.Fresh.View()
	c, err := ix.Folders[0].Home.Open(t.Context(), ix.Store.Embedder.Model())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, row := range []string{"{", `{"Areas":[{"Base":"../.."}]}`, strings.Repeat(" ", 1<<20) + "{}", `{"Areas":[` + strings.Repeat("{},", 10_000) + "{}]}"} {
		number, err := c.Mailbox().Ask(t.Context(), row)
		indextest.Must(t, err)
		for start := time.Now(); ; {
			text, err := c.Mailbox().Answered(t.Context(), number)
			indextest.Must(t, err)
			var a peer.Answer
			if text != "" {
				if indextest.Must(t, json.Unmarshal([]byte(text), &a)); !strings.Contains(a.Error, "request") {
					t.Errorf("%.40q is answered with %+v", row, a)
				}
				break
			}
			if time.Since(start) > indextest.Soon {
				t.Fatalf("%.40q is not answered", row)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	if before.Compare(false).CaughtUp || onDisk(ix.Store.Follower(0)).IsSuspect() {
		t.Error("the index is taken for damaged")
	}
}

// TestSkippedElsewhere: of two folders that another process indexes, what is not indexed
// is told by the path that people see.
func TestSkippedElsewhere(t *testing.T) {
	a, b, at := indextest.NewNotes(t, map[string]string{"a.md": "alpha"}), indextest.NewNotes(t, map[string]string{"b.bin": "\x00\x01"}), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	keepRunning(t, newEngine(t, options{Folders: []string{a.Dir, b.Dir}, Files: files, Embedder: indextest.NewCounting(t)}))
	k := openOn(t, files, indextest.NewCounting(t), a.Dir, b.Dir)
	for _, force := range []bool{false, true} {
		r := mustSync(t, k, syncer.Scope{Force: force})
		if len(r.Skipped) != 1 || r.Skipped[0].Path != k.Folders.Show(search.Location{Folder: 1, Path: "b.bin"}) {
			t.Errorf("with force %t it reports %+v", force, r.Skipped)
		}
	}
}

// TestOvertakenWhileAsked: who has lost the duty to another process in the middle of a
// request does not say that it is done, and leaves it to the other.
func TestOvertakenWhileAsked(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	both := twoOn(t, n.Dir)
	before, next := both[0], both[1]
	mustSync(t, before, syncer.Scope{})
	if !before.Peers.Leads(0) {
		t.Fatal("it does not lead")
	}
	n.Write("b.md", "beta")
	indextest.Must(t, os.Remove(before.Folders[0].Home.File()+".lock")) // as if it had been silent
	indextest.Within(t, indextest.Soon, "the other leads", func() bool { return next.Peers.Leads(0) && !before.Peers.Leads(0) })

	c := before.Store.Follower(0)
	number, err := peer.Ask(t.Context(), c, everything)
	indextest.Must(t, err)
	indextest.Must(t, before.Syncer.Answer(t.Context(), 0, c, number, everything))
	if text, err := c.Mailbox().Answered(t.Context(), number); text != "" || err != nil {
		t.Errorf("it answers %q (%v), and has not done it", text, err)
	}
	waiting, err := c.Mailbox().Unanswered(t.Context())
	indextest.Must(t, err)
	if got := peer.Decode(waiting[number]); got.Begun != 0 || len(got.Areas) == 0 {
		t.Errorf("it leaves the request as %+v", got)
	}

	indextest.Must(t, next.Syncer.Answer(t.Context(), 0, next.Store.Follower(0), number, peer.Decode(waiting[number])))
	if text, err := c.Mailbox().Answered(t.Context(), number); text == "" || err != nil {
		t.Errorf("the other does not answer: %v", err)
	}
	followAll(t, before)
	if got := found(t, before, "beta"); got != "b.md" {
		t.Errorf("it finds %q", got)
	}
}

// TestRegained: who has lost the duty and has it again before it looked does what it had
// left to others.
func TestRegained(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	k := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, k, syncer.Scope{})
	ctx, stop := context.WithCancel(t.Context())
	l := newLoop(k)
	defer l.group.Wait()
	defer stop()
	l.look(ctx)
	d := &l.duties[0]
	if !d.leads {
		t.Fatal("it does not lead")
	}
	d.answered[7] = true
	l.look(ctx)
	if !d.answered[7] {
		t.Error("it is at a request, and begins with it again")
	}
	lease := k.Folders[0].Home.Indexing()
	indextest.Must(t, lease.Release())
	if !lease.Held() {
		t.Fatal("it does not get the duty again")
	}
	l.dirty.take(nil) // as if it had come to all
	l.look(ctx)
	if len(d.answered) > 0 {
		t.Error("a request that it left stays so")
	}
	if areas, _ := l.dirty.take(nil); !slices.Contains(areas, compare.Area{Folder: 0, Base: "."}) {
		t.Error("it does not look at what it left")
	}
}
