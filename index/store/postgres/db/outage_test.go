package db

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestOutage: a caller waits as long as another server may take the place of one that
// is away; after that one of those who ask tries, and the others are told at once.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o outage
		ctx, away := t.Context(), io.ErrUnexpectedEOF
		began := time.Now()
		until, why := o.retryUntil(time.Minute)
		if why != nil || !until.Equal(began.Add(time.Minute)) {
			t.Fatalf("while it answers there is hope until %s, %v", until, why)
		}
		o.note(ctx, away)
		time.Sleep(50 * time.Second)
		o.note(ctx, away)
		if until, why = o.retryUntil(time.Minute); why != nil || !until.Equal(began.Add(time.Minute)) {
			t.Errorf("as it is away there is hope until %s, %v", until, why)
		}
		time.Sleep(12 * time.Second)
		if _, why = o.retryUntil(time.Minute); why != nil {
			t.Errorf("after that it is not tried: %v", why)
		}
		if _, why = o.retryUntil(time.Minute); !errors.Is(why, away) {
			t.Errorf("it is tried by two: %v", why)
		}
		o.note(ctx, away)
		time.Sleep(tryEvery)
		if _, why = o.retryUntil(time.Minute); why != nil {
			t.Errorf("it is not tried again: %v", why)
		}
		o.note(ctx, &pgconn.PgError{Code: CodeInsufficientPrivilege}) // it answers
		if until, why = o.retryUntil(time.Minute); why != nil || !until.Equal(time.Now().Add(time.Minute)) {
			t.Errorf("as it is back there is hope until %s, %v", until, why)
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		o.note(over, away) // who asked has given up
		if !o.since.IsZero() {
			t.Error("it is taken for away")
		}
	})
}
