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
	slots   map[int]map[rank.Slot]string // of chunks that are in catalogues only, there
}

func newRefusals() *refusals {
	return &refusals{reasons: make(map[int]map[catalog.Key]string), slots: make(map[int]map[rank.Slot]string)}
}

func (r *refusals) add(folder int, chunks []Wanted, reasons map[catalog.Key]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reasons[folder] == nil {
		r.reasons[folder] = make(map[catalog.Key]string)
	}
	maps.Copy(r.reasons[folder], reasons)
	for _, w := range chunks {
		if reason := reasons[w.Key]; reason != "" && w.Document.Run.Count > 0 {
			if r.slots[folder] == nil {
				r.slots[folder] = make(map[rank.Slot]string)
			}
			r.slots[folder][w.Slot] = reason
		}
	}
}

func (r *refusals) replace(folder int, reasons map[catalog.Key]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reasons[folder] = reasons
}

func (r *refusals) replaceSlots(folder int, slots map[rank.Slot]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots[folder] = slots
}

// isAny tells whether chunks of a folder's catalogue were refused.
func (r *refusals) isAny(folder int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.slots[folder]) > 0
}

// at is why the chunk at a slot of a folder's catalogue was refused, "" when it was not.
func (r *refusals) at(folder int, s rank.Slot) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.slots[folder][s]
}

func (r *refusals) has(c search.Chunk) bool { return r.reason(c) != "" }

func (r *refusals) reason(c search.Chunk) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reasons[c.Document.Folder][c.Key]
}

// Refuse notes why the texts of some chunks have no vectors.
func (st *Store) Refuse(ctx context.Context, folder int, chunks []Wanted, reasons map[catalog.Key]string) error {
	if len(reasons) == 0 {
		return nil
	}
	st.refusals.add(folder, chunks, reasons)
	if folder == search.NoFolder {
		return nil
	}
	if err := st.Follower(folder).Vectors().Refuse(ctx, reasons); err != nil {
		return fmt.Errorf("note what the model refuses: %w", err)
	}
	return nil
}

// takeRefusals takes over what was refused, or forgiven, by other processes too.
func (st *Store) takeRefusals(ctx context.Context, folder int, f *Follower) error {
	if st.heads {
		return st.takeRefusedSlots(ctx, folder, f)
	}
	reasons, err := f.Vectors().Refusals(ctx, time.Now().Add(-keepRefusal))
	if err == nil {
		st.refusals.replace(folder, reasons)
	}
	return err
}

// Forgive has the model asked again for all that it refused.
func (st *Store) Forgive(ctx context.Context, folder int) error {
	st.refusals.replace(folder, nil)
	st.refusals.replaceSlots(folder, nil)
	return st.Follower(folder).Vectors().Forgive(ctx)
}

// Refusal is a chunk that the model refuses, and why.
type Refusal struct {
	search.Chunk
	Reason string
}

// Refused lists the chunks that the model refuses, in the order of their places.
func (st *Store) Refused(ctx context.Context) (all []Refusal, err error) {
	here, elsewhere := st.refused()
	found, err := st.chunksAt(ctx, elsewhere)
	if err != nil {
		return nil, err
	}
	for d, chunks := range found {
		for _, c := range chunks {
			all = append(all, Refusal{c, st.refusals.at(d.Folder, d.SlotOf(c.Number))})
		}
	}
	all = append(all, here...)
	slices.SortFunc(all, func(a, b Refusal) int { return search.ComparePlaces(a.Chunk, b.Chunk) })
	return all, nil
}

// refused lists those that are in memory, and the numbers of those that are not.
func (st *Store) refused() (here []Refusal, elsewhere map[*search.Document][]int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	elsewhere = make(map[*search.Document][]int)
	for d := range st.incomplete {
		for n := range d.CountChunks() {
			s := d.SlotOf(n)
			switch {
			case d.Run.Count > 0:
				if st.lacking.bare[d].has(n) && st.refusals.at(d.Folder, s) != "" {
					elsewhere[d] = append(elsewhere[d], n)
				}
			default:
				if c := st.Chunks[s]; c.Bare && st.refusals.has(c) {
					here = append(here, Refusal{c, st.refusals.reason(c)})
				}
			}
		}
	}
	return here, elsewhere
}
