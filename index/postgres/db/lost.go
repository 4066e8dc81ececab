package db

import (
	"context"
	"fmt"
	"time"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
)

// A network may drop a connection silently, as firewalls do, and as happens when a machine is
// gone: waiting for an answer would then never end. A server may also take long to answer. So it
// is asked on another connection which of the two it is.

// errForgotten says that the network has forgotten a connection.
var errForgotten = message.Errorf("the network has lost the connection")

// suspectAfter is how long to wait for an answer before checking whether the server is working on
// it.
const suspectAfter = time.Second

// whileConnected calls f, which uses a connection, with a context that ends when the network
// has forgotten that.
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
			every *= 2 // it is at work: that takes as long as it takes
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

// QueryRow reads a row on any connection, and leaves one that the network has forgotten.
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

// isUnknownToServer reports whether a server knows nothing of a connection on which it is
// waited for, waits itself, also in the middle of what it sends or is sent, or cannot be
// reached any more. It ends that then, as others may wait for the locks that it has.
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

// directKey is where it is noted of a connection that no pooler is in between, which
// would give it another number than the server does.
const directKey = "vademecum direct"

// noteIfDirect does so of a new connection.
func noteIfDirect(ctx context.Context, conn *pgx.Conn) error {
	direct, err := IsDirect(ctx, conn)
	if direct {
		conn.PgConn().CustomData()[directKey] = true
	}
	return err
}
