package live

import (
	"context"
	"fmt"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/search"
)

// known makes the vectors of the chunks of documents, or finds those that a model
// gave before.
func (st *Store) known(ctx context.Context, folder int, entries []catalog.Entry) (map[catalog.Key][]float32, error) {
	if st.heads && folder != search.NoFolder {
		return nil, nil
	}
	if !st.Model.Free {
		var keys []catalog.Key
		for _, e := range entries {
			keys = append(keys, KeysOf(e.Chunks)...)
		}
		return st.Saved(ctx, folder, keys)
	}
	made := make(map[catalog.Key][]float32)
	for _, e := range entries {
		for _, c := range e.Chunks {
			if err := st.embed(ctx, made, c.Key, catalog.EmbeddingInput(e.Body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
}

// embed adds the vector of a text to those made, where that is free.
func (st *Store) embed(ctx context.Context, made map[catalog.Key][]float32, key catalog.Key, input string) error {
	vectors, err := st.Embedder.Embed(ctx, embed.Passage, []string{input})
	if err == nil {
		made[key] = vectors[0]
	}
	return err
}

// KeysOf lists the texts of chunks that are embedded.
func KeysOf(chunks []catalog.Chunk) []catalog.Key {
	keys := make([]catalog.Key, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Key
	}
	return keys
}

// Saved finds the vectors of texts that a model gave before.
func (st *Store) Saved(ctx context.Context, folder int, keys []catalog.Key) (map[catalog.Key][]float32, error) {
	if folder == search.NoFolder || !st.Model.IsStored() || len(keys) == 0 {
		return nil, nil
	}
	c := st.Follower(folder)
	vectors, err := c.Vectors().Find(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up vectors: %w", err)
	}
	return vectors, nil
}

// Prune drops vectors that nothing has used for a long time.
func (st *Store) Prune(ctx context.Context, folder int) error {
	if !st.Model.IsStored() {
		return nil
	}
	c := st.Follower(folder)
	due, err := c.Vectors().PruneDue(ctx)
	if err != nil || !due {
		return err
	}
	if !st.heads {
		return c.Vectors().Prune(ctx, st.keysIn(folder), time.Now())
	}
	e, err := c.embedding()
	if err != nil {
		return err
	}
	return e.PruneUnused(ctx, time.Now())
}

// keysIn is the set of the texts of a folder's chunks.
func (st *Store) keysIn(folder int) map[catalog.Key]bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	used := make(map[catalog.Key]bool)
	for _, ch := range st.Chunks {
		if ch.Document != nil && ch.Document.Folder == folder {
			used[ch.Key] = true
		}
	}
	return used
}
