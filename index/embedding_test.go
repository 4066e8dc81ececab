package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vademecum/embed"
	"vademecum/index/say"
)

// partly is a model that gives some vectors of a call before it fails.
type partly struct {
	*counting
	give  int // vectors before the failure, per call; -1: all
	calls atomic.Int64
	stop  func() // called by each call, unless it is nil
}

func (p *partly) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := p.counting.Embed(ctx, kind, texts)
	if p.calls.Add(1); err != nil || p.give < 0 || kind == embed.Query {
		return vectors, err
	}
	for i := p.give; i < len(vectors); i++ {
		vectors[i] = nil
	}
	if p.stop != nil {
		p.stop()
	}
	return vectors, errors.New("it is away")
}

func manyFiles(n int) map[string]string {
	files := make(map[string]string)
	for i := range n {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	return files
}

// TestWhatCameIsKept: vectors that a model gave before it failed, or before the
// run was given up, are saved, and are not asked for again.
func TestWhatCameIsKept(t *testing.T) {
	for name, givenUp := range map[string]bool{"failed": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			n := newNotes(t, manyFiles(30))
			model := &partly{counting: newCounting(t), give: 10}
			ix := loaded(t, Options{Folders: []string{n.dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: model})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if givenUp {
				model.stop = cancel
			}
			_, err := ix.Sync(t.Context(), Scope{})
			mustDo(t, err)
			if err := ix.embed(ctx); err == nil {
				t.Fatal("it did not fail")
			}
			if _, bare := ix.store.CountChunks(); bare != 20 {
				t.Errorf("%d have no vector, want 20", bare)
			}
			if failure := ix.State().EmbedFailure; (failure == "") != givenUp {
				t.Errorf("it says %q", failure)
			}
			model.taken()
			model.give = -1
			mustDo(t, ix.Embed(t.Context()))
			if n := model.taken(); n != 20 {
				t.Errorf("%d texts were sent then, want 20", n)
			}
			if s := ix.State(); s.EmbedFailure != "" {
				t.Errorf("afterwards it says %q", s.EmbedFailure)
			}
		})
	}
}

// TestModelOfAnotherLengthIsNoticed: a question finds that the model changed,
// says so, and has all embedded anew.
func TestModelOfAnotherLengthIsNoticed(t *testing.T) {
	n := newNotes(t, manyFiles(3))
	model := newCounting(t)
	ix := open(t, t.TempDir(), model, n.dir)
	mustSync(t, ix, Scope{})
	model.shorter = true
	a := mustSearch(t, ix, Query{Text: "number 1", TopK: 1})
	if found(a) != "1.md" || !strings.Contains(strings.Join(say.Lines(a.Notes), " "), "another length now") {
		t.Errorf("%s %q", found(a), a.Notes)
	}
	mustDo(t, ix.Embed(t.Context()))
	a = mustSearch(t, ix, Query{Text: "number 1", TopK: 1})
	if a.Passages[0].VectorRank == 0 || len(a.Notes) > 0 {
		t.Errorf("%+v %q", a.Passages, a.Notes)
	}
}

// TestRefusedWording: the other wordings of a question are of use when the model
// refuses one.
func TestRefusedWording(t *testing.T) {
	model := newCounting(t)
	ix := open(t, t.TempDir(), model, newNotes(t, manyFiles(3)).dir)
	mustSync(t, ix, Scope{})
	model.refuse = "never"
	if a := mustSearch(t, ix, Query{Text: "number", Also: []string{"never"}}); len(a.Notes) > 0 || a.Passages[0].VectorRank == 0 {
		t.Errorf("%+v %q", a.Passages[0], a.Notes)
	}
	a := mustSearch(t, ix, Query{Text: "never number"})
	if !strings.Contains(strings.Join(say.Lines(a.Notes), " "), "refuses the question (400: the input is too long)") {
		t.Errorf("%q", a.Notes)
	}
}

// TestNothingChangedElsewhere: a command beside a server has nothing to excuse.
func TestNothingChangedElsewhere(t *testing.T) {
	n := newNotes(t, manyFiles(3))
	for path := range manyFiles(3) {
		n.age(path) // or they are looked into again for a while
	}
	file := filepath.Join(t.TempDir(), "x.db")
	started(t, file, n.dir, newCounting(t))
	command := loaded(t, Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
	for _, path := range []string{"", "new.md"} {
		if path != "" {
			n.write(path, "number 77")
		}
		mustSync(t, command, Scope{})
		if a := mustSearch(t, command, Query{Text: "number 1"}); len(a.Notes) > 0 {
			t.Errorf("it says %q", a.Notes)
		}
	}
}
