package postgres

import (
	"context"
	"testing"
	"time"
)

// TestForgottenInTransaction: where the network forgets a connection in the middle of a
// transaction that is done again soon, and the library is not locked meanwhile for as
// long as a transaction may take.
func TestForgottenInTransaction(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for an answer that does not come")
	}
	at, d := throughDoor(t)
	c := library(t, opened(t, at, soon), anyName())
	began, tries := time.Now(), 0
	_, err := c.transact(t.Context(), func(ctx context.Context, w *change) error {
		if tries++; tries == 1 {
			d.lose()
		}
		_, err := w.Exec(ctx, "SELECT 1")
		return err
	})
	if took := time.Since(began); err != nil || tries != 2 || took > writeLimit/2 {
		t.Errorf("after %d tries and %s: %v", tries, took, err)
	}
	d.set(false)
}

// TestLongStatement: a server that is at work is waited for.
func TestLongStatement(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a server that is at work")
	}
	c, tries := library(t, serving(t), anyName()), 0
	_, err := c.transact(t.Context(), func(ctx context.Context, w *change) error {
		tries++
		_, err := w.Exec(ctx, "SELECT pg_sleep($1)", (4 * suspectAfter).Seconds())
		return err
	})
	if err != nil || tries != 1 {
		t.Errorf("after %d tries: %v", tries, err)
	}
}
