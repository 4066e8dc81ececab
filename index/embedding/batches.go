package embedding

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"vademecum/embed"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// batch is the input of one call of the model: chunks of one folder.
type batch struct {
	folder int
	chunks []live.UnembeddedChunk
}

// embedDocuments embeds the pending documents: several batches concurrently, while further documents are
// read. Before each group of documents it calls begin, and stops if that returns false. After a failure
// it starts no more batches, and completes those in progress.
func (s *Service) embedDocuments(ctx context.Context, pending []*search.Document, begin func([]*search.Document) bool) error {
	gathering, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	batches := make(chan batch, embed.MaxUsefulConcurrentCalls)
	var group sync.WaitGroup
	size := s.Embedder.Properties().BatchSize()
	full := (s.Store.CountPendingChunks(pending) + size - 1) / size
	for range min(embed.MaxUsefulConcurrentCalls, full+1) { // + 1 because folders do not share batches
		group.Go(func() {
			for b := range batches {
				if gathering.Err() != nil {
					continue
				}
				if err := s.CatchPanic("embed passages", func() error { return s.embedBatch(ctx, b) }); err != nil {
					stop(err)
				}
			}
		})
	}
	err := s.makeBatches(gathering, pending, begin, batches)
	close(batches)
	group.Wait()
	if cause := context.Cause(gathering); cause != nil {
		return cause
	}
	return err
}

// makeBatches sends the unembedded chunks of documents in batches, until begin returns false for a group
// of documents.
func (s *Service) makeBatches(ctx context.Context, pending []*search.Document, begin func([]*search.Document) bool, batches chan<- batch) error {
	var b batch
	size := s.Embedder.Properties().BatchSize()
	for some := range groupForReading(pending, 8*size) {
		if !begin(some) {
			break
		}
		if folder := some[0].Folder; folder != b.folder {
			if err := sendBatch(ctx, batches, b); err != nil {
				return err
			}
			b = batch{folder: folder}
		}
		unembedded, err := s.unembeddedOf(ctx, some)
		if err != nil {
			return err
		}
		for b.chunks = append(b.chunks, unembedded...); len(b.chunks) >= size; b.chunks = b.chunks[size:] {
			if err := sendBatch(ctx, batches, batch{b.folder, b.chunks[:size:size]}); err != nil {
				return err
			}
		}
	}
	return sendBatch(ctx, batches, b)
}

// groupForReading groups consecutive documents of one folder whose texts are read together and held in
// memory. A group has at most the given number of chunks, unless it is a single larger document.
func groupForReading(all []*search.Document, most int) iter.Seq[[]*search.Document] {
	return func(yield func([]*search.Document) bool) {
		first, chunks := 0, 0
		for i, d := range all {
			if i > first && (d.Folder != all[first].Folder || chunks+d.CountChunks() > most) {
				if !yield(all[first:i]) {
					return
				}
				first, chunks = i, 0
			}
			chunks += d.CountChunks()
		}
		if first < len(all) {
			yield(all[first:])
		}
	}
}

