package db

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/pgtest"
)

// TestOwnDeadline: that a comparison takes too long says nothing about the database.
func TestOwnDeadline(t *testing.T) {
	d := opened(t, server.ServingAddress(t))
	err := d.RunLongRead(t.Context(), time.Millisecond, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if _, why := d.away.retryUntil(0); err == nil || IsDisconnected(err) || why != nil || !d.away.since.IsZero() {
		t.Errorf("it says %v, and the database is away since %v", err, d.away.since)
	}
}

// TestSessionsEnded: a change is made once although the server ends its session.
func TestSessionsEnded(t *testing.T) {
	d := opened(t, server.ServingAddress(t))
	before, tries := versionOf(t, d, 0), 0
	must(t, write(t.Context(), d, func(ctx context.Context, tx pgx.Tx) error {
		if tries++; tries == 1 {
			server.Exec(t, "SELECT pg_terminate_backend("+strconv.FormatUint(uint64(tx.Conn().PgConn().PID()), 10)+")")
		}
		return nil
	}))
	if now := versionOf(t, d, 0); now != before+1 || tries != 2 {
		t.Errorf("after %d tries the version is %d after %d", tries, now, before)
	}
}

// TestChanged: who waits for a commit is woken by it, and by none of another library.
func TestChanged(t *testing.T) {
	d := opened(t, server.ServingAddress(t))
	other := d.CommitSignal(2)
	select { // when it begins to listen, all are woken once
	case <-other:
	case <-time.After(patience):
		t.Fatal("nobody listens")
	}
	one, other := d.CommitSignal(1), d.CommitSignal(2)
	server.Exec(t, "SELECT pg_notify('"+NotificationChannel+"', '1')")
	select {
	case <-one:
	case <-time.After(patience):
		t.Fatal("nobody tells")
	}
	select {
	case <-other:
		t.Error("what concerns another library is told")
	default:
	}
}

// TestForgotten: an answer that is there does not wait for the end of the
// transaction that it was read in, nor a change for a connection that the network has
// forgotten.
func TestForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for an answer that does not come")
	}
	address, door := pgtest.NewProxy(t, server.ServingAddress(t))
	d := opened(t, address)
	began := time.Now()
	must(t, d.WithSnapshot(t.Context(), func(context.Context, *Snapshot) error {
		door.StopForwarding()
		return nil
	}))
	tries := 0
	must(t, write(t.Context(), d, func(ctx context.Context, tx pgx.Tx) error {
		if tries++; tries == 1 {
			door.StopForwarding()
		}
		_, err := tx.Exec(ctx, "SELECT 1")
		return err
	}))
	if took := time.Since(began); tries != 2 || took > ReadTimeout/2 {
		t.Errorf("after %d tries and %s", tries, took)
	}
	door.SetOpen(false)
}

// TestEscape: what PostgreSQL takes in no text comes back as it was.
func TestEscape(t *testing.T) {
	for _, s := range []string{"", "plain", "\x00", "a\x00\uFDD0\uFDD1b", "\uFDD0", "\uFDD2"} {
		if got := UnescapeNUL(EscapeNUL(s)); got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
	}
}
