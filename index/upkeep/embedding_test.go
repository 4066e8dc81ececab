package upkeep

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
)

// partly is a model that gives some vectors of a call before it fails.
type partly struct {
	*indextest.Counting
	give  int // vectors before the failure, per call; -1: all
	calls atomic.Int64
	stop  func() // called by each call, unless it is nil
}

func (p *partly) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := p.Counting.Embed(ctx, kind, texts)
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

// TestWhatCameIsKept: vectors that a model gave before it failed, or before the
// run was given up, are saved, and are not asked for again.
func TestWhatCameIsKept(t *testing.T) {
	for name, givenUp := range map[string]bool{"failed": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			n := indextest.NewNotes(t, indextest.ManyFiles(30))
			model := &partly{Counting: indextest.NewCounting(t), give: 10}
			ix := loaded(t, options{Folders: []string{n.Dir}, Files: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: model})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if givenUp {
				model.stop = cancel
			}
			_, err := ix.Sync(t.Context(), Scope{})
			indextest.Must(t, err)
			if err := ix.embed(ctx); err == nil {
				t.Fatal("it did not fail")
			}
			if _, bare := ix.store.CountChunks(); bare != 20 {
				t.Errorf("%d have no vector, want 20", bare)
			}
			if failure := ix.fresh.State().EmbedFailure; (failure == "") != givenUp {
				t.Errorf("it says %q", failure)
			}
			model.Taken()
			model.give = -1
			indextest.Must(t, ix.Embed(t.Context()))
			if n := model.Taken(); n != 20 {
				t.Errorf("%d texts were sent then, want 20", n)
			}
			if s := ix.fresh.State(); s.EmbedFailure != "" {
				t.Errorf("afterwards it says %q", s.EmbedFailure)
			}
		})
	}
}

// TestEmbedOfAReplacedDocument: another process may replace what waits for its
// vectors.
func TestEmbedOfAReplacedDocument(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	both := twoOn(t, n.Dir)
	if _, err := both[0].Sync(t.Context(), Scope{}); err != nil {
		t.Fatal(err)
	}
	n.Write("a.md", "beta")
	if _, err := both[1].sync(t.Context(), both[1].everything(), false); err != nil {
		t.Fatal(err)
	}
	if err := both[0].Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := found(t, both[0], "beta"); got != "a.md" || both[0].store.CountBare(0) > 0 {
		t.Errorf("found %q, %d without a vector", got, both[0].store.CountBare(0))
	}
}
