package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// What an embedding model refuses to embed is found by its words, and is not
// sent again for a while.
const keepRefusal = 24 * time.Hour

// refusals are the texts that the model in use refuses, and why, by folder.
type refusals struct {
	mu      sync.Mutex
	reasons map[int]map[catalog.Key]string
}

func newRefusals() *refusals { return &refusals{reasons: make(map[int]map[catalog.Key]string)} }

func (r *refusals) add(folder int, reasons map[catalog.Key]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reasons[folder] == nil {
		r.reasons[folder] = make(map[catalog.Key]string)
	}
	maps.Copy(r.reasons[folder], reasons)
}

func (r *refusals) replace(folder int, reasons map[catalog.Key]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reasons[folder] = reasons
}

func (r *refusals) has(c search.Chunk) bool { return r.reason(c) != "" }

func (r *refusals) reason(c search.Chunk) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reasons[c.Document.Folder][c.Key]
}

// Refuse notes why texts have no vectors.
func (st *Store) Refuse(ctx context.Context, folder int, reasons map[catalog.Key]string) error {
	if len(reasons) == 0 {
		return nil
	}
	st.refusals.add(folder, reasons)
	if folder == search.NoFolder {
		return nil
	}
	if err := st.Follower(folder).Refuse(ctx, reasons); err != nil {
		return fmt.Errorf("note what the model refuses: %w", err)
	}
	return nil
}

// takeRefusals takes over what was refused, or forgiven, by other processes too.
func (st *Store) takeRefusals(ctx context.Context, folder int, f *Follower) error {
	reasons, err := f.Refusals(ctx, time.Now().Add(-keepRefusal))
	if err == nil {
		st.refusals.replace(folder, reasons)
	}
	return err
}

// Forgive has the model asked again for all that it refused.
func (st *Store) Forgive(ctx context.Context, folder int) error {
	st.refusals.replace(folder, nil)
	return st.Follower(folder).Forgive(ctx)
}

// Refusal is a chunk that the model refuses, and why.
type Refusal struct {
	search.Chunk
	Reason string
}

// Refused lists the chunks that the model refuses, in the order of their places.
func (st *Store) Refused() []Refusal {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var all []Refusal
	for d := range st.incomplete {
		for _, s := range d.Slots {
			if c := st.Chunks[s]; c.Bare && st.refusals.has(c) {
				all = append(all, Refusal{c, st.refusals.reason(c)})
			}
		}
	}
	slices.SortFunc(all, func(a, b Refusal) int { return search.ComparePlaces(a.Chunk, b.Chunk) })
	return all
}

// ChunkOf is the chunk at a slot; ok is false when it is gone.
func (st *Store) ChunkOf(s rank.Slot) (c search.Chunk, ok bool) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	c = *st.chunkAt(s)
	return c, c.Document != nil
}
