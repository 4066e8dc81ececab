package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
)

// soon is how long a test waits for what must come.
const soon = 30 * time.Second

// await waits until a duty is held, or no more.
func await(t *testing.T, d *Lease, held bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	for {
		changed := d.ownHoldChanged()
		if d.TryAcquire() == held {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("after %s it is not so that it is held: %t", soon, held)
		}
	}
}

// endHolder ends the session that holds a lock.
const endHolder = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (classid::bigint << 32 | objid::bigint) = %d"

func TestDuty(t *testing.T) { oneOfTwo(t, serving(t)) }

// TestDutyBehindPooler: a transaction that stays open keeps its session.
func TestDutyBehindPooler(t *testing.T) {
	oneOfTwo(t, opened(t, parsed(t, server.PooledAddress(t)), patience))
}

// oneOfTwo: of two processes one has the duty, and the other when that gives it back.
func oneOfTwo(t *testing.T, s *Store) {
	name := anyName()
	one := named(t, s, name).Lease("indexing")
	await(t, one, true)
	c := named(t, s, name)
	other, apart := c.Lease("indexing"), c.Lease("embedding")
	await(t, apart, true)
	if other.TryAcquire() {
		t.Error("two have the duty")
	}
	must(t, one.Release())
	await(t, other, true)
	if _, held := one.HeldSince(); held || !one.isLost() {
		t.Error("who gave the duty back has it")
	}
	must(t, other.Release())
	must(t, apart.Release())
}

// TestDutyGivenBack: who gives a duty back can have it again at once, as a command does that
// recognises scans after it has indexed.
func TestDutyGivenBack(t *testing.T) {
	d := named(t, serving(t), anyName()).Lease("indexing")
	await(t, d, true)
	for i := range 20 {
		must(t, d.Release())
		if d.IsHeldByAny(t.Context()) {
			t.Fatalf("after it was given back %d times, it is not free", i+1)
		}
		await(t, d, true)
	}
	must(t, d.Release())
}

// TestOvertaken: a process whose session the database has ended loses the duty, and
// what it is about to commit is refused from then on.
func TestOvertaken(t *testing.T) {
	s, name := serving(t), anyName()
	mine, theirs := named(t, s, name), named(t, s, name)
	d := mine.Lease("indexing")
	mine.RequireLease(d)
	if _, err := mine.Put(t.Context(), skipped("early.md")); !errors.Is(err, catalog.ErrLeaseLost) {
		if !d.TryAcquire() {
			t.Errorf("put before it has the duty: %v", err)
		}
	}
	await(t, d, true)
	_, err := mine.Put(t.Context(), skipped("a.md"))
	must(t, err)
	d.mu.Lock()
	term := d.term
	d.mu.Unlock()

	as(t, fmt.Sprintf(endHolder, d.lock))
	next := theirs.Lease("indexing")
	await(t, d, false)
	must(t, d.Release())
	await(t, next, true)
	theirs.RequireLease(next)
	d.mu.Lock()
	d.term = term // it was stopped, and has not noticed
	d.mu.Unlock()
	for _, try := range []func() (catalog.CommitResult, error){
		func() (catalog.CommitResult, error) { return mine.Put(t.Context(), skipped("b.md")) },
		func() (catalog.CommitResult, error) { return mine.Remove(t.Context(), "a.md") },
		func() (catalog.CommitResult, error) { return mine.Touch(t.Context(), nil) },
	} {
		if w, err := try(); !errors.Is(err, catalog.ErrLeaseLost) {
			t.Errorf("written %+v, %v", w, err)
		}
	}
	_, err = theirs.Put(t.Context(), skipped("c.md"))
	must(t, err)
	if all, err := catalogtest.Records(t.Context(), theirs); err != nil || len(all) != 2 {
		t.Errorf("there are %v, %v", all, err)
	}
	must(t, next.Release())
}

// TestRestored: whoever has the duty when a backup is restored, in which the term is an
// earlier one, begins another and goes on.
func TestRestored(t *testing.T) {
	c := named(t, serving(t), anyName())
	d := c.Lease("indexing")
	c.RequireLease(d)
	await(t, d, true)
	changed := d.ownHoldChanged()
	as(t, fmt.Sprintf("UPDATE vademecum.duties SET term = term - 1 WHERE library = %d", c.ID))
	if _, err := c.Put(t.Context(), skipped("a.md")); !errors.Is(err, catalog.ErrLeaseLost) {
		t.Errorf("put in another term: %v", err)
	}
	select {
	case <-changed:
	case <-time.After(soon):
		t.Fatal("it has the duty still")
	}
	await(t, d, true)
	_, err := c.Put(t.Context(), skipped("a.md"))
	must(t, err)
	must(t, d.Release())
}

// TestSilent: whoever has the lock and gives no sign of life, as a process that is
// stopped, loses it.
func TestSilent(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the end of somebody's patience")
	}
	s, name := serving(t), anyName()
	c := named(t, s, name)
	silent := &Lease{library: c.Library, lock: advisoryLockKey(c.ID, "indexing")}
	conn, err := s.Connect(t.Context())
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	if !silent.tryLock(t.Context(), conn) {
		t.Fatal("it cannot be had")
	}
	d := c.Lease("indexing")
	if d.TryAcquire() {
		t.Error("two have it")
	}
	await(t, d, true)
	must(t, d.Release())
}

// TestHolderBlocksNothing: the transaction that holds a duty keeps no old rows alive,
// however long it is open.
func TestHolderBlocksNothing(t *testing.T) {
	s := serving(t)
	d := named(t, s, anyName()).Lease("indexing")
	await(t, d, true)
	var holds int
	err := s.Pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = $1) AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)", d.lock).Scan(&holds)
	if err != nil || holds > 0 {
		t.Errorf("it does: %d, %v", holds, err)
	}
	must(t, d.Release())
}
