package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/home"
	"vademecum/index/indextest"
	"vademecum/index/peer"
	"vademecum/index/roots"
	"vademecum/index/status"
	"vademecum/index/syncer"
)

// shared are homes in files that look as if other machines might use them.
type shared struct{ home.Files }

func (s shared) Of(f *docs.Folder, number int) (roots.Home, error) {
	h, err := s.Files.Of(f, number)
	if err != nil {
		return nil, err
	}
	return &library{Home: h, duty: &declinable{Duty: h.Indexing()}}, nil
}

type library struct {
	roots.Home
	duty *declinable
}

func (l *library) IsShared() bool       { return true }
func (l *library) Indexing() roots.Duty { return l.duty }

type declinable struct {
	roots.Duty
	declined atomic.Bool
	asked    atomic.Int64 // how often it was no longer declined
}

func (d *declinable) Held() bool { return !d.declined.Load() && d.Duty.Held() }

func (d *declinable) Decline(yes bool) {
	if d.declined.Store(yes); yes {
		_ = d.Release()
	} else {
		d.asked.Add(1)
	}
}

// ofLibraries is an Engine of folders with libraries, each in its own file.
func ofLibraries(t *testing.T, files []string, dirs ...string) *Engine {
	t.Helper()
	e := indextest.NewCounting(t)
	return engineIn(t, shared{home.Files{Paths: files, Model: e.Model()}}, options{Folders: dirs, Embedder: e})
}

// onLibraries is ofLibraries, and loads it.
func onLibraries(t *testing.T, files []string, dirs ...string) *Engine {
	t.Helper()
	k := ofLibraries(t, files, dirs...)
	indextest.Must(t, k.Recovery.Load(t.Context()))
	return k
}

// numbered are so many notes in each of some folders.
func numbered(n int, in ...string) map[string]string {
	files := make(map[string]string)
	for _, dir := range in {
		for i := range n {
			files[fmt.Sprintf("%s/%d.md", dir, i)] = fmt.Sprintf("Note number %d of %s on the heart.", i, dir)
		}
	}
	return files
}

// putAway has another, empty directory be at the path of a folder, as where a drive is
// not mounted. What it returns puts the folder back.
func putAway(t *testing.T, dir string) (back func()) {
	t.Helper()
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	indextest.Must(t, os.Mkdir(dir, 0o700))
	return func() {
		t.Helper()
		indextest.Must(t, errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)))
	}
}

// mustBeUnlike fails unless an error is about folders, by their numbers, alone.
func mustBeUnlike(t *testing.T, err error, others bool, folders ...int) {
	t.Helper()
	var unlike freshness.Unlike
	if !errors.As(err, &unlike) || len(unlike.Folders) != len(folders) || unlike.Others != others {
		t.Fatalf("the error is %v, others: %t; want one about the folders %d", err, unlike.Others, folders)
	}
	for _, i := range folders {
		if _, ok := unlike.Folders[i]; !ok {
			t.Errorf("the error is %v, want one about the folder %d", err, i)
		}
	}
}

// lead has an Engine have the duty to index.
func lead(t *testing.T, k *Engine) {
	t.Helper()
	if !k.Peers.Leads(0) {
		t.Fatal("another has the duty")
	}
}

func mustHave(t *testing.T, k *Engine, n int) {
	t.Helper()
	followAll(t, k)
	if got := k.Store.CountDocuments(); got != n {
		t.Fatalf("there are %d documents, want %d", got, n)
	}
}

// TestPartOfAnotherFolder: a run over a part takes nothing from the library while the
// folder as a whole was not seen to have its files: after a start, and after another
// directory was found at its path.
func TestPartOfAnotherFolder(t *testing.T) {
	n := indextest.NewNotes(t, numbered(30, "0", "1", "2"))
	file := filepath.Join(t.TempDir(), "x.db")
	first := onLibraries(t, []string{file}, n.Dir)
	mustSync(t, first, syncer.Scope{})
	part := syncer.Scope{Paths: []string{"0"}}

	lead(t, first)
	areas := []compare.Area{{Folder: 0, Base: "0"}}
	_, err := first.Indexer.Index(t.Context(), first.Indexer.NewRun(compare.Comparison{}), areas)
	indextest.Must(t, err)
	back := putAway(t, n.Dir)
	r, err := first.Indexer.Index(t.Context(), first.Indexer.NewRun(compare.Comparison{}), areas)
	indextest.Must(t, err)
	mustBeUnlike(t, r.Spared(areas), false, 0)
	mustHave(t, first, 90)
	shut(t, first)
	for _, scope := range []syncer.Scope{part, {}} {
		second := onLibraries(t, []string{file}, n.Dir)
		_, err = second.Syncer.Sync(t.Context(), scope)
		if mustBeUnlike(t, err, false, 0); !second.Fresh.Own().Synced.IsZero() {
			t.Error("the folder counts as compared")
		}
		mustHave(t, second, 90)
		shut(t, second)
	}

	back()
	third := onLibraries(t, []string{file}, n.Dir)
	indextest.Must(t, os.RemoveAll(n.Path("0")))
	n.Write("1/0.md", "changed")
	if r := mustSync(t, third, part); r.Removed != 30 || r.Indexed+r.Unchanged > 0 {
		t.Errorf("a run over a part reports %+v", r)
	}
	mustHave(t, third, 60)
	if r := mustSync(t, third, syncer.Scope{Paths: []string{"1"}}); r.Indexed != 1 || r.Unchanged != 29 {
		t.Errorf("a run over another part reports %+v", r)
	}
}

