package web

import (
	"net"
	"sync"

	"vademecum/internal/app/web/guard"
)

// perAddressListener is a listener that limits the open connections of each address, so that
// machines that open connections and send nothing do not lock out others. The limit decreases with
// the number of free connections, so that a few addresses at their limits leave room for others.
type perAddressListener struct {
	net.Listener
	all, each int

	mu   sync.Mutex
	open map[string]int // number of connections, by network
	sum  int
}

// freeShare gives the limit of an address: 1/freeShare of the free connections. There are thus
// always about freeShare times as many free connections as any address holds.
const freeShare = 4

// limitPerAddress returns a listener that accepts at most all connections, and from one address at
// most each and at most a fraction of those that are still free. Connections from this machine are
// not limited.
func limitPerAddress(on net.Listener, all, each int) net.Listener {
	return &perAddressListener{Listener: on, all: all, each: each, open: make(map[string]int)}
}

// Accept returns the next connection. It closes connections from an address that has too many
// already.
func (l *perAddressListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := guard.NetworkOf(conn.RemoteAddr().String())
		if guard.IsLoopback(from) {
			return conn, nil
		}
		if l.addConnection(from) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { l.removeConnection(from) })}, nil
		}
		_ = conn.Close()
	}
}

func (l *perAddressListener) addConnection(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from] >= min(l.each, (l.all-l.sum)/freeShare) {
		return false
	}
	l.open[from]++
	l.sum++
	return true
}

func (l *perAddressListener) removeConnection(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum--
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

// countedConn is a connection that decrements a counter when it is closed.
type countedConn struct {
	net.Conn
	leave func()
}

// Close ends the connection.
func (c *countedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}
