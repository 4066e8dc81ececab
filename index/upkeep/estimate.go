package upkeep

import (
	"context"
	"fmt"
	"sync"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/index/say"
	"vademecum/internal/script"
)

// Estimate is what it would take to index folders with the embedding model.
type Estimate struct {
	Files   int        `json:"files"` // that would be indexed
	Chunks  int        `json:"passages"`
	Missing int        `json:"passages_to_embed"` // different texts without a vector from before
	Tokens  int        `json:"estimated_tokens"`  // of those
	Skipped []say.Skip `json:"skipped"`
}

// Estimate reads the folders of an Index that was not loaded. Nothing is saved,
// and no text is given to the model.
func (k *Keeper) Estimate(ctx context.Context) (Estimate, error) {
	e := &estimator{run: run{k: k}, seen: make(map[catalog.Key]bool)}
	for i, f := range k.folders {
		if err := e.folder(ctx, i); err != nil {
			return Estimate{}, fmt.Errorf("read %s: %w", f.Dir(), err)
		}
	}
	e.finish()
	e.Skipped = append([]say.Skip{}, e.report.Skipped...)
	return e.Estimate, nil
}

// estimator is an Estimate under way.
type estimator struct {
	run
	Estimate

	mu   sync.Mutex
	seen map[catalog.Key]bool
}

func (e *estimator) folder(ctx context.Context, folder int) error {
	// In memory, with the vectors that the file holds.
	c, err := e.k.folders[folder].Home.Try(ctx, e.k.store.Embedder.Model())
	if err != nil {
		return err
	}
	e.k.store.Register(folder, &live.Follower{Catalog: c.Catalog}) // to be closed with the others
	files, err := e.scan(ctx, folder, []area{{folder: folder, base: "."}})
	if err != nil {
		return err
	}
	e.k.progress.Expect(len(files))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := make(chan docs.File)
	var group sync.WaitGroup
	for range workers() {
		group.Go(func() {
			w := worker{run: &e.run, folder: folder}
			for f := range feed {
				if err := e.k.guard("look at a file", func() error { return e.file(ctx, &w, c, f) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	offer(ctx, feed, files)
	group.Wait()
	return context.Cause(ctx)
}

func (e *estimator) file(ctx context.Context, w *worker, c catalog.Catalog, f docs.File) error {
	p, err := w.prepare(ctx, f, nil)
	if err != nil {
		return err
	}
	e.k.progress.Advance(1)
	e.mu.Lock()
	defer e.mu.Unlock()
	if p.Skip != "" {
		e.skipped(w.folder, p.Path, p.Skip)
		return nil
	}
	e.Files++
	e.Chunks += len(p.Chunks)
	if e.k.store.Model.Free {
		return nil
	}
	known, err := c.Vectors().Find(ctx, live.KeysOf(p.Chunks))
	if err != nil {
		return fmt.Errorf("look up vectors: %w", err)
	}
	for _, chunk := range p.Chunks {
		if known[chunk.Key] != nil || e.seen[chunk.Key] {
			continue
		}
		e.seen[chunk.Key] = true
		e.Missing++
		e.Tokens += script.Tokens(catalog.EmbeddingInput(p.Body.Text[chunk.Span.StartByte:chunk.Span.EndByte], chunk.Heading))
	}
	return nil
}