// TestListingBeforeDriveAway: a listing tells of the directory that it is of.
func TestListingBeforeDriveAway(t *testing.T) {
	n := indextest.NewNotes(t, numbered(9, "0"))
	k := onLibraries(t, []string{filepath.Join(t.TempDir(), "x.db")}, n.Dir)
	mustSync(t, k, syncer.Scope{})
	listing := func() docs.Listing {
		w, err := k.Folders[0].Watch("")
		indextest.Must(t, err)
		defer w.Close()
		return w.Found()
	}
	sync := func(l docs.Listing) error {
		lead(t, k)
		r, err := k.Indexer.Index(t.Context(), k.Indexer.NewRun(compare.Comparison{Listings: map[int]docs.Listing{0: l}}), k.Comparer.Everything())
		return errors.Join(err, r.Spared(k.Comparer.Everything()))
	}
	full := listing()
	back := putAway(t, n.Dir)
	_, err := k.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	empty := listing()
	if full.Turns != 0 || empty.Turns != 1 {
		t.Fatalf("listings of turns %d and %d", full.Turns, empty.Turns)
	}
	indextest.Must(t, sync(full))
	mustBeUnlike(t, sync(docs.Listing{}), false, 0)
	back()
	indextest.Must(t, k.Comparer.Reconsider(t.Context(), 0))
	indextest.Must(t, sync(docs.Listing{}))
	empty.Began = time.Now() // as if nothing had been read since
	mustBeUnlike(t, sync(empty), false, 0)
	mustHave(t, k, 9)
}

