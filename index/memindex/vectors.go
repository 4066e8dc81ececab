package memindex

import (
	"context"
	"fmt"
	"slices"
	"time"

	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
)

// KnownVectors implements live.ChunkIndex. It computes the vectors if the embedder takes next to no time, as
// the built-in one does, or else looks up in the catalogue those that the model returned earlier.
func (ix *Index) KnownVectors(ctx context.Context, folder int, entries []catalog.RecordWithBody) (map[catalog.EmbeddingKey][]float32, error) {
	if !ix.store.ModelProperties.IsCheapToCompute {
		var keys []catalog.EmbeddingKey
		for _, e := range entries {
			keys = append(keys, live.EmbeddingKeysOf(e.Chunks)...)
		}
		return ix.store.SavedVectors(ctx, folder, keys)
	}
	made := make(map[catalog.EmbeddingKey][]float32)
	for _, e := range entries {
		for _, c := range e.Chunks {
			if err := ix.embedText(ctx, made, c.Key, catalog.EmbeddingInput(e.Body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
}

// embedText computes the vector of a text with an embedder that takes next to no time, and adds it to
// made.
func (ix *Index) embedText(ctx context.Context, made map[catalog.EmbeddingKey][]float32, key catalog.EmbeddingKey, input string) error {
	vectors, err := ix.store.Embedder.Embed(ctx, embed.Passage, []string{input})
	if err == nil {
		made[key] = vectors[0]
	}
	return err
}

// OnCommit implements live.ChunkIndex. It does nothing, because vectors are put with their
// documents.
func (ix *Index) OnCommit(context.Context, int, *live.Follower) (tidy func(), err error) {
	return nil, nil
}

// FollowVectors implements live.ChunkIndex. It assigns vectors to the chunks without one: those that
// another process has saved, or that the embedder computes in next to no time.
func (ix *Index) FollowVectors(ctx context.Context, folder int, f *live.Follower) error {
	unembedded := ix.unembeddedIn(folder)
	if len(unembedded) == 0 {
		return nil
	}
	if ix.store.ModelProperties.IsCheapToCompute {
		return ix.makeVectors(ctx, folder)
	}
	if err := ix.followRefusals(ctx, folder, f); err != nil {
		return err
	}
	vectors, last, err := f.VectorsSavedAfter(ctx, f.LastVectorRow())
	if err == nil && ix.dropOtherLength(vectors) {
		unembedded = ix.unembeddedIn(folder)
		vectors, last, err = f.VectorsSavedAfter(ctx, 0)
	}
	if err != nil {
		return fmt.Errorf("read vectors of %s: %w", f.Describe().File, err)
	}
	if err := ix.AttachVectors(unembedded, vectors); err != nil {
		return err
	}
	f.SetLastVectorRow(last)
	return nil
}

// unembeddedIn returns the chunks of a folder without a vector.
func (ix *Index) unembeddedIn(folder int) (all []live.UnembeddedChunk) {
	ix.store.ReadLocked(func(docs *live.Documents) {
		for d := range docs.Unembedded(folder) {
			for n, s := range d.Slots {
				if docs.IsUnembedded(d, n) {
					all = append(all, live.UnembeddedChunk{Chunk: ix.chunks[s], Slot: s})
				}
			}
		}
	})
	return all
}

// dropOtherLength reports whether vectors have another number of dimensions than those in memory.
// If so, it drops those in memory, because another process has embedded all passages again.
func (ix *Index) dropOtherLength(vectors map[catalog.EmbeddingKey][]float32) (outgrown bool) {
	_ = ix.store.Update(func(docs *live.Documents) error { // never fails
		for _, vec := range vectors {
			if outgrown = ix.isOther(vec); outgrown {
				ix.forgetVectors(docs)
			}
			break
		}
		return nil
	})
	return outgrown
}

// makeVectors embeds the chunks of a folder without a vector, several documents concurrently. It is for
// embedders that take next to no time.
func (ix *Index) makeVectors(ctx context.Context, folder int) error {
	for some := range slices.Chunk(ix.store.DocumentsToEmbed(), catalog.PageRows) {
		var steps []func() error
		for _, d := range some {
			if d.Folder == folder {
				steps = append(steps, func() error { return ix.makeVectorsOf(ctx, d) })
			}
		}
		if err := runParallel(steps); err != nil {
			return err
		}
	}
	return nil
}

// makeVectorsOf embeds the chunks of a document. It skips a document that another process has
// replaced, because the change will be followed.
func (ix *Index) makeVectorsOf(ctx context.Context, d *search.Document) error {
	unembedded, _, err := ix.store.UnembeddedChunks(ctx, d)
	if err != nil {
		return err
	}
	made := make(map[catalog.EmbeddingKey][]float32, len(unembedded))
	for _, w := range unembedded {
		if err := ix.embedText(ctx, made, w.Key, w.Input); err != nil {
			return err
		}
	}
	return ix.AttachVectors(unembedded, made)
}

// AttachVectors implements live.ChunkIndex.
func (ix *Index) AttachVectors(chunks []live.UnembeddedChunk, vectors map[catalog.EmbeddingKey][]float32) error {
	return ix.store.Update(func(docs *live.Documents) error {
		for _, w := range chunks {
			c, vec := ix.chunkAt(w.Slot), vectors[w.Key]
			if !vector.CanCompare(ix.vectors, vec) || c.Document == nil || c.Key != w.Key || !docs.IsUnembedded(c.Document, c.Number) {
				continue
			}
			if err := ix.vectors.Put(w.Slot, vec); err != nil {
				return err
			}
			docs.MarkEmbedded(c.Document, c.Number)
		}
		return nil
	})
}

// HasOtherLength implements live.ChunkIndex.
func (ix *Index) HasOtherLength(vec []float32) (other bool) {
	ix.store.ReadLocked(func(*live.Documents) { other = ix.isOther(vec) })
	return other
}

func (c *contents) isOther(vec []float32) bool {
	return c.vectors.Dimensions() != 0 && len(vec) != c.vectors.Dimensions()
}

// DropVectorsOfOtherLength implements live.ChunkIndex. Queries are blocked until it returns.
func (ix *Index) DropVectorsOfOtherLength(ctx context.Context, vec []float32) error {
	followers := ix.store.Followers()
	return ix.store.Update(func(docs *live.Documents) error {
		if !ix.isOther(vec) { // another goroutine was faster
			return nil
		}
		for _, f := range followers {
			if f == nil {
				continue
			}
			if err := f.DeleteVectors(ctx); err != nil {
				return fmt.Errorf("drop the vectors of another model: %w", err)
			}
		}
		ix.forgetVectors(docs)
		return nil
	})
}

// forgetVectors drops the vectors of all chunks. The caller must hold the lock for writing.
func (ix *Index) forgetVectors(docs *live.Documents) {
	ix.vectors = vector.New(precisionFor(ix.store.ModelProperties))
	for d := range docs.All {
		docs.SetUnembedded(d, live.FullChunkSet(len(d.Slots)))
	}
}

// CountWithoutSavedVector implements live.ChunkIndex.
func (ix *Index) CountWithoutSavedVector(ctx context.Context, folder int) (n int, err error) {
	f := ix.store.Follower(folder)
	for some := range slices.Chunk(ix.keysIn(folder), catalog.PageRows) {
		vectors, err := f.FindVectors(ctx, some)
		if err != nil {
			return 0, fmt.Errorf("look up vectors: %w", err)
		}
		for _, key := range some {
			if _, there := vectors[key]; !there {
				n++
			}
		}
	}
	return n, nil
}

// keysIn returns the keys of the chunks of a folder.
func (ix *Index) keysIn(folder int) (keys []catalog.EmbeddingKey) {
	ix.store.ReadLocked(func(*live.Documents) {
		for i := range ix.chunks {
			if c := &ix.chunks[i]; c.Document != nil && c.Document.Folder == folder {
				keys = append(keys, c.Key)
			}
		}
	})
	return keys
}

// PruneVectors implements live.ChunkIndex.
func (ix *Index) PruneVectors(ctx context.Context, folder int) error {
	if !ix.store.ModelProperties.IsWorthStoring() {
		return nil
	}
	return ix.store.Follower(folder).PruneVectors(ctx, time.Now(), func() map[catalog.EmbeddingKey]bool {
		used := make(map[catalog.EmbeddingKey]bool)
		for _, key := range ix.keysIn(folder) {
			used[key] = true
		}
		return used
	})
}

// RecordEmbeddedChunks implements live.ChunkIndex. It does nothing, because loading a catalogue reads all
// vectors.
func (ix *Index) RecordEmbeddedChunks(context.Context, int) error { return nil }

// IsVectorIndexDue implements live.ChunkIndex. It returns false, because comparing a query with all vectors
// is fast enough.
func (ix *Index) IsVectorIndexDue(context.Context, int) (bool, error) { return false, nil }

// IndexVectors implements live.ChunkIndex. It does nothing, as a vector index is never due.
func (ix *Index) IndexVectors(context.Context, int, func(done, total int)) error { return nil }

// InMemoryVectors implements live.ChunkIndex.
func (ix *Index) InMemoryVectors(folder int) (all map[catalog.EmbeddingKey][]float32) {
	ix.store.ReadLocked(func(*live.Documents) { all = ix.vectorsOf(folder) })
	return all
}

// vectorsOf returns the vectors of the chunks of a folder, by key.
func (c *contents) vectorsOf(folder int) map[catalog.EmbeddingKey][]float32 {
	all := make(map[catalog.EmbeddingKey][]float32)
	for s := range c.chunks {
		one := &c.chunks[s]
		if vec := c.vectors.VectorAt(rank.Slot(s)); vec != nil && one.Document != nil && one.Document.Folder == folder {
			all[one.Key] = vec
		}
	}
	return all
}
