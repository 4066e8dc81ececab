package searcher

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// followedVectors holds what is known about vectors in the database, besides which chunks lack one.
// The lock of the Store guards it.
type followedVectors struct {
	fresh map[*search.Document]bool // documents not checked for missing vectors yet
	sizes map[int]int               // by folder: dimensions of the vectors; 0 if there are none
}

func newFollowedVectors() followedVectors {
	return followedVectors{make(map[*search.Document]bool), make(map[int]int)}
}

// FollowVectors implements live.ChunkIndex.
func (s *Searcher) FollowVectors(ctx context.Context, folder int, f *live.Follower) error {
	if s.store.ModelProperties.IsCheapToCompute {
		return nil
	}
	l, err := s.libraryOf(folder, f)
	if err != nil {
		return err
	}
	size, err := l.VectorDimensions(ctx)
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	s.setDimensions(folder, size)
	last, err := l.LastVectorRow(ctx)
	before := f.LastVectorRow() // if none was read yet, all documents are checked below
	if err == nil && before != live.NoVectorRow && last != before && s.store.CountMissingVectors(folder) > 0 {
		var slots []uint32
		slots, err = l.SlotsEmbeddedAfter(ctx, before)
		s.markEmbeddedAt(folder, slots)
	}
	if err == nil {
		err = s.findUnembeddedOfNew(ctx, l)
	}
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	f.SetLastVectorRow(last)
	if s.store.CountMissingVectors(folder) == 0 {
		return nil
	}
	return s.followRefusals(ctx, l)
}

// OnCommit implements live.ChunkIndex. The new documents may contain texts that were refused.
func (s *Searcher) OnCommit(ctx context.Context, folder int, f *live.Follower) (tidy func(), err error) {
	l, err := s.libraryOf(folder, f)
	if err != nil {
		return nil, err
	}
	tidy = func() { _ = l.MergeSegments(ctx) } // if that fails, it is tried again after the next commit
	if s.store.ModelProperties.IsCheapToCompute {
		return tidy, nil
	}
	err = s.findUnembeddedOfNew(ctx, l)
	if err == nil && s.refusals.HasAny(folder) {
		err = s.followRefusals(ctx, l)
	}
	return tidy, err
}

// update calls f within Store.Update.
func (s *Searcher) update(f func(*live.Documents)) {
	_ = s.store.Update(func(docs *live.Documents) error { f(docs); return nil }) // never fails
}

// setDimensions records the length of the vectors of a folder. If it has changed, another process
// has dropped the old vectors, and all documents are checked again.
func (s *Searcher) setDimensions(folder, size int) {
	s.update(func(docs *live.Documents) {
		old := s.sizes[folder]
		if s.sizes[folder] = size; old == 0 || old == size {
			return
		}
		for d := range docs.InFolder(folder) {
			if d.SlotRange.Count > 0 {
				docs.SetUnembedded(d, nil)
				s.fresh[d] = true
			}
		}
	})
}

// markEmbeddedAt records that the chunks at the given slots of a folder have vectors now.
func (s *Searcher) markEmbeddedAt(folder int, slots []uint32) {
	if len(slots) == 0 {
		return
	}
	slices.Sort(slots)
	s.update(func(docs *live.Documents) {
		for d := range docs.Unembedded(folder) {
			for _, slot := range slotsWithin(slots, d.SlotRange) {
				docs.MarkEmbedded(d, int(slot-d.SlotRange.First))
			}
		}
	})
}

// slotsWithin returns the part of the sorted slots that is in a run.
func slotsWithin(slots []uint32, run lexical.SlotRange) []uint32 {
	first, _ := slices.BinarySearch(slots, run.First)
	end, _ := slices.BinarySearch(slots[first:], run.First+run.Count)
	return slots[first : first+end]
}

// findUnembeddedOfNew queries which chunks of the new documents have no vector. The slots of
// documents added one after the other are consecutive.
func (s *Searcher) findUnembeddedOfNew(ctx context.Context, l folderLibrary) error {
	fresh := s.newDocumentsIn(l.folder)
	if len(fresh) == 0 {
		return nil
	}
	slices.SortFunc(fresh, func(a, b *search.Document) int { return cmp.Compare(a.SlotRange.First, b.SlotRange.First) })
	first, last := fresh[0].SlotRange, fresh[len(fresh)-1].SlotRange
	unembedded, err := l.UnembeddedSlots(ctx, lexical.SlotRange{First: first.First, Count: last.First + last.Count - first.First})
	if err != nil {
		return err
	}
	s.update(func(docs *live.Documents) {
		for _, d := range fresh {
			if !s.fresh[d] { // removed or replaced in the meantime
				continue
			}
			var set live.ChunkSet
			for _, slot := range slotsWithin(unembedded, d.SlotRange) {
				set = set.Add(int(slot-d.SlotRange.First), int(d.SlotRange.Count))
			}
			docs.SetUnembedded(d, set)
			delete(s.fresh, d)
		}
	})
	return nil
}

// newDocumentsIn lists the documents of a folder that were not checked for missing vectors yet.
func (s *Searcher) newDocumentsIn(folder int) (all []*search.Document) {
	s.store.ReadLocked(func(*live.Documents) {
		for d := range s.fresh {
			if d.Folder == folder {
				all = append(all, d)
			}
		}
	})
	return all
}

