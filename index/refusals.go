package index

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"

	"vademecum/index/rank"
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

func (r *refusals) has(c chunk) bool { return r.reason(c) != "" }

func (r *refusals) reason(c chunk) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reasons[c.document.folder][c.key]
}

// refuse notes why texts have no vectors.
func (st *store) refuse(ctx context.Context, folder int, reasons map[catalog.Key]string) error {
	if len(reasons) == 0 {
		return nil
	}
	st.refusals.add(folder, reasons)
	if folder == noFolder {
		return nil
	}
	if err := st.catalogue(folder).Refuse(ctx, reasons); err != nil {
		return fmt.Errorf("note what the model refuses: %w", err)
	}
	return nil
}

// takeRefusals takes over what was refused, or forgiven, by other processes too.
func (st *store) takeRefusals(ctx context.Context, folder int, f *follower) error {
	reasons, err := f.Refusals(ctx, time.Now().Add(-keepRefusal))
	if err == nil {
		st.refusals.replace(folder, reasons)
	}
	return err
}

// forgive has the model asked again for all that it refused.
func (st *store) forgive(ctx context.Context, folder int) error {
	st.refusals.replace(folder, nil)
	return st.catalogue(folder).Forgive(ctx)
}

// refused lists the passages that the model refuses, and why.
func (ix *Index) refused() []Skip {
	ix.store.mu.RLock()
	defer ix.store.mu.RUnlock()
	var slots []rank.Slot
	for d := range ix.store.incomplete {
		for _, s := range d.slots {
			if c := ix.store.chunks[s]; c.bare && ix.store.refusals.has(c) {
				slots = append(slots, s)
			}
		}
	}
	slices.SortFunc(slots, func(a, b rank.Slot) int { return comparePlaces(ix.store.chunks[a], ix.store.chunks[b]) })
	var all []Skip
	for _, s := range slots {
		c := ix.store.chunks[s]
		all = append(all, Skip{Path: ix.linesOf(c), Reason: ix.store.refusals.reason(c)})
	}
	return all
}

// place says where the chunk at a slot stands, "" when it is gone.
func (ix *Index) place(s rank.Slot) string {
	ix.store.mu.RLock()
	defer ix.store.mu.RUnlock()
	if c := ix.store.chunkAt(s); c.document != nil {
		return ix.linesOf(*c)
	}
	return ""
}

func (ix *Index) linesOf(c chunk) string {
	return fmt.Sprintf("%s, lines %d-%d", ix.show(location{c.document.folder, c.document.Path}), c.span.StartLine, c.span.EndLine)
}
