package postgres

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is where commits are told to those who listen: with the row of the library.
const channel = "vademecum"

// news hears of commits on a connection of its own, and wakes who waits for one.
// Where there is none, as the network is down or a pooler in between, nobody is
// woken: who waits has to look from time to time anyway.
type news struct {
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	waiting map[int64]chan struct{} // by library; closed when it has changed
}

// hear begins to listen.
func hear(connect func(context.Context) (*pgx.Conn, error)) *news {
	ctx, stop := context.WithCancel(context.Background())
	n := &news{stop: stop, done: make(chan struct{}), waiting: make(map[int64]chan struct{})}
	go func() {
		defer close(n.done)
		for ctx.Err() == nil {
			if !n.listen(ctx, connect) {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
		}
	}()
	return n
}

func (n *news) close() {
	n.stop()
	<-n.done
}

// listen hears until the connection breaks. It is hopeless behind a pooler, which
// would give the session to somebody else.
func (n *news) listen(ctx context.Context, connect func(context.Context) (*pgx.Conn, error)) (hopeful bool) {
	conn, err := connect(ctx)
	if err != nil {
		return true
	}
	defer conn.Close(context.WithoutCancel(ctx))
	direct, err := isDirect(ctx, conn)
	if err != nil || !direct {
		return err != nil
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return true
	}
	n.wakeAll() // something may have been told before
	for {
		told, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true
		}
		if library, err := strconv.ParseInt(told.Payload, 10, 64); err == nil {
			n.wake(library)
		}
	}
}

// of returns what is closed at the next commit to a library.
func (n *news) of(library int64) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting[library] == nil {
		n.waiting[library] = make(chan struct{})
	}
	return n.waiting[library]
}

func (n *news) wake(library int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c := n.waiting[library]; c != nil {
		close(c)
		delete(n.waiting, library)
	}
}

func (n *news) wakeAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for library, c := range n.waiting {
		close(c)
		delete(n.waiting, library)
	}
}

// lookEvery is how often who waits looks whether there is something new, told or not.
const lookEvery = time.Second

// Await waits until the version is another than the one given, and returns it.
func (c *Catalog) Await(ctx context.Context, version int64) (int64, error) {
	for {
		told := c.store.news.of(c.library) // before the look, so that nothing is missed
		now, err := c.Version(ctx)
		if err != nil || now != version {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-told:
		case <-time.After(lookEvery):
		}
	}
}
