package embedding

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// partly is a model that gives some vectors of a call before it fails.
type partly struct {
	*indextest.CountingModel
	give  int // vectors before the failure, per call; -1: all
	calls atomic.Int64
	stop  func() // called by each call, unless it is nil
}

func (p *partly) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	vectors, err := p.CountingModel.Embed(ctx, kind, texts)
	if p.calls.Add(1); err != nil || p.give < 0 || kind == embed.Query {
		return vectors, err
	}
	all := p.give >= len(vectors)
	for i := p.give; i < len(vectors); i++ {
		vectors[i] = nil
	}
	if p.stop != nil {
		p.stop()
	}
	if all {
		return vectors, nil
	}
	return vectors, errors.New("it is away")
}

// TestWhatCameIsKept: vectors that a model gave before it failed, or before the
// run was given up, are saved, and are not asked for again.
func TestWhatCameIsKept(t *testing.T) {
	for name, givenUp := range map[string]bool{"failed": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			file := indexFile(t)
			model := &partly{CountingModel: indextest.NewCountingModel(t), give: 10}
			p := newProcess(t, model, file)
			p.put(t, 0, "a.md", numbered(30)...)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if givenUp {
				model.stop = cancel
			}
			if err := p.runPass(ctx); err == nil {
				t.Fatal("it did not fail")
			}
			p.mustHaveUnembedded(t, 20)
			if failure := p.FreshnessPublisher.Current().State.EmbedFailure; (failure == "") != givenUp {
				t.Errorf("it says %q", failure)
			}
			again := newProcess(t, model, file)
			again.mustHaveUnembedded(t, 20)
			model.TakeCount()
			model.give = -1
			indextest.Must(t, again.EmbedMissing(t.Context(), 0))
			if n := model.TakeCount(); n != 20 {
				t.Errorf("%d texts were sent then, want 20", n)
			}
			if failure := again.FreshnessPublisher.Current().State.EmbedFailure; failure != "" {
				t.Errorf("afterwards it says %q", failure)
			}
			again.mustHaveUnembedded(t, 0)
		})
	}
}

// TestEmbedOfAReplacedDocument: another process may replace what waits for its
// vectors.
func TestEmbedOfAReplacedDocument(t *testing.T) {
	file := indexFile(t)
	p, other := newProcess(t, indextest.NewCountingModel(t), file), newProcess(t, indextest.NewCountingModel(t), file)
	p.put(t, 0, "a.md", "alpha")
	_, err := other.store.Follow(t.Context(), 0)
	indextest.Must(t, err)
	other.put(t, 0, "a.md", "beta and more")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	d, ok := p.store.Document(search.Location{Folder: 0, Path: "a.md"})
	if !ok || int(d.Size) != len("beta and more") || p.store.CountMissingVectors(0) > 0 {
		t.Errorf("there is %+v, %d chunks have no vector", d, p.store.CountMissingVectors(0))
	}
}

// TestAskedOnce: the same text is sent to the model once, and not if it has given the
// vector before.
func TestAskedOnce(t *testing.T) {
	model, file := indextest.NewCountingModel(t), indexFile(t)
	p := newProcess(t, model, file)
	p.put(t, 0, "a.md", "alpha", "beta", "alpha")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	if n := model.TakeCount(); n != 2 {
		t.Errorf("%d texts were sent, want 2", n)
	}
	p.put(t, 0, "b.md", "gamma", "alpha")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	if n := model.TakeCount(); n != 1 {
		t.Errorf("%d texts were sent then, want 1", n)
	}
	p.mustHaveUnembedded(t, 0)
}

// TestManyBatches: all chunks have their vectors when there are more than one call takes,
// of several folders.
func TestManyBatches(t *testing.T) {
	model := &partly{CountingModel: indextest.NewCountingModel(t), give: -1}
	p := newProcess(t, model, indexFile(t), indexFile(t))
	p.put(t, 0, "a.md", numbered(2*p.Embedder.Properties().BatchSize()+5)...)
	p.put(t, 1, "a.md", "alpha")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.mustHaveUnembedded(t, 0)
	if n := model.calls.Load(); n != 4 {
		t.Errorf("the model was called %d times, want 4", n)
	}
}

// TestTakenOver: what another process has taken over meanwhile is left to it.
func TestTakenOver(t *testing.T) {
	model := indextest.NewCountingModel(t)
	p := newProcess(t, model, indexFile(t))
	p.put(t, 0, "a.md", "alpha")
	chunks, _, err := p.store.UnembeddedChunks(t.Context(), p.store.DocumentsToEmbed()...)
	indextest.Must(t, err)
	p.peers.set(0, progress.EmbeddingProgress{})
	indextest.Must(t, p.embedBatch(t.Context(), batch{0, chunks}))
	if n := model.TakeCount(); n > 0 {
		t.Errorf("%d texts were sent", n)
	}
}

// TestRefusedPassage: a text that the model refuses does not keep the others from their
// vectors, is reported, and is not sent again.
func TestRefusedPassage(t *testing.T) {
	model := indextest.NewCountingModel(t)
	model.RefusedWord = "never"
	p := newProcess(t, model, indexFile(t))
	p.put(t, 0, "a.md", "alpha", "never", "beta")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.mustHaveUnembedded(t, 1)
	refused, err := p.store.RefusedChunks(t.Context())
	if indextest.Must(t, err); len(refused) != 1 || refused[0].Reason != "400: the input is too long" || p.logged.count("refuses a passage") != 1 {
		t.Errorf("refused are %+v, told was %q", refused, p.logged.all)
	}
	model.TakeCount()
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	if n := model.TakeCount(); n != 0 || p.HasPendingChunks() {
		t.Errorf("%d texts were sent again, something is pending: %v", n, p.HasPendingChunks())
	}
}

// TestModelOfAnotherLength: when a model gives vectors of another length, and does so
// twice, all are made anew.
func TestModelOfAnotherLength(t *testing.T) {
	model := indextest.NewCountingModel(t)
	p := newProcess(t, model, indexFile(t))
	p.put(t, 0, "a.md", "alpha", "beta")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	model.ReturnsShortVectors = true
	p.put(t, 0, "b.md", "gamma")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.mustHaveUnembedded(t, 0)
	saved, err := p.store.SavedVectors(t.Context(), 0, []catalog.EmbeddingKey{entry("", "alpha").Chunks[0].Key, entry("", "gamma").Chunks[0].Key})
	indextest.Must(t, err)
	for _, vec := range saved {
		if p.store.HasOtherLength(vec) || len(saved) != 2 {
			t.Errorf("there are %d vectors, one has %d numbers", len(saved), len(vec))
		}
	}
}

// once is a model that gives shorter vectors in one answer.
type once struct {
	*indextest.CountingModel
	calls int
	wrong int // which
}

func (o *once) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	o.calls++
	o.ReturnsShortVectors = o.calls == o.wrong
	return o.CountingModel.Embed(ctx, kind, texts)
}

// TestOneWrongAnswer: vectors of another length in one answer only drop nothing.
func TestOneWrongAnswer(t *testing.T) {
	model := &once{CountingModel: indextest.NewCountingModel(t), wrong: 2}
	p := newProcess(t, model, indexFile(t))
	p.put(t, 0, "a.md", "alpha", "beta")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.put(t, 0, "b.md", "gamma")
	if err := p.runPass(t.Context()); err == nil {
		t.Error("it did not fail")
	}
	p.mustHaveUnembedded(t, 1)
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.mustHaveUnembedded(t, 0)
}
