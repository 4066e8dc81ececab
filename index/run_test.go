package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/index/progress"
)

// within polls until ok, for at most the time given.
func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// running starts Run and waits until it is ready.
func running(t *testing.T, dir string) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, Files: []string{t.TempDir() + "/x.db"}, Embedder: newCounting(t), Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	keepRunning(t, ix)
	return ix
}

func TestRunFollowsChanges(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta"})
	ix := running(t, n.dir)
	top := func(query string) string {
		a := mustSearch(t, ix, Query{Text: query, TopK: 1})
		if len(a.Passages) == 0 || !strings.Contains(a.Passages[0].Text, query) {
			return ""
		}
		return a.Passages[0].Path
	}
	steps := []struct {
		name   string
		change func()
		query  string
		path   string // "" when nothing may hold the query any more
	}{
		{"create", func() { n.write("c.md", "cinnamon") }, "cinnamon", "c.md"},
		{"edit", func() { n.write("c.md", "cardamom") }, "cardamom", "c.md"},
		{"edited away", func() {}, "cinnamon", ""},
		{"replace", func() { n.write("c.md.new~", "coriander"); n.rename("c.md.new~", "c.md") }, "coriander", "c.md"},
		{"rename", func() { n.rename("c.md", "d.md") }, "coriander", "d.md"},
		{"move into a new folder", func() { n.rename("d.md", "new/deep/d.md") }, "coriander", "new/deep/d.md"},
		{"edit in the new folder", func() { n.write("new/deep/d.md", "fenugreek") }, "fenugreek", "new/deep/d.md"},
		{"rename the folder", func() { n.rename("new", "old") }, "fenugreek", "old/deep/d.md"},
		{"ignore", func() { n.write(".gitignore", "old/\n") }, "fenugreek", ""},
		{"ignore no more", func() { n.remove(".gitignore") }, "fenugreek", "old/deep/d.md"},
		{"delete", func() { n.remove("old/deep/d.md") }, "fenugreek", ""},
		{"delete a folder", func() { n.remove("sub") }, "beta", ""},
	}
	for _, s := range steps {
		s.change()
		within(t, 5*time.Second, fmt.Sprintf("%s: %q in %q", s.name, s.query, s.path), func() bool { return top(s.query) == s.path })
	}
	within(t, 5*time.Second, "one document is left", func() bool { return listed(ix) == "a.md" })
}

// TestManyChangesEqualAFreshIndex edits at random and then compares every
// answer with that of an index made anew.
func TestManyChangesEqualAFreshIndex(t *testing.T) {
	n := newNotes(t, nil)
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("heart lung dose pill salt sugar 血压 糖尿病 心脏 warfarin insulin diet sleep")
	path := func() string { return fmt.Sprintf("%d/%d.md", rng.IntN(3), rng.IntN(40)) }
	for range 25 {
		for range 20 {
			switch p := path(); rng.IntN(4) {
			case 0:
				n.remove(p)
			case 1:
				n.write(path(), "moved")
			default:
				var text []string
				for range 5 + rng.IntN(60) {
					text = append(text, words[rng.IntN(len(words))])
				}
				n.write(p, "# "+text[0]+"\n\n"+strings.Join(text, " "))
			}
		}
		mustSync(t, ix, Scope{})
	}
	fresh := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, fresh, Scope{})
	if got, want := listed(ix), listed(fresh); got != want {
		t.Fatalf("documents %q, a fresh index has %q", got, want)
	}
	for _, q := range append(words, "heart dose", "血压 salt sleep", "moved") {
		got, want := mustSearch(t, ix, Query{Text: q, TopK: 20}), mustSearch(t, fresh, Query{Text: q, TopK: 20})
		for i := range max(len(got.Passages), len(want.Passages)) {
			if i >= len(got.Passages) || i >= len(want.Passages) || got.Passages[i].URI != want.Passages[i].URI ||
				fmt.Sprintf("%.4f", got.Passages[i].Score) != fmt.Sprintf("%.4f", want.Passages[i].Score) {
				t.Fatalf("%q: place %d differs:\n%v\n%v", q, i+1, found(got), found(want))
			}
		}
	}
}

// TestFollowWhileSyncing: what is being committed must not look like what
// another process took away.
func TestFollowWhileSyncing(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d on the heart.", i)
	}
	dir := newNotes(t, files).dir
	both := twoOn(t, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				followAll(t, both[0])
			}
		}
	}()
	var group sync.WaitGroup
	for _, ix := range both {
		group.Go(func() {
			if _, err := ix.sync(t.Context(), ix.everything(), false); err != nil { // as where there are no locks
				t.Error(err)
			}
		})
	}
	group.Wait()
	close(stop)
	<-stopped
	for i, ix := range both {
		followAll(t, ix)
		if n := len(ix.list(nil)); n != 200 {
			t.Errorf("index %d has %d documents, want 200", i, n)
		}
		for _, d := range ix.list(nil) {
			if _, err := ix.Read(t.Context(), Reading{Ref: d.Path}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTextThatBecomesAFile: a text that was sent before its file was indexed
// is not found twice.
func TestTextThatBecomesAFile(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "A text on ferrets."})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	if _, added, err := ix.AddTexts(t.Context(), []string{"A text on ferrets."}, nil); err != nil || added != 1 {
		t.Fatalf("added %d, %v", added, err)
	}
	mustSync(t, ix, Scope{})
	if got := listed(ix); got != "a.md" {
		t.Errorf("documents %q", got)
	}
}

func TestManyChangedPaths(t *testing.T) {
	files := make(map[string]string)
	for i := range 300 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	n := newNotes(t, files)
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, ix, Scope{})
	var changed []area
	for i := range 300 {
		changed = append(changed, area{folder: 0, base: fmt.Sprintf("%d.md", i)})
		if i%2 == 0 {
			n.remove(fmt.Sprintf("%d.md", i))
		} else {
			n.write(fmt.Sprintf("%d.md", i), fmt.Sprintf("Changed note %d.", i))
		}
	}
	for _, part := range [][]area{changed[:20], changed[20:]} {
		if _, err := ix.sync(t.Context(), part, false); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(ix.list(nil)); n != 150 {
		t.Errorf("%d documents, want 150", n)
	}
	if a := mustSearch(t, ix, Query{Text: "changed note 299", TopK: 1}); found(a) != "299.md" {
		t.Errorf("found %q", found(a))
	}
}

func TestRunTellsWhyTheIndexCannotBeUsed(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha", "file": "not an index"})
	ix, err := New(Options{Folders: []string{n.dir}, Files: []string{n.path("file")}, Embedder: newCounting(t), Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := ix.Run(t.Context()); err == nil {
		t.Fatal("Run returned no error")
	}
	if s := ix.State(); s.Phase != progress.Failed || s.Failure == "" {
		t.Errorf("state %+v", s)
	}
	if err := ix.waitReady(t.Context()); err != nil {
		t.Errorf("waitReady: %v", err)
	}
}
