package db

import (
	"context"
	"fmt"
	"time"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
)

// A network may drop a connection silently, as firewalls do, or when a machine is gone: waiting for
// an answer would then never end. But a server may also just take long to answer. So the server is
// asked on another connection which of the two is the case.

// errForgotten means that the network has dropped a connection.
var errForgotten = message.Errorf("the network connection was lost")

// suspectAfter is how long to wait for an answer before checking whether the server is working on
// it.
const suspectAfter = time.Second

// whileConnected calls f, which uses a connection, with a context that ends if the network has
// dropped that connection.
func (p Server) whileConnected(ctx context.Context, conn *pgx.Conn, f func(context.Context) error) error {
	l := timedConnOf(conn.PgConn().Conn())
	if l == nil || conn.PgConn().CustomData()[directKey] == nil {
		return f(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pid, every := conn.PgConn().PID(), suspectAfter
	var timer *time.Timer
	ready := make(chan struct{})
	timer = time.AfterFunc(every, func() {
		<-ready
		if l.isWaiting(suspectAfter) {
			if p.isUnknownToServer(ctx, pid) && l.isWaiting(suspectAfter) {
				cancel(errForgotten)
				return
			}
			every *= 2 // the server is working on it, however long that takes
		}
		if ctx.Err() == nil {
			timer.Reset(every)
		}
	})
	close(ready)
	defer timer.Stop()
	err := f(ctx)
	if err != nil && context.Cause(ctx) == errForgotten {
		return fmt.Errorf("%w: %w", errForgotten, err)
	}
	return err
}

// QueryRow reads a row on any connection of the pool, and gives up a connection that the network
// has dropped.
func (p Server) QueryRow(ctx context.Context, statement string, args []any, into ...any) error {
	conn, err := p.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return p.whileConnected(ctx, conn.Conn(), func(ctx context.Context) error {
		return conn.QueryRow(ctx, statement, args...).Scan(into...)
	})
}

// isUnknownToServer reports whether waiting for an answer in the session pid is useless: the server does not
// know the session, or can no longer be reached, or is itself waiting for this process in it, even in the
// middle of sending or receiving. In the last case it terminates the session, because others may wait for its
// locks.
func (p Server) isUnknownToServer(ctx context.Context, pid uint32) (forgotten bool) {
	limited, cancel := context.WithTimeout(ctx, 2*suspectAfter)
	defer cancel()
	conn, err := p.Address.Connect(limited)
	if err == nil {
		defer conn.Close(limited)
		err = conn.QueryRow(limited, `SELECT coalesce((SELECT CASE WHEN state = 'active' AND wait_event_type IS DISTINCT FROM 'Client' OR state_change > clock_timestamp() - make_interval(secs => $2)
			THEN false ELSE pg_terminate_backend(pid) END FROM pg_stat_activity WHERE pid = $1 AND usename = current_user), true)`,
			pid, suspectAfter.Seconds()).Scan(&forgotten)
	}
	return forgotten || IsDisconnected(err)
}

// directKey is the key in a connection's custom data that says that no pooler is in between, which
// would give it a PID other than the server's.
const directKey = "vademecum direct"

// noteIfDirect sets directKey on a new connection if it is direct.
func noteIfDirect(ctx context.Context, conn *pgx.Conn) error {
	direct, err := IsDirectConnection(ctx, conn)
	if direct {
		conn.PgConn().CustomData()[directKey] = true
	}
	return err
}
