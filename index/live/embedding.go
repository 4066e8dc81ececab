package live

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// EmbeddingKeysOf returns the keys under which the vectors of chunks are stored.
func EmbeddingKeysOf(chunks []catalog.Chunk) []catalog.EmbeddingKey {
	keys := make([]catalog.EmbeddingKey, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Key
	}
	return keys
}

// SavedVectors returns those vectors for the given keys that are saved in the catalogue of a folder.
func (st *Store) SavedVectors(ctx context.Context, folder int, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	if folder == search.NoFolder || !st.ModelProperties.IsWorthStoring() || len(keys) == 0 {
		return nil, nil
	}
	vectors, err := st.Follower(folder).FindVectors(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up vectors: %w", err)
	}
	return vectors, nil
}

// UnembeddedChunks returns those chunks of the given documents that need to be embedded, grouped by document.
// isComplete is false if another process has replaced one of the documents.
func (st *Store) UnembeddedChunks(ctx context.Context, documents ...*search.Document) (all []UnembeddedChunk, isComplete bool, err error) {
	bodies, err := st.LoadBodies(ctx, documents)
	if err != nil {
		return nil, false, err
	}
	numbers := make(map[*search.Document][]int)
	st.ReadLocked(func(docs *Documents) {
		for _, d := range documents {
			if wanted := slices.Collect(st.chunksToEmbed(docs, d)); len(wanted) > 0 {
				numbers[d] = wanted
			}
		}
	})
	chunks, err := st.Find(ctx, numbers)
	for _, d := range documents {
		body, ok := bodies[d]
		if !ok {
			continue
		}
		for _, c := range chunks[d] {
			all = append(all, UnembeddedChunk{c, d.SlotOf(c.Number), catalog.EmbeddingInput(body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)})
		}
	}
	return all, len(bodies) == len(documents), err
}

// SaveVectors saves vectors of the embedding model in the catalogue of a folder.
func (st *Store) SaveVectors(ctx context.Context, folder int, fresh map[catalog.EmbeddingKey][]float32) error {
	if folder == search.NoFolder || len(fresh) == 0 {
		return nil
	}
	if err := st.Follower(folder).SaveVectors(ctx, "", fresh); err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return nil
}

// Refusals holds the reasons why the model in use refuses texts, by folder and key.
type Refusals[K comparable] struct {
	mu      sync.Mutex
	reasons map[int]map[K]string
}

// Add records why the text with a key is refused.
func (r *Refusals[K]) Add(folder int, key K, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reasons == nil {
		r.reasons = make(map[int]map[K]string)
	}
	if r.reasons[folder] == nil {
		r.reasons[folder] = make(map[K]string)
	}
	r.reasons[folder][key] = reason
}

// Replace replaces all refusals of a folder.
func (r *Refusals[K]) Replace(folder int, reasons map[K]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reasons == nil {
		r.reasons = make(map[int]map[K]string)
	}
	r.reasons[folder] = reasons
}

// Reason returns why the text with a key is refused, or "" if it is not.
func (r *Refusals[K]) Reason(folder int, key K) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reasons[folder][key]
}

// HasAny reports whether any text of a folder is refused.
func (r *Refusals[K]) HasAny(folder int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.reasons[folder]) > 0
}

// RefusalTTL is how long a text that a model has refused is not sent to it again.
const RefusalTTL = 24 * time.Hour

// Refusal is a chunk that the model refuses, with the reason.
type Refusal struct {
	search.Chunk
	Reason message.Message
}

// RefusedChunks returns the chunks that the model refuses, in the order of their locations.
func (st *Store) RefusedChunks(ctx context.Context) (all []Refusal, err error) {
	numbers, reasons := make(map[*search.Document][]int), make(map[*search.Document]map[int]string)
	st.ReadLocked(func(docs *Documents) {
		for d, unembedded := range docs.unembedded {
			for n := range 64 * len(unembedded) {
				if !unembedded.has(n) || st.EmbeddingRefusal(d, n) == "" {
					continue
				}
				if reasons[d] == nil {
					reasons[d] = make(map[int]string)
				}
				numbers[d], reasons[d][n] = append(numbers[d], n), st.EmbeddingRefusal(d, n)
			}
		}
	})
	found, err := st.Find(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for d, chunks := range found {
		for _, c := range chunks {
			all = append(all, Refusal{c, message.Message(reasons[d][c.Number])})
		}
	}
	slices.SortFunc(all, func(a, b Refusal) int { return search.CompareLocations(a.Chunk, b.Chunk) })
	return all, nil
}
