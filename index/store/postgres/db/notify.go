package db

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// NotificationChannel is the channel on which commits are notified, with the row of the library as payload.
const NotificationChannel = "vademecum"

// listener listens for commits on a connection of its own, starting with the first waiter, and
// wakes the waiters. If there is no connection, because the network is down or a pooler is in
// between, it wakes nobody: waiters have to poll in any case.
type listener struct {
	mu      sync.Mutex
	stop    context.CancelFunc // nil if there has been no waiter yet
	done    chan struct{}
	waiting map[int64]chan struct{} // by library; closed when the library has changed
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
			case <-time.After(PollInterval):
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

// listenUntilBroken listens until the connection breaks. It returns false if a pooler is in
// between, which would give the session to other clients.
func (l *listener) listenUntilBroken(ctx context.Context, connect func(context.Context) (*pgx.Conn, error)) (hopeful bool) {
	conn, err := connect(ctx)
	if err != nil {
		return true
	}
	defer conn.Close(context.WithoutCancel(ctx))
	direct, err := IsDirectConnection(ctx, conn)
	if err != nil || !direct {
		return err != nil
	}
	if _, err := conn.Exec(ctx, "LISTEN "+NotificationChannel); err != nil {
		return true
	}
	l.wakeAll() // notifications may have been missed before
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

// CommitSignal returns a channel that is closed at the next commit to a library.
func (d *DB) CommitSignal(libraryID int64) <-chan struct{} {
	l := &d.commits
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop == nil {
		l.start(d.Connect)
	}
	if l.waiting[libraryID] == nil {
		l.waiting[libraryID] = make(chan struct{})
	}
	return l.waiting[libraryID]
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

// PollInterval is how often a waiter polls for changes, whether notified or not.
const PollInterval = time.Second
