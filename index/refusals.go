package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"
)

// What an embedding model refuses to embed is found by its words, and is not
// sent again for a while.
const keepRefusal = 24 * time.Hour

// refusals are the texts that the model in use refuses, and why.
type refusals struct {
	mu      sync.Mutex
	reasons map[textKey]string
}

func newRefusals() *refusals { return &refusals{reasons: make(map[textKey]string)} }

func (r *refusals) add(reasons map[textKey]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, reason := range reasons {
		r.reasons[key] = reason
	}
}

func (r *refusals) has(key textKey) bool { return r.reason(key) != "" }

func (r *refusals) reason(key textKey) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reasons[key]
}

func (r *refusals) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.reasons)
}

// refuse notes why texts have no vectors.
func (st *store) refuse(ctx context.Context, folder int, reasons map[textKey]string) error {
	if len(reasons) == 0 {
		return nil
	}
	st.refusals.add(reasons)
	if folder == noFolder {
		return nil
	}
	c := st.catalogue(folder)
	return c.transact(ctx, func(tx *sql.Tx) error {
		for key, reason := range reasons {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO refusals (model, text_key, reason, at) VALUES (?, ?, ?, ?)",
				c.model, key[:], reason, time.Now().Unix()); err != nil {
				return fmt.Errorf("note what the model refuses: %w", err)
			}
		}
		return nil
	})
}

// takeRefusals takes over what was refused, by other processes too.
func (st *store) takeRefusals(ctx context.Context, c *catalogue) error {
	rows, err := c.read.QueryContext(ctx, "SELECT id, text_key, reason FROM refusals WHERE model = ? AND id > ? AND at > ? ORDER BY id",
		c.model, c.followedRefusal, time.Now().Add(-keepRefusal).Unix())
	if err != nil {
		return err
	}
	defer rows.Close()
	reasons := make(map[textKey]string)
	for rows.Next() {
		var key []byte
		var reason string
		if err := rows.Scan(&c.followedRefusal, &key, &reason); err != nil {
			return err
		}
		if len(key) != len(textKey{}) {
			return fmt.Errorf("a refusal: %w", errDamaged)
		}
		reasons[textKey(key)] = reason
	}
	st.refusals.add(reasons)
	return rows.Err()
}

// forgive has the model asked again for all that it refused.
func (st *store) forgive(ctx context.Context, folder int) error {
	st.refusals.clear()
	c := st.catalogue(folder)
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM refusals WHERE model = ?", c.model)
		return err
	})
}

// refused lists the passages that the model refuses, and why.
func (ix *Index) refused() []Skip {
	ix.store.mu.RLock()
	var slots []slot
	for d := range ix.store.incomplete {
		for _, s := range d.slots {
			if c := ix.store.chunks[s]; c.bare && ix.store.refusals.has(c.key) {
				slots = append(slots, s)
			}
		}
	}
	slices.SortFunc(slots, ix.store.order)
	ix.store.mu.RUnlock()
	var all []Skip
	for _, s := range slots {
		if p := (Skip{ix.place(s), ix.store.refusals.reason(ix.store.key(s))}); p.Path != "" {
			all = append(all, p)
		}
	}
	return all
}

// place says where the chunk at a slot stands, "" when it is gone.
func (ix *Index) place(s slot) string {
	ix.store.mu.RLock()
	defer ix.store.mu.RUnlock()
	c := ix.store.chunks[s]
	if c.document == nil {
		return ""
	}
	return fmt.Sprintf("%s, lines %d-%d", ix.show(location{c.document.folder, c.document.path}), c.span.StartLine, c.span.EndLine)
}

func (st *store) key(s slot) textKey {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.chunks[s].key
}
