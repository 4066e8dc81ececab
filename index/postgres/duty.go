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

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
	"vademecum/index/postgres/library"
)

// Duty is a task for a library that one process has at a time: an advisory lock, held by a
// transaction that stays open on a connection of its own. The database releases it when the
// process ends, however it ends, and when it gives no sign of life: a transaction that is idle
// for silentAfter is ended. No clocks are compared, and it works through a pooler too. A process
// that continues after that writes no more documents: each commit checks the term.
type Duty struct {
	library *library.Library
	name    string
	lock    int64
	doubted chan struct{} // has one when a commit found another term

	mu    sync.Mutex
	stop  context.CancelFunc // ends the attempts to get it; nil while there are none
	done  chan struct{}      // closed when they have ended
	tried chan struct{}      // closed when the first has
	term  int64              // of this process, 0 while another has the duty
	since time.Time
	lost  bool          // another took it over from this process
	news  chan struct{} // closed when term changes
}

// beatEvery is how often the process that has a duty gives a sign of life, which it may
// owe for as long as silentAfter, and takeOverEvery how often others try to take over.
const (
	beatEvery     = time.Second
	takeOverEvery = 500 * time.Millisecond
)

// NewDuty returns a duty for a library, which no process tries to acquire yet.
func NewDuty(l *library.Library, name string) *Duty {
	return &Duty{library: l, name: name, lock: advisoryLockKey(l.ID, name), doubted: make(chan struct{}, 1), news: make(chan struct{})}
}

// advisoryLockKey is the number of the lock of a duty for a library: other programs in the
// database may have locks too.
func advisoryLockKey(library int64, duty string) int64 {
	sum := sha256.Sum256([]byte("vademecum duty " + strconv.FormatInt(library, 10) + " " + duty))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// firstAnswer is how long to wait for the answer whether the duty is taken, before it is assumed
// to be.
const firstAnswer = time.Second

// TryAcquire reports whether this process has the duty, and makes it try to acquire it from now
// on. It waits for the first attempt only, and not for long.
func (d *Duty) TryAcquire() bool {
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

// HeldSince returns since when this process has the duty; it does not try to acquire it.
func (d *Duty) HeldSince() (since time.Time, held bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.since, d.term != 0
}

// Release gives the duty up; it can be acquired again.
func (d *Duty) Release() error {
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

// IsTaken reports whether a process has the duty, without trying to acquire it.
func (d *Duty) IsTaken(ctx context.Context) bool {
	if _, held := d.HeldSince(); held {
		return true
	}
	free, err := d.isFree(ctx)
	return !free && err == nil
}

// IsLost reports whether this process had the duty and has lost it.
func (d *Duty) IsLost() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// HolderChanged is closed when this process gets the duty, or loses it.
func (d *Duty) HolderChanged() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.news
}

func (d *Duty) setTerm(term int64) {
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

// keepTrying tries to acquire the duty, and keeps it while it can.
func (d *Duty) keepTrying(ctx context.Context, done chan<- struct{}, tried func()) {
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

// isFree checks whether any process has the duty, which needs no connection of its own.
func (d *Duty) isFree(ctx context.Context) (free bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, db.SilentAfter)
	defer cancel()
	err = d.library.DB.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", []any{d.lock}, &free)
	return free, err
}

// holdWhilePossible takes the lock, begins a term and gives signs of life until that fails.
func (d *Duty) holdWhilePossible(ctx context.Context, begun func()) {
	conn, err := d.library.DB.Connect(ctx)
	if err != nil {
		return
	}
	defer func() {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatEvery)
		defer cancel()
		_, _ = conn.Exec(limited, "rollback") // the next process finds it free at once
		_ = conn.Close(limited)               // which ends the transaction, too, but not before it returns
	}()
	if !d.tryLock(ctx, conn) {
		return
	}
	term, err := d.beginTerm(ctx)
	if err != nil || sendHeartbeat(ctx, conn) != nil { // it may have taken longer than others wait
		return
	}
	select {
	case <-d.doubted: // it was about an earlier one
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
		case <-d.doubted: // a backup was restored: it begins anew
			return
		case <-tick.C:
		}
		if sendHeartbeat(ctx, conn) != nil {
			return
		}
	}
}

func (d *Duty) tryLock(ctx context.Context, conn *pgx.Conn) (taken bool) {
	ctx, cancel := context.WithTimeout(ctx, db.SilentAfter)
	defer cancel()
	_, err := conn.Exec(ctx, fmt.Sprintf("begin; set local idle_in_transaction_session_timeout = %d", db.SilentAfter.Milliseconds()))
	if err == nil {
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", d.lock).Scan(&taken)
	}
	return taken && err == nil
}

// sendHeartbeat gives a sign of life. A process that waits longer for the answer may have lost the duty.
func sendHeartbeat(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, db.SilentAfter-beatEvery)
	defer cancel()
	_, err := conn.Exec(ctx, "SELECT 1")
	return err
}

// beginTerm begins a term. It waits for commits that are under way: later ones of the
// process before are refused.
func (d *Duty) beginTerm(ctx context.Context) (term int64, err error) {
	_, err = d.library.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		return tx.QueryRow(ctx, `INSERT INTO vademecum.duties (library, name, term) VALUES ($1, $2, 1)
			ON CONFLICT (library, name) DO UPDATE SET term = duties.term + 1 RETURNING term`, d.library.ID, d.name).Scan(&term)
	})
	return term, err
}

// checkTerm fails when it is not, or no longer, the term of this process. The row of the
// library is locked.
func (d *Duty) checkTerm(ctx context.Context, tx *library.WriteTx) error {
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
	return catalog.ErrOvertaken
}
