package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// replica is a copy of the database that answers queries, as long as it is reachable and up to date
// with everything that this process has seen. Otherwise the database itself answers them. All
// writes go to the database.
type replica struct {
	Server

	mu    sync.Mutex
	state catalog.ReplicaStats
	until time.Time // the replica is not used before this time
}

// ErrReplicaBehind means that a replica lacks changes that this process has seen.
var ErrReplicaBehind = message.Errorf("it is behind")

const (
	// catchUp is how long to wait for a replica that is behind: usually a commit reaches it within
	// milliseconds.
	catchUp = 200 * time.Millisecond
	// replicaLimit is how long a replica may take to begin a transaction.
	replicaLimit = time.Second
	// replicaPause is how long a replica is not used after it did not answer or was behind: at most
	// one query in that time waits for it.
	replicaPause = 2 * time.Second
)

// UseReplica directs queries to a replica, without connecting to it yet. It must be called before any
// query.
func (d *DB) UseReplica(ctx context.Context, address Address) error {
	if address.Config == nil {
		return errInvalidAddress
	}
	config := address.Config.Copy()
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := noteIfDirect(ctx, conn); err != nil {
			return err
		}
		return d.checkIsReplica(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("open %s: %w", address, err)
	}
	d.replica = &replica{Server: Server{Address: address, Pool: pool}}
	return nil
}

// ReplicaUse returns how the replica is used, if there is one.
func (d *DB) ReplicaUse() (catalog.ReplicaStats, bool) {
	if d.replica == nil {
		return catalog.ReplicaStats{}, false
	}
	d.replica.mu.Lock()
	defer d.replica.mu.Unlock()
	return d.replica.state, true
}

// QueryReplica calls f with a snapshot of the replica, if there is one. It reports whether that gave
// the answer: if not, the database itself must be queried.
func (d *DB) QueryReplica(ctx context.Context, f func(context.Context, *Snapshot) error) (answered bool, err error) {
	if d.replica == nil {
		return false, nil
	}
	return d.replica.askUntilCurrent(ctx, f)
}

// askUntilCurrent calls f with a snapshot of the replica, repeatedly while that is behind, but not
// for long. It reports whether that gave the answer.
func (r *replica) askUntilCurrent(ctx context.Context, f func(context.Context, *Snapshot) error) (answered bool, err error) {
	if !r.isDue() {
		return false, nil
	}
	deadline := time.Now().Add(catchUp)
	for wait := 2 * time.Millisecond; ; wait *= 2 {
		err = r.WithSnapshotOnce(ctx, replicaLimit, ReadTimeout, func(ctx context.Context, m *Snapshot) error {
			m.IsFromReplica = true
			return f(ctx, m)
		})
		if !errors.Is(err, ErrReplicaBehind) || time.Now().Add(wait).After(deadline) {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	if ctx.Err() != nil {
		return true, err
	}
	r.note(err)
	return err == nil, nil
}

// isDue reports whether to try the replica. While it does not answer, only one call per
// replicaPause tries it.
func (r *replica) isDue() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if now.Before(r.until) {
		r.state.AnsweredByDatabase++
		return false
	}
	if r.state.FallbackReason != "" {
		r.until = now.Add(replicaPause)
	}
	return true
}

// note records the outcome of a query.
func (r *replica) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.state.AnsweredByReplica++
		r.state.FallbackReason, r.until = "", time.Time{}
		return
	}
	r.state.AnsweredByDatabase++
	r.state.FallbackReason, r.until = oneLineReason(err), time.Now().Add(replicaPause)
	if IsDisconnected(err) {
		r.Pool.Reset()
	}
}
