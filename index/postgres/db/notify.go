package db

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channel is where commits are told to those who listen: with the row of the library.
const Channel = "vademecum"

// listener hears of commits on a connection of its own, from when somebody first waits
// for one, and wakes the waiters. Where there is no connection, as the network is down or a
// pooler in between, nobody is woken: a waiter has to look from time to time anyway.
type listener struct {
	mu      sync.Mutex
	stop    context.CancelFunc // nil: nobody has waited yet
	done    chan struct{}
	waiting map[int64]chan struct{} // by library; closed when it has changed
}

// start begins to listen. The caller holds mu.
func (l *listener) start(connect func(context.Context) (*pgx.Conn, error)) {
	var ctx context.Context
	ctx, l.stop = context.WithCancel(context.Background())
	l.done, l.waiting = make(chan struct{}), make(map[int64]chan struct{})
	go func() {
		defer close(l.done)
		for ctx.Err() == nil {
			if !l.listenUntilBroken(ctx, connect) {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(LookEvery):
			}
		}
	}()
}

func (l *listener) close() {
	l.mu.Lock()
	stop, done := l.stop, l.done
	l.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
}

// listenUntilBroken hears until the connection breaks. It is hopeless behind a pooler, which
// would give the session to somebody else.
func (l *listener) listenUntilBroken(ctx context.Context, connect func(context.Context) (*pgx.Conn, error)) (hopeful bool) {
	conn, err := connect(ctx)
	if err != nil {
		return true
	}
	defer conn.Close(context.WithoutCancel(ctx))
	direct, err := IsDirect(ctx, conn)
	if err != nil || !direct {
		return err != nil
	}
	if _, err := conn.Exec(ctx, "LISTEN "+Channel); err != nil {
		return true
	}
	l.wakeAll() // something may have been told before
	for {
		told, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true
		}
		if library, err := strconv.ParseInt(told.Payload, 10, 64); err == nil {
			l.wake(library)
		}
	}
}

// CommitSignal returns what is closed at the next commit to a library.
func (d *DB) CommitSignal(library int64) <-chan struct{} {
	l := &d.commits
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop == nil {
		l.start(d.Connect)
	}
	if l.waiting[library] == nil {
		l.waiting[library] = make(chan struct{})
	}
	return l.waiting[library]
}

func (l *listener) wake(library int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.waiting[library]; c != nil {
		close(c)
		delete(l.waiting, library)
	}
}

func (l *listener) wakeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for library, c := range l.waiting {
		close(c)
		delete(l.waiting, library)
	}
}

// LookEvery is how often a waiter looks whether there is something new, told or not.
const LookEvery = time.Second
