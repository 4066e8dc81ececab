package web

import (
	"net"
	"sync"

	"vademecum/internal/web/guard"
)

// perAddressListener is a listener that limits the open connections of each address, so that a
// machine which opens connections and sends nothing does not lock out others.
type perAddressListener struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // by network
}

// limitPerAddress bounds the connections of each address but this machine's.
func limitPerAddress(on net.Listener, most int) net.Listener {
	return &perAddressListener{Listener: on, most: most, open: make(map[string]int)}
}

// Accept closes connections of an address that has too many, and blocks until there is another one.
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
	if l.open[from] >= l.most {
		return false
	}
	l.open[from]++
	return true
}

func (l *perAddressListener) removeConnection(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

// countedConn is a connection whose end is noticed.
type countedConn struct {
	net.Conn
	leave func()
}

// Close ends the connection.
func (c *countedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}
