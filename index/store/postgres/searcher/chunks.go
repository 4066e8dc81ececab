package searcher

import (
	"context"
	"fmt"

	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// growth is the garbage collection target in percent if there are many chunks: a server that uses a
// database should stay small.
const growth = 20

// KnownVectors implements live.ChunkIndex: the vectors are in the database.
func (s *Searcher) KnownVectors(context.Context, int, []catalog.RecordWithBody) (map[catalog.EmbeddingKey][]float32, error) {
	return nil, nil
}

// Insert implements live.ChunkIndex: the database stores the chunks.
func (s *Searcher) Insert(docs *live.Documents, d *search.Document, _ []catalog.Chunk, _ map[catalog.EmbeddingKey][]float32) error {
	if n, count := docs.CountChunks(), int(d.SlotRange.Count); n < live.ManyChunksThreshold && n+count >= live.ManyChunksThreshold {
		live.SetGCPercent(growth)
	}
	if d.SlotRange.Count > 0 && !s.store.ModelProperties.IsCheapToCompute {
		s.fresh[d] = true
	}
	return nil
}

// Delete implements live.ChunkIndex.
func (s *Searcher) Delete(_ *live.Documents, d *search.Document) { delete(s.fresh, d) }

// Move implements live.ChunkIndex.
func (s *Searcher) Move(old, d *search.Document) {
	if s.fresh[old] {
		delete(s.fresh, old)
		s.fresh[d] = true
	}
}

// Find implements live.ChunkIndex: it reads the chunks from the database.
func (s *Searcher) Find(ctx context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error) {
	slots := make(map[int][]uint32) // by folder
	for d, some := range numbers {
		for _, n := range some {
			slots[d.Folder] = append(slots[d.Folder], d.SlotRange.First+uint32(n))
		}
	}
	all := make(map[*search.Document][]search.Chunk, len(numbers))
	for folder, some := range slots {
		found, err := s.chunksIn(ctx, folder, some)
		if err != nil {
			return nil, err
		}
		for d, some := range numbers {
			if d.Folder != folder {
				continue
			}
			for _, n := range some {
				// otherwise another document has replaced this one
				if one, ok := found[d.SlotRange.First+uint32(n)]; ok {
					all[d] = append(all[d], search.Chunk{Document: d, Number: n, Span: one.Span, Heading: one.Heading, Key: one.Key, ContentHash: one.ContentHash, Traits: one.Traits})
				}
			}
		}
	}
	return all, nil
}

// chunksIn returns the chunks at the given slots of a folder.
func (s *Searcher) chunksIn(ctx context.Context, folder int, slots []uint32) (map[uint32]catalog.Chunk, error) {
	f := s.store.Follower(folder)
	if f == nil {
		return nil, nil
	}
	l, err := s.libraryOf(folder, f)
	if err != nil {
		return nil, err
	}
	found, err := l.ChunksAt(ctx, slots)
	if err != nil {
		return nil, fmt.Errorf("read passages: %w", err)
	}
	return found, nil
}

// IsMachineGenerated implements live.ChunkIndex: it would require a query to the database.
func (s *Searcher) IsMachineGenerated(*search.Document) bool { return false }

// ChunksFitText implements live.ChunkIndex: the chunks have the same source as the text.
func (s *Searcher) ChunksFitText(*search.Document, string) bool { return true }

// RestoreSnapshot implements live.ChunkIndex: a database has no snapshot besides the catalogue.
func (s *Searcher) RestoreSnapshot(context.Context, int, *live.Follower, bool) (change int64, takeOver func(*live.Documents) error, err error) {
	return 0, nil, nil
}

// IsSnapshotDue implements live.ChunkIndex.
func (s *Searcher) IsSnapshotDue(folder int) bool { return false }

// SaveSnapshot implements live.ChunkIndex.
func (s *Searcher) SaveSnapshot(context.Context, int) error { return nil }

// InMemoryVectors implements live.ChunkIndex.
func (s *Searcher) InMemoryVectors(int) map[catalog.EmbeddingKey][]float32 { return nil }

// RemoveLeftoverSnapshots implements live.ChunkIndex.
func (s *Searcher) RemoveLeftoverSnapshots(string) error { return nil }

// TrimCapacity implements live.ChunkIndex.
func (s *Searcher) TrimCapacity() {}
