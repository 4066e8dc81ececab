package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
	"vademecum/index/store/postgres/pgtest"
)

// TestSessionsEnded: whatever was acknowledged is there, and what was not is there as
// a whole or not at all, while the server ends all sessions again and again.
func TestSessionsEnded(t *testing.T) {
	s := opened(t, parsed(t, server.ServingAddress(t)), time.Minute)
	name := anyName()
	const writers, each = 4, 25
	var working sync.WaitGroup
	done := make(chan struct{})
	acknowledged := make([][]string, writers)
	written := make([]int, writers)
	var rounds atomic.Int64 // in which sessions were ended
	for w := range writers {
		c := named(t, s, name)
		working.Go(func() {
			for i := 0; i < each || rounds.Load() < 2; i++ { // a fast machine is done before the second round
				written[w] = i + 1
				path := fmt.Sprintf("%d/%d.md", w, i)
				_, err := c.Put(t.Context(), skipped(path), skipped(path+" too"))
				if err == nil {
					acknowledged[w] = append(acknowledged[w], path)
				} else if !errors.Is(err, db.ErrCommitOutcomeUnknown) {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
	go func() { working.Wait(); close(done) }()
	for running := true; running; rounds.Add(1) {
		as(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '"+server.Role()+"'")
		select {
		case <-done:
			running = false
		case <-time.After(100 * time.Millisecond):
		}
	}
	there := make(map[string]bool)
	all, err := catalogtest.Records(t.Context(), named(t, s, name))
	must(t, err)
	for _, r := range all {
		there[r.Path] = true
	}
	n := 0
	for _, paths := range acknowledged {
		for _, path := range paths {
			if n++; !there[path] {
				t.Errorf("%s was acknowledged and is gone", path)
			}
		}
	}
	for w := range writers {
		for i := range written[w] {
			if path := fmt.Sprintf("%d/%d.md", w, i); there[path] != there[path+" too"] {
				t.Errorf("%s is there in part", path)
			}
		}
	}
	if n == 0 {
		t.Error("none was acknowledged")
	}
}

// TestLockHeld: who waits for a library that another has locked gives up and says so.
func TestLockHeld(t *testing.T) {
	s, name := serving(t), anyName()
	impatient := opened(t, parsed(t, server.ServingAddress(t)), 100*time.Millisecond)
	c := named(t, impatient, name)
	conn, err := s.Connect(t.Context())
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), "begin; SELECT FROM vademecum.libraries WHERE id = "+strconv.FormatInt(c.ID, 10)+" FOR UPDATE")
	must(t, err)
	if _, err := c.Put(t.Context(), skipped("a.md")); !errors.Is(err, catalog.ErrLocked) {
		t.Errorf("put: %v", err)
	}
	if all, err := catalogtest.Records(t.Context(), c); err != nil || len(all) != 0 {
		t.Errorf("meanwhile there are %v, %v", all, err)
	}
	_, err = conn.Exec(t.Context(), "rollback")
	must(t, err)
	_, err = c.Put(t.Context(), skipped("a.md"))
	must(t, err)
}

// TestRemoved: a library that somebody has removed is not written to, nor is one that has
// its number in other tables.
func TestRemoved(t *testing.T) {
	s := serving(t)
	c := named(t, s, anyName())
	c.TableIdentity++
	checkGone(t, c)
	c.TableIdentity--
	_, err := c.Put(t.Context(), skipped("a.md"))
	must(t, err)
	as(t, fmt.Sprintf("DELETE FROM vademecum.libraries WHERE id = %d", c.ID))
	checkGone(t, c)
}

func checkGone(t *testing.T, c *Catalog) {
	t.Helper()
	_, put := c.Put(t.Context(), skipped("a.md"))
	_, version := c.ForeignVersion(t.Context())
	_, changes := c.Changes(t.Context(), 0)
	_, last := catalogtest.LastChange(t.Context(), c)
	whole := c.DB.WithSnapshot(t.Context(), func(ctx context.Context, m *db.Snapshot) error {
		_, _, err := c.CorpusStats(ctx, m)
		return err
	})
	for what, err := range map[string]error{"put": put, "version": version, "changes": changes, "last change": last, "whole": whole} {
		if !errors.Is(err, catalog.ErrStorageRemoved) || !errors.Is(err, catalog.ErrSetupRequired) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// throughDoor is the address of the database of the tests behind a door.
func throughDoor(t *testing.T) (db.Address, *pgtest.Proxy) {
	t.Helper()
	address, d := pgtest.NewProxy(t, server.ServingAddress(t))
	return parsed(t, address), d
}

// TestPacketsLost: connections that the network has forgotten, as a firewall does, are
// given up for new ones.
func TestPacketsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for answers that do not come")
	}
	at, d := throughDoor(t)
	c := named(t, opened(t, at, soon), anyName())
	_, err := c.Put(t.Context(), skipped("a.md"))
	must(t, err)
	d.StopForwarding()
	_, err = c.Put(t.Context(), skipped("b.md"))
	must(t, err)
	d.StopForwarding()
	if all, err := catalogtest.Records(t.Context(), c); err != nil || len(all) != 2 {
		t.Errorf("there are %v, %v", all, err)
	}
	d.StopForwarding()
	if changes, err := c.Changes(t.Context(), 0); err != nil || changes.LastChange != 2 {
		t.Errorf("the changes are %+v, %v", changes, err)
	}
	d.SetOpen(false) // nobody waits for lost connections to take their leave
}

// TestNetworkGone: a caller while the network is gone is answered when it is back, and
// whoever has no patience is told.
func TestNetworkGone(t *testing.T) {
	at, d := throughDoor(t)
	name := anyName()
	patient, impatient := opened(t, at, soon), opened(t, at, 50*time.Millisecond)
	c, hasty := named(t, patient, name), named(t, impatient, name)

	d.SetOpen(false)
	if _, err := hasty.Put(t.Context(), skipped("a.md")); err == nil {
		t.Error("put through a door that is shut")
	}
	faults := make(chan error)
	go func() { _, err := c.Put(t.Context(), skipped("a.md")); faults <- err }()
	go func() { _, err := catalogtest.Records(t.Context(), c); faults <- err }()
	for range 5 {
		<-d.Refused
	}
	d.SetOpen(true)
	for range 2 {
		must(t, <-faults)
	}
	if all, err := catalogtest.Records(t.Context(), hasty); err != nil || len(all) != 1 {
		t.Errorf("there are %v, %v", all, err)
	}
}

// TestPanicRollsBack: a panic in the middle of a change leaves nothing of it, and the
// library unlocked.
func TestPanicRollsBack(t *testing.T) {
	c := named(t, serving(t), anyName())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic came through")
			}
		}()
		_, _ = c.writeDocuments(t.Context(), func(ctx context.Context, w *library.WriteTx) error {
			must(t, c.recordChanged(ctx, w, []int64{1}))
			panic("half-way")
		})
	}()
	if last, err := catalogtest.LastChange(t.Context(), c); err != nil || last != 0 {
		t.Errorf("change %d was kept, %v", last, err)
	}
	_, err := c.Put(t.Context(), skipped("p.md"))
	must(t, err)
}

// TestAwait: who waits for a commit of another process is woken by it, and where
// nobody tells sees it all the same.
func TestAwait(t *testing.T) {
	s, name := serving(t), anyName()
	c, other := named(t, s, name), named(t, serving(t), name)
	version, err := c.ForeignVersion(t.Context())
	must(t, err)
	told := s.CommitSignal(c.ID)
	_, err = other.Put(t.Context(), skipped("a.md"))
	must(t, err)
	for woken := false; !woken; { // its ears may not have been open at first: then all are woken once
		select {
		case <-told:
			woken = true
		case <-time.After(soon):
			t.Fatal("nobody tells")
		}
	}
	now, err := c.WaitVersionChange(t.Context(), version)
	if err != nil || now == version {
		t.Errorf("the version is %d, %v", now, err)
	}
	heard := make(chan error)
	go func() { now, err = c.WaitVersionChange(t.Context(), now); heard <- err }()
	_, putting := other.Put(t.Context(), skipped("b.md"))
	must(t, putting)
	must(t, <-heard)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.WaitVersionChange(ctx, now); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}
