package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/progress"
	"vademecum/index/sync"
)

// running starts Run and waits until it is ready.
func running(t *testing.T, dir string) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, IndexPaths: []string{t.TempDir() + "/x.db"}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	keepRunning(t, ix)
	return ix
}

func TestRunFollowsChanges(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta"})
	ix := running(t, n.Dir)
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
		{"create", func() { n.Write("c.md", "cinnamon") }, "cinnamon", "c.md"},
		{"edit", func() { n.Write("c.md", "cardamom") }, "cardamom", "c.md"},
		{"edited away", func() {}, "cinnamon", ""},
		{"replace", func() { n.Write("c.md.new~", "coriander"); n.Rename("c.md.new~", "c.md") }, "coriander", "c.md"},
		{"rename", func() { n.Rename("c.md", "d.md") }, "coriander", "d.md"},
		{"move into a new folder", func() { n.Rename("d.md", "new/deep/d.md") }, "coriander", "new/deep/d.md"},
		{"edit in the new folder", func() { n.Write("new/deep/d.md", "fenugreek") }, "fenugreek", "new/deep/d.md"},
		{"rename the folder", func() { n.Rename("new", "old") }, "fenugreek", "old/deep/d.md"},
		{"ignore", func() { n.Write(".gitignore", "old/\n") }, "fenugreek", ""},
		{"ignore no more", func() { n.Remove(".gitignore") }, "fenugreek", "old/deep/d.md"},
		{"delete", func() { n.Remove("old/deep/d.md") }, "fenugreek", ""},
		{"delete a folder", func() { n.Remove("sub") }, "beta", ""},
	}
	for _, s := range steps {
		s.change()
		indextest.Eventually(t, 5*time.Second, fmt.Sprintf("%s: %q in %q", s.name, s.query, s.path), func() bool { return top(s.query) == s.path })
	}
	indextest.Eventually(t, 5*time.Second, "one document is left", func() bool { return listed(ix) == "a.md" })
}

// TestManyChangesEqualAFreshIndex edits at random and then compares every
// answer with that of an index made anew.
func TestManyChangesEqualAFreshIndex(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, nil)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("heart lung dose pill salt sugar 血压 糖尿病 心脏 warfarin insulin diet sleep")
	path := func() string { return fmt.Sprintf("%d/%d.md", rng.IntN(3), rng.IntN(40)) }
	for range 25 {
		for range 20 {
			switch p := path(); rng.IntN(4) {
			case 0:
				n.Remove(p)
			case 1:
				n.Write(path(), "moved")
			default:
				var text []string
				for range 5 + rng.IntN(60) {
					text = append(text, words[rng.IntN(len(words))])
				}
				n.Write(p, "# "+text[0]+"\n\n"+strings.Join(text, " "))
			}
		}
		mustSync(t, ix, sync.Scope{})
	}
	fresh := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, fresh, sync.Scope{})
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

// TestTextThatBecomesAFile: a text that was sent before its file was indexed
// is not found twice.
func TestTextThatBecomesAFile(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "A text on ferrets."})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	if _, added, err := ix.AddTexts(t.Context(), []string{"A text on ferrets."}, nil); err != nil || added != 1 {
		t.Fatalf("added %d, %v", added, err)
	}
	mustSync(t, ix, sync.Scope{})
	if got := listed(ix); got != "a.md" {
		t.Errorf("documents %q", got)
	}
}

func TestRunTellsWhyTheIndexCannotBeUsed(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "file": "not an index"})
	ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{n.Path("file")}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
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
	if err := ix.WaitFresh(t.Context(), WaitPurposeAnswer); err == nil {
		t.Error("it is said to be usable")
	}
}