// TestFolderBesideAnother: a folder that has not the files of its library keeps none of
// the others from being brought up to date, and what is wrong with these from nobody.
func TestFolderBesideAnother(t *testing.T) {
	a, b, at := indextest.NewNotes(t, numbered(9, "0")), indextest.NewNotes(t, numbered(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	_ = os.Symlink("0", a.Path("link.md")) // where there are any: it is not indexed
	both := onLibraries(t, files, a.Dir, b.Dir)
	mustSync(t, both, syncer.Scope{})
	shut(t, both)
	indextest.Must(t, os.RemoveAll(a.Path("0")))
	b.Write("late.md", "Zugzwang")

	k := onLibraries(t, files, a.Dir, b.Dir)
	r, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
	mustBeUnlike(t, err, true, 0)
	mustHave(t, k, 19)
	if s := k.Fresh.State(); r.Indexed != 1 || r.Unchanged != 9 || len(r.Skipped) > 0 || s.Synced.IsZero() || s.Behind() {
		t.Errorf("it reports %+v, and is %+v", r, s)
	}
	if k.Fresh.Unlike(0) == nil {
		t.Error("nothing is told of the other folder")
	}
	_, err = k.Syncer.Sync(t.Context(), syncer.Scope{Paths: []string{b.Dir}})
	indextest.Must(t, err)
	shut(t, k)

	leader := ofLibraries(t, files[1:], b.Dir)
	keepRunning(t, leader)
	for range 4 { // whichever comes first
		k = onLibraries(t, files, a.Dir, b.Dir)
		b.Write("late.md", "Zugzwang "+time.Now().String())
		r, err = k.Syncer.Sync(t.Context(), syncer.Scope{})
		mustBeUnlike(t, err, true, 0)
		if s := k.Fresh.State(); r.Indexed+r.Unchanged != 10 || s.Behind() {
			t.Errorf("while another indexes one, it reports %+v, and is %+v", r, s)
		}
		shut(t, k)
	}
}

// TestFailureBesideAnother: what fails in one folder is told although another has not
// the files of its library.
func TestFailureBesideAnother(t *testing.T) {
	a, b, at := indextest.NewNotes(t, numbered(9, "0")), indextest.NewNotes(t, numbered(9, "0")), t.TempDir()
	files := []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}
	both := onLibraries(t, files, a.Dir, b.Dir)
	mustSync(t, both, syncer.Scope{})
	shut(t, both)
	putAway(t, a.Dir)

	k := onLibraries(t, files, a.Dir, b.Dir)
	indextest.Must(t, k.Folders[1].Close())
	_, err := k.Syncer.Sync(t.Context(), syncer.Scope{})
	if err == nil || errors.As(err, new(freshness.Unlike)) || k.Fresh.State().Failure == "" {
		t.Errorf("the error is %v, the failure %q", err, k.Fresh.State().Failure)
	}
	for i, fails := range []bool{false, true} {
		s, err := reader(k).Describe(t.Context(), i)
		if indextest.Must(t, err); (s.Failure != "") != fails {
			t.Errorf("of folder %d it is noted that %q failed", i, s.Failure)
		}
	}
}

// TestRequestToAnotherFolder: who takes over with another folder leaves what is asked
// for to the next.
func TestRequestToAnotherFolder(t *testing.T) {
	n := indextest.NewNotes(t, numbered(9, "0"))
	file := filepath.Join(t.TempDir(), "x.db")
	k := onLibraries(t, []string{file}, n.Dir)
	mustSync(t, k, syncer.Scope{})
	shut(t, k)
	putAway(t, n.Dir)
	k = onLibraries(t, []string{file}, n.Dir)
	l, c := newLoop(k), k.Store.Follower(0)
	asked := peer.Request{Areas: []peer.Area{{Base: "0"}}}
	number, err := peer.Ask(t.Context(), c, asked)
	indextest.Must(t, err)
	indextest.Must(t, l.e.Syncer.Answer(t.Context(), 0, c, number, asked))
	text, err := c.Mailbox().Answered(t.Context(), number)
	waiting, unread := c.Mailbox().Unanswered(t.Context())
	if indextest.Must(t, errors.Join(err, unread)); text != "" || len(waiting) != 1 || peer.Decode(waiting[number]).Begun != 0 {
		t.Errorf("it answers %q and leaves %v", text, waiting)
	}
	mustHave(t, k, 9)
}

// TestReconsiderBesideTheLoop: a folder is compared again without holding up who asks
// for it, once at a time, and not before it was noticed that it is left alone.
func TestReconsiderBesideTheLoop(t *testing.T) {
	n := indextest.NewNotes(t, numbered(9, "0"))
	k := onLibraries(t, []string{filepath.Join(t.TempDir(), "x.db")}, n.Dir)
	mustSync(t, k, syncer.Scope{})
	k.Comparer.Refrain(0, compare.Overlap{Documents: 9, Missing: 9})
	l, duty := newLoop(k), k.Folders[0].Home.Indexing().(*declinable)
	unlock := sync.OnceFunc(k.Store.Follower(0).Hold()) // as where a comparison takes long
	defer l.group.Wait()
	defer unlock()
	through := make(chan struct{})
	go func() {
		defer close(through)
		l.duties[0].leads = true
		l.reconsiderSome(t.Context(), time.Now().Add(time.Hour))
		if l.duties[0].reconsidered.Load() {
			t.Error("it is compared before it was given up")
		}
		l.duties[0].leads = false
		l.reconsiderSome(t.Context(), time.Now().Add(time.Hour))
		l.reconsiderSome(t.Context(), time.Now().Add(time.Hour))
	}()
	select {
	case <-through:
	case <-time.After(indextest.Soon):
		t.Fatal("the loop waits for a comparison")
	}
	unlock()
	l.group.Wait()
	if asked := duty.asked.Load(); asked != 1 || k.Fresh.Unlike(0) != nil {
		t.Errorf("the folder was taken up %d times: %v", asked, k.Fresh.Unlike(0))
	}
}

// TestLookAlike: status tells of each folder whether it has the files of its library, or
// that there was no time to find that out, and waits for all at once.
func TestLookAlike(t *testing.T) {
	a, b, at := indextest.NewNotes(t, numbered(9, "0")), indextest.NewNotes(t, numbered(9, "0")), t.TempDir()
	k := onLibraries(t, []string{filepath.Join(at, "a.db"), filepath.Join(at, "b.db")}, a.Dir, b.Dir)
	mustSync(t, k, syncer.Scope{})
	putAway(t, a.Dir)
	look := func(ctx context.Context) []status.Folder {
		all := make([]status.Folder, 2)
		reader(k).CompareAll(ctx, all)
		return all
	}
	if s := look(t.Context()); !strings.Contains(s[0].Unlike, "9 of the 9 documents") || s[0].Uncompared+s[1].Unlike+s[1].Uncompared != "" {
		t.Errorf("it says %+v", s)
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for i, s := range look(late) {
		if s.Unlike != "" || !strings.Contains(s.Uncompared, "in time") {
			t.Errorf("of folder %d it says %+v without time", i, s)
		}
	}
	release := k.Store.Follower(0).Hold() // as where a comparison takes long
	k.Fresh.ScanTook(time.Hour)
	k.Fresh.ScanTook(time.Hour)
	through := make(chan []status.Folder)
	go func() { through <- look(t.Context()) }()
	indextest.Within(t, indextest.Soon, "the other is compared", func() bool { return k.Fresh.ScanPause(0) < freshness.SweepEvery })
	release()
	if s := <-through; s[0].Unlike == "" {
		t.Errorf("it says %+v", s)
	}
}