// followRefusals loads which texts the model refused, including what other processes recorded or
// withdrew.
func (s *Searcher) followRefusals(ctx context.Context, l folderLibrary) error {
	found, err := l.RefusedSlots(ctx, time.Now().Add(-live.RefusalTTL))
	if err != nil {
		return fmt.Errorf("read what the model refuses: %w", err)
	}
	reasons := make(map[rank.Slot]string, len(found))
	for slot, reason := range found {
		reasons[rank.Slot(slot)] = reason
	}
	s.refusals.Replace(l.folder, reasons)
	return nil
}

// EmbeddingRefusal implements live.ChunkIndex.
func (s *Searcher) EmbeddingRefusal(d *search.Document, number int) string {
	return s.refusals.Reason(d.Folder, d.SlotOf(number))
}

// RecordRefusals implements live.ChunkIndex.
func (s *Searcher) RecordRefusals(ctx context.Context, folder int, chunks []live.UnembeddedChunk, reasons map[catalog.EmbeddingKey]string) error {
	if len(reasons) == 0 {
		return nil
	}
	for _, w := range chunks {
		if reason := reasons[w.Key]; reason != "" {
			s.refusals.Add(folder, w.Slot, reason)
		}
	}
	if folder == search.NoFolder {
		return nil
	}
	l, err := s.libraryOf(folder, s.store.Follower(folder))
	if err == nil {
		err = l.RecordRefusals(ctx, reasons)
	}
	if err != nil {
		return fmt.Errorf("note what the model refuses: %w", err)
	}
	return nil
}

// ClearRefusals implements live.ChunkIndex.
func (s *Searcher) ClearRefusals(ctx context.Context, folder int) error {
	s.refusals.Replace(folder, nil)
	l, err := s.libraryOf(folder, s.store.Follower(folder))
	if err != nil {
		return err
	}
	return l.ClearRefusals(ctx)
}

// AttachVectors implements live.ChunkIndex.
func (s *Searcher) AttachVectors(chunks []live.UnembeddedChunk, vectors map[catalog.EmbeddingKey][]float32) error {
	s.update(func(docs *live.Documents) {
		for _, w := range chunks {
			vec := vectors[w.Key]
			d := docs.DocumentAt(w.Document.Location())
			if len(vec) == 0 || d == nil || d.ID != w.Document.ID || d.CatalogID != w.Document.CatalogID {
				continue
			}
			docs.MarkEmbedded(d, w.Number)
			if s.sizes[d.Folder] == 0 {
				s.sizes[d.Folder] = len(vec)
			}
		}
	})
	return nil
}

// HasOtherLength implements live.ChunkIndex.
func (s *Searcher) HasOtherLength(vec []float32) (other bool) {
	s.store.ReadLocked(func(*live.Documents) {
		for _, size := range s.sizes {
			other = other || size != 0 && size != len(vec)
		}
	})
	return other
}

// DropVectorsOfOtherLength implements live.ChunkIndex. Queries wait until it has finished.
func (s *Searcher) DropVectorsOfOtherLength(ctx context.Context, vec []float32) error {
	followers := s.store.Followers()
	return s.store.Update(func(docs *live.Documents) error {
		for folder, f := range followers {
			if size := s.sizes[folder]; f == nil || size == 0 || size == len(vec) { // another goroutine was faster
				continue
			}
			if err := f.DeleteVectors(ctx); err != nil {
				return fmt.Errorf("drop the vectors of another model: %w", err)
			}
			s.sizes[folder] = 0
			for d := range docs.InFolder(folder) {
				if d.SlotRange.Count > 0 {
					docs.SetUnembedded(d, live.FullChunkSet(int(d.SlotRange.Count)))
					delete(s.fresh, d)
				}
			}
		}
		return nil
	})
}

// CountWithoutSavedVector implements live.ChunkIndex.
func (s *Searcher) CountWithoutSavedVector(ctx context.Context, folder int) (int, error) {
	l, err := s.libraryOf(folder, s.store.Follower(folder))
	if err != nil {
		return 0, err
	}
	unembedded, err := l.UnembeddedSlots(ctx, lexical.SlotRange{Count: math.MaxUint32})
	return len(unembedded), err
}

// libraryWithVectors returns the library of a folder; ok reports whether it is loaded and stores
// vectors of a model.
func (s *Searcher) libraryWithVectors(folder int) (l folderLibrary, ok bool, err error) {
	f := s.store.Follower(folder)
	if f == nil || !s.store.ModelProperties.IsWorthStoring() {
		return folderLibrary{}, false, nil
	}
	l, err = s.libraryOf(folder, f)
	return l, err == nil, err
}

// PruneVectors implements live.ChunkIndex.
func (s *Searcher) PruneVectors(ctx context.Context, folder int) error {
	l, ok, err := s.libraryWithVectors(folder)
	if !ok {
		return err
	}
	return l.PruneVectors(ctx, time.Now(), nil)
}

// RecordEmbeddedChunks implements live.ChunkIndex.
func (s *Searcher) RecordEmbeddedChunks(ctx context.Context, folder int) error {
	l, ok, err := s.libraryWithVectors(folder)
	if !ok {
		return err
	}
	return l.RecordFirstUnembeddedSlot(ctx)
}

// IsVectorIndexDue implements live.ChunkIndex.
func (s *Searcher) IsVectorIndexDue(ctx context.Context, folder int) (bool, error) {
	l, err := s.libraryOf(folder, s.store.Follower(folder))
	if err != nil {
		return false, err
	}
	return l.IsVectorIndexDue(ctx)
}

// IndexVectors implements live.ChunkIndex.
func (s *Searcher) IndexVectors(ctx context.Context, folder int, report func(done, total int)) error {
	l, ok, err := s.libraryWithVectors(folder)
	if !ok {
		return err
	}
	return l.IndexVectors(ctx, report)
}
