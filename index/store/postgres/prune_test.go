package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"vademecum/index/store/catalog"
)

// TestPrune: what no passage has used for long is dropped, what one uses again is
// kept, and the library is not locked while nothing is to be dropped.
func TestPrune(t *testing.T) {
	s := serving(t)
	m := marked{named(t, s, anyName()), t}
	m.put("a.md", 1)
	m.embed(1, 2, 3)
	now := time.Now()
	early := now.Add(-catalog.UnusedVectorTTL - time.Hour)
	have := func(want int, when string) {
		t.Helper()
		found, err := m.FindVectors(t.Context(), []catalog.EmbeddingKey{keyOfNumber(1), keyOfNumber(2), keyOfNumber(3)})
		if err != nil || len(found) != want {
			t.Errorf("%s there are %d vectors, want %d, %v", when, len(found), want, err)
		}
	}

	whileLocked(t, m.Catalog, func() {
		began := time.Now()
		for first := range 256 {
			if err := m.pruneKeyRange(t.Context(), early, []byte{byte(first)}, []byte{byte(first), 255, 255}); err != nil {
				t.Fatalf("after %s: %v", time.Since(began), err)
			}
		}
	})
	must(t, m.PruneVectors(t.Context(), early, nil))
	have(3, "when they become spare")
	m.put("b.md", 3)
	must(t, m.PruneVectors(t.Context(), now, nil))
	have(2, "after they were spare for long")
	if due, err := m.isPruneDue(t.Context(), time.Now()); due || err != nil {
		t.Errorf("it is due again: %t, %v", due, err)
	}
}

// whileLocked calls f while another session has a library locked.
func whileLocked(t *testing.T, c *Catalog, f func()) {
	t.Helper()
	tx, err := c.DB.Pool.Begin(t.Context())
	must(t, err)
	defer func() { must(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	_, err = tx.Exec(t.Context(), fmt.Sprintf("SELECT FROM vademecum.libraries WHERE id = %d FOR UPDATE", c.ID))
	must(t, err)
	f()
}