func sendBatch(ctx context.Context, batches chan<- batch, b batch) error {
	if len(b.chunks) == 0 {
		return nil
	}
	select {
	case batches <- b:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// unembeddedOf lists the chunks to embed of documents of one folder. Documents that another process
// has replaced are left out.
func (s *Service) unembeddedOf(ctx context.Context, of []*search.Document) ([]live.UnembeddedChunk, error) {
	unembedded, whole, err := s.Store.UnembeddedChunks(ctx, of...)
	if err == nil && !whole {
		_, err = s.Store.Follow(ctx, of[0].Folder)
	}
	return unembedded, err
}

// embedBatch embeds a batch: it uses stored vectors, and calls the model for the other chunks.
func (s *Service) embedBatch(ctx context.Context, b batch) error {
	if !s.Peers.IsEmbedder(b.folder) { // another process has taken over, and embeds the same chunks
		return nil
	}
	keys := make([]catalog.EmbeddingKey, len(b.chunks))
	for i, w := range b.chunks {
		keys[i] = w.Key
	}
	vectors, err := s.Store.SavedVectors(ctx, b.folder, keys)
	if err != nil {
		return err
	}
	if err := s.Store.AttachVectors(b.chunks, vectors); err != nil {
		return err
	}
	var missing []live.UnembeddedChunk
	asked := make(map[catalog.EmbeddingKey]bool)
	for _, w := range b.chunks {
		if vectors[w.Key] == nil && !asked[w.Key] {
			asked[w.Key] = true
			missing = append(missing, w)
		}
	}
	if len(missing) > 0 {
		if err := s.askModel(ctx, b, missing); err != nil {
			return err
		}
	}
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddEmbeddedPassages(len(b.chunks)) })
	s.indexDuringPass(ctx, b.folder)
	return nil
}

// askModel embeds chunks with the model, saves the vectors in the catalogue, and makes the chunks
// searchable by them.
func (s *Service) askModel(ctx context.Context, b batch, missing []live.UnembeddedChunk) error {
	inputs := make([]string, len(missing))
	for i, w := range missing {
		inputs[i] = w.Input
	}
	vectors, err := s.Embedder.Embed(ctx, embed.Passage, inputs)
	var refused embed.RefusedTextsError
	if errors.As(err, &refused) {
		err = nil
	}
	fresh, reasons := make(map[catalog.EmbeddingKey][]float32, len(missing)), make(map[catalog.EmbeddingKey]string)
	for i, w := range missing {
		if why := refused[i]; why != nil {
			reasons[w.Key] = string(message.FromError(why))
			s.Log.Warn("the embedding model refuses a passage, which is found by its words only", "passage", s.Folders.ShownPathAndLines(w.Chunk), "reason", why)
		} else if i < len(vectors) && vectors[i] != nil { // even if the others failed
			fresh[w.Key] = vectors[i]
		}
	}
	return errors.Join(err, s.saveBatch(context.WithoutCancel(ctx), b, fresh, reasons))
}

// saveBatch saves the vectors of a batch. It is called even if the run is cancelled, because the
// vectors took time, and perhaps money.
func (s *Service) saveBatch(ctx context.Context, b batch, fresh map[catalog.EmbeddingKey][]float32, refused map[catalog.EmbeddingKey]string) error {
	if err := s.checkLength(ctx, fresh); err != nil {
		return err
	}
	if err := s.Store.SaveVectors(ctx, b.folder, fresh); err != nil {
		if _, _ = s.MoveRejectedCatalogsToMemory(ctx); !s.Store.Follower(b.folder).Describe().IsUnsaved() { // a concurrent batch may have moved it to memory
			return err
		}
		if err := s.Store.SaveVectors(ctx, b.folder, fresh); err != nil {
			return err
		}
	}
	if err := s.Store.RecordRefusals(ctx, b.folder, b.chunks, refused); err != nil {
		return err
	}
	return s.Store.AttachVectors(b.chunks, fresh)
}

// checkLength compares the length of new vectors with that of the stored ones. If it differs,
// either another model has the same name, and all vectors must be recomputed, or one response was
// wrong. To distinguish these, it embeds a text again.
func (s *Service) checkLength(ctx context.Context, fresh map[catalog.EmbeddingKey][]float32) error {
	for _, vec := range fresh {
		if !s.Store.HasOtherLength(vec) {
			return nil
		}
		again, err := s.Embedder.Embed(ctx, embed.Passage, []string{"note"})
		if err != nil {
			return err
		}
		if len(again[0]) != len(vec) {
			return fmt.Errorf("%s gives vectors of %d and of %d dimensions", s.Embedder.ModelIdentity(), len(vec), len(again[0]))
		}
		return s.Store.DropVectorsOfOtherLength(ctx, vec)
	}
	return nil
}
