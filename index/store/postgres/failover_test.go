package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/db"
)

// worker is a process that writes or reads without end.
type worker struct {
	last atomic.Pointer[time.Time] // when it came to the end of something
	err  error
}

func (w *worker) work(ctx context.Context, f func() error) {
	for ctx.Err() == nil {
		if w.err = f(); w.err != nil {
			return
		}
		now := time.Now()
		w.last.Store(&now)
	}
}

// answered is after the promotion, for what had its answer before.
const answered = 100 * time.Millisecond

// acknowledged are the paths of documents that were.
type acknowledged struct {
	mu  sync.Mutex
	all []string
}

func (a *acknowledged) add(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, path)
}

func (a *acknowledged) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.all)
}

// TestFailover: while two servers write and read, .ci/failover kills the primary and
// promotes a replica. Whatever was acknowledged is there then, no answer was without
// it, and all goes on within five seconds after the promotion.
func TestFailover(t *testing.T) {
	servers, promoted := os.Getenv("VADEMECUM_TEST_FAILOVER"), os.Getenv("VADEMECUM_TEST_PROMOTED")
	if servers == "" {
		t.Skip("this is for .ci/failover")
	}
	at, err := db.ParseAddress(servers)
	must(t, err)
	must(t, migrate(t.Context(), at, ""))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var written acknowledged
	var workers []*worker
	var working sync.WaitGroup
	for n := range 2 {
		c := named(t, opened(t, at, time.Minute), "l")
		i := 0
		for _, f := range []func() error{
			func() error { i++; return putOne(c, fmt.Sprintf("%d/%d.md", n, i), &written) },
			func() error { return readAll(c, &written) },
		} {
			w := new(worker)
			workers = append(workers, w)
			working.Go(func() { w.work(ctx, f) })
		}
	}
	indextest.Eventually(t, time.Minute, "all are at work", func() bool {
		return written.count() >= 20 && !slices.ContainsFunc(workers, func(w *worker) bool { return w.last.Load() == nil })
	})
	fmt.Println("all are at work")
	indextest.Eventually(t, time.Minute, "a replica is promoted", func() bool { _, err := os.Stat(promoted); return err == nil })
	since, before := time.Now(), written.count()
	goesOn := func(w *worker) bool { return w.last.Load().After(since.Add(answered)) }
	indextest.Poll(5*time.Second, func() bool { return !slices.ContainsFunc(workers, func(w *worker) bool { return !goesOn(w) }) })
	took := time.Since(since)
	stop()
	working.Wait() // or the end of their patience
	for i, w := range workers {
		if w.err != nil || took >= 5*time.Second {
			t.Errorf("worker %d: %v, and all go on after %s", i, w.err, took)
		}
	}
	must(t, readAll(named(t, opened(t, at, patience), "l"), &written))
	t.Logf("acknowledged %d, of them %d before: all are there; all go on %s after the promotion", written.count(), before, took.Round(time.Millisecond))
}

// putOne writes a document, and notes it when that is acknowledged.
func putOne(c *Catalog, path string, written *acknowledged) error {
	_, err := c.Put(context.Background(), skipped(path))
	if errors.Is(err, db.ErrCommitOutcomeUnknown) {
		return nil
	}
	if err == nil {
		written.add(path)
	}
	return err
}

// readAll reads all documents and fails when one is missing that was acknowledged
// before.
func readAll(c *Catalog, written *acknowledged) error {
	n := written.count()
	there := make(map[string]bool)
	all, err := catalogtest.Records(context.Background(), c)
	if err != nil {
		return err
	}
	for _, r := range all {
		there[r.Path] = true
	}
	for _, path := range written.all[:n] {
		if !there[path] {
			return fmt.Errorf("%s was acknowledged and is gone", path)
		}
	}
	return nil
}
