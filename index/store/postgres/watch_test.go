package postgres

import (
	"context"
	"testing"
	"time"

	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// TestForgottenInTransaction: where the network forgets a connection in the middle of a
// transaction that is done again soon, and the library is not locked meanwhile for as
// long as a transaction may take. The server waits for what is to come, or for what it
// has to say to be taken.
func TestForgottenInTransaction(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for an answer that does not come")
	}
	for name, does := range map[string]func(context.Context, *library.WriteTx, func()) error{
		"asked nothing": func(ctx context.Context, w *library.WriteTx, lose func()) error {
			lose()
			_, err := w.Exec(ctx, "SELECT 1")
			return err
		},
		"with much to say": func(ctx context.Context, w *library.WriteTx, lose func()) error {
			rows, err := w.Query(ctx, "SELECT repeat('x', 1000) FROM generate_series(1, 50000)")
			if err != nil {
				return err
			}
			lose()
			for rows.Next() {
			}
			return rows.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			at, d := throughDoor(t)
			c := named(t, opened(t, at, soon), anyName())
			began, tries := time.Now(), 0
			_, err := c.Transact(t.Context(), func(ctx context.Context, w *library.WriteTx) error {
				tries++
				return does(ctx, w, func() {
					if tries == 1 {
						d.StopForwarding()
					}
				})
			})
			if took := time.Since(began); err != nil || tries != 2 || took > db.WriteTimeout/2 {
				t.Errorf("after %d tries and %s: %v", tries, took, err)
			}
			d.SetOpen(false)
		})
	}
}

// TestForgottenAtTheEnd: an answer that is there does not wait for the end of the
// transaction that it was read in.
func TestForgottenAtTheEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for an answer that does not come")
	}
	at, d := throughDoor(t)
	s := opened(t, at, soon)
	began := time.Now()
	err := s.WithSnapshot(t.Context(), func(context.Context, *db.Snapshot) error {
		d.StopForwarding()
		return nil
	})
	if took := time.Since(began); err != nil || took > db.ReadTimeout/2 {
		t.Errorf("after %s: %v", took, err)
	}
	d.SetOpen(false)
}

// TestLongStatement: a server that is at work is waited for.
func TestLongStatement(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a server that is at work")
	}
	c, tries := named(t, serving(t), anyName()), 0
	_, err := c.Transact(t.Context(), func(ctx context.Context, w *library.WriteTx) error {
		tries++
		_, err := w.Exec(ctx, "SELECT pg_sleep($1)", (4 * time.Second).Seconds())
		return err
	})
	if err != nil || tries != 1 {
		t.Errorf("after %d tries: %v", tries, err)
	}
}
