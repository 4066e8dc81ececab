package index

import (
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestModelOfAnotherLengthIsNoticed: a question finds that the model changed,
// says so, and has all embedded anew.
func TestModelOfAnotherLengthIsNoticed(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(3))
	model := indextest.NewCountingModel(t)
	ix := open(t, t.TempDir(), model, n.Dir)
	mustSync(t, ix, sync.Scope{})
	model.ReturnsShortVectors = true
	a := mustSearch(t, ix, Query{Text: "number 1", TopK: 1})
	if found(a) != "1.md" || !strings.Contains(strings.Join(notice.EnglishLines(a.Notes), " "), "a different length") {
		t.Errorf("%s %q", found(a), a.Notes)
	}
	indextest.Must(t, ix.Embed(t.Context()))
	a = mustSearch(t, ix, Query{Text: "number 1", TopK: 1})
	if a.Passages[0].VectorRank == 0 || len(a.Notes) > 0 {
		t.Errorf("%+v %q", a.Passages, a.Notes)
	}
}

// TestRefusedWording: the other wordings of a question are of use when the model
// refuses one.
func TestRefusedWording(t *testing.T) {
	t.Parallel()
	model := indextest.NewCountingModel(t)
	ix := open(t, t.TempDir(), model, indextest.NewNotesFolder(t, indextest.ManyFiles(3)).Dir)
	mustSync(t, ix, sync.Scope{})
	model.RefusedWord = "never"
	if a := mustSearch(t, ix, Query{Text: "number", OtherWordings: []string{"never"}}); len(a.Notes) > 0 || a.Passages[0].VectorRank == 0 {
		t.Errorf("%+v %q", a.Passages[0], a.Notes)
	}
	a := mustSearch(t, ix, Query{Text: "never number"})
	if !strings.Contains(strings.Join(notice.EnglishLines(a.Notes), " "), "refuses the question (400: the input is too long)") {
		t.Errorf("%q", a.Notes)
	}
}

// TestNothingChangedElsewhere: a command beside a server has nothing to excuse.
func TestNothingChangedElsewhere(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, indextest.ManyFiles(3))
	for path := range indextest.ManyFiles(3) {
		n.Backdate(path) // or they are looked into again for a while
	}
	file := filepath.Join(t.TempDir(), "x.db")
	started(t, file, n.Dir, indextest.NewCountingModel(t))
	command := loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)})
	for _, path := range []string{"", "new.md"} {
		if path != "" {
			n.Write(path, "number 77")
		}
		mustSync(t, command, sync.Scope{})
		if a := mustSearch(t, command, Query{Text: "number 1"}); len(a.Notes) > 0 {
			t.Errorf("it says %q", a.Notes)
		}
	}
}
