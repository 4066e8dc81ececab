package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// Lease gives a task for a library to one process at a time. It is an advisory lock, held by a
// transaction that stays open on a connection of its own. The database releases it when the process
// ends for any reason, or shows no sign of life: a transaction that is idle for
// db.IdleInTransactionTimeout is ended. No clocks are compared, and it works with a pooler too. A
// process that continues after that cannot write documents: each commit checks the term.
type Lease struct {
	library *library.Library
	name    string
	lock    int64
	doubted chan struct{} // receives an element when a commit has found another term

	mu    sync.Mutex
	stop  context.CancelFunc // ends the attempts to acquire it; nil if there are none
	done  chan struct{}      // closed when the attempts have ended
	tried chan struct{}      // closed after the first attempt
	term  int64              // term of this process; 0 while it does not hold the lease
	since time.Time
	lost  bool          // another process took the lease over from this one
	news  chan struct{} // closed when term changes
}

// beatEvery is how often the holder of a lease sends a heartbeat, which must be well within
// db.IdleInTransactionTimeout; takeOverEvery is how often others try to take over.
const (
	beatEvery     = time.Second
	takeOverEvery = 500 * time.Millisecond
)

// advisoryLockKey returns the key of the advisory lock for a lease of a library. It is a hash,
// because other programs may have locks in the database too.
func advisoryLockKey(libraryID int64, lease string) int64 {
	sum := sha256.Sum256([]byte("vademecum duty " + strconv.FormatInt(libraryID, 10) + " " + lease))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// firstAnswer is how long to wait for the answer whether a lease is held, before it is assumed to
// be.
const firstAnswer = time.Second

// TryAcquire reports whether this process holds the lease, and makes it try to acquire the lease
// from now on. It waits only for the first attempt, and not for long.
func (d *Lease) TryAcquire() bool {
	d.mu.Lock()
	if d.stop == nil {
		var ctx context.Context
		ctx, d.stop = context.WithCancel(context.Background())
		d.done, d.tried, d.lost = make(chan struct{}), make(chan struct{}), false
		go d.keepTrying(ctx, d.done, sync.OnceFunc(func() { close(d.tried) }))
	}
	tried := d.tried
	d.mu.Unlock()
	select {
	case <-tried:
	case <-time.After(firstAnswer):
	}
	_, held := d.HeldSince()
	return held
}

// HeldSince returns since when this process has held the lease. It does not try to acquire it.
func (d *Lease) HeldSince() (since time.Time, held bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.since, d.term != 0
}

// Release gives up the lease, which can be acquired again.
func (d *Lease) Release() error {
	d.mu.Lock()
	stop, done := d.stop, d.done
	d.stop = nil
	d.mu.Unlock()
	if stop == nil {
		return nil
	}
	stop()
	<-done
	return nil
}

// IsHeldByAny reports whether any process holds the lease, without trying to acquire it.
func (d *Lease) IsHeldByAny(ctx context.Context) bool {
	if _, held := d.HeldSince(); held {
		return true
	}
	free, err := d.isFree(ctx)
	return !free && err == nil
}

// isLost reports whether this process held the lease and has lost it.
func (d *Lease) isLost() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// ownHoldChanged returns a channel that is closed when this process acquires or loses the lease.
func (d *Lease) ownHoldChanged() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.news
}

func (d *Lease) setTerm(term int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if term == d.term {
		return
	}
	d.lost = term == 0
	d.term, d.since = term, time.Now()
	close(d.news)
	d.news = make(chan struct{})
}

// keepTrying tries to acquire the lease, and holds it as long as possible. It calls tried after the
// first attempt, and closes done at the end.
func (d *Lease) keepTrying(ctx context.Context, done chan<- struct{}, tried func()) {
	defer close(done)
	defer tried()
	for ctx.Err() == nil {
		if free, err := d.isFree(ctx); free && err == nil {
			d.holdWhilePossible(ctx, tried)
			d.setTerm(0)
		}
		tried()
		select {
		case <-ctx.Done():
		case <-time.After(takeOverEvery):
		}
	}
}

// isFree reports whether no process holds the lease. This needs no connection of its own.
func (d *Lease) isFree(ctx context.Context) (free bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, db.IdleInTransactionTimeout)
	defer cancel()
	err = d.library.DB.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", []any{d.lock}, &free)
	return free, err
}

// holdWhilePossible takes the lock, begins a term, calls begun, and sends heartbeats until that
// fails.
func (d *Lease) holdWhilePossible(ctx context.Context, begun func()) {
	conn, err := d.library.DB.Connect(ctx)
	if err != nil {
		return
	}
	defer func() {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatEvery)
		defer cancel()
		_, _ = conn.Exec(limited, "rollback") // so that the next process finds it free at once
		// ends the transaction too, but may return before it has ended
		_ = conn.Close(limited)
	}()
	if !d.tryLock(ctx, conn) {
		return
	}
	term, err := d.beginTerm(ctx)
	// beginning the term may have taken longer than others wait
	if err != nil || sendHeartbeat(ctx, conn) != nil {
		return
	}
	select {
	case <-d.doubted: // the doubt was about an earlier term
	default:
	}
	d.setTerm(term)
	begun()
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.doubted: // a backup was restored, so a new term has to begin
			return
		case <-tick.C:
		}
		if sendHeartbeat(ctx, conn) != nil {
			return
		}
	}
}

func (d *Lease) tryLock(ctx context.Context, conn *pgx.Conn) (taken bool) {
	ctx, cancel := context.WithTimeout(ctx, db.IdleInTransactionTimeout)
	defer cancel()
	_, err := conn.Exec(ctx, fmt.Sprintf("begin; set local idle_in_transaction_session_timeout = %d", db.IdleInTransactionTimeout.Milliseconds()))
	if err == nil {
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", d.lock).Scan(&taken)
	}
	return taken && err == nil
}

// sendHeartbeat sends a heartbeat. A process that waits longer for the answer may have lost the
// lease.
func sendHeartbeat(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, db.IdleInTransactionTimeout-beatEvery)
	defer cancel()
	_, err := conn.Exec(ctx, "SELECT 1")
	return err
}

// beginTerm begins a term. It waits for commits in progress; later commits of the previous holder
// are refused.
func (d *Lease) beginTerm(ctx context.Context) (term int64, err error) {
	_, err = d.library.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		return tx.QueryRow(ctx, `INSERT INTO vademecum.duties (library, name, term) VALUES ($1, $2, 1)
			ON CONFLICT (library, name) DO UPDATE SET term = duties.term + 1 RETURNING term`, d.library.ID, d.name).Scan(&term)
	})
	return term, err
}

// checkTerm returns an error if the current term is not, or no longer, that of this process. The
// caller has locked the row of the library.
func (d *Lease) checkTerm(ctx context.Context, tx *library.WriteTx) error {
	d.mu.Lock()
	mine := d.term
	d.mu.Unlock()
	var term int64
	err := tx.QueryRow(ctx, "SELECT term FROM vademecum.duties WHERE library = $1 AND name = $2", d.library.ID, d.name).Scan(&term)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if err == nil && mine != 0 && term == mine {
		return nil
	}
	if mine != 0 {
		select {
		case d.doubted <- struct{}{}:
		default:
		}
	}
	return catalog.ErrLeaseLost
}
