package web

import (
	"net"
	"sync"

	"vademecum/internal/web/guard"
)

// limitedEach is a listener that has so many connections of one address open at
// most: one machine that opens all that there may be, and sends nothing, keeps
// nobody else out.
type limitedEach struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // by network
}

// limitEach bounds the connections of each address but this machine's.
func limitEach(on net.Listener, most int) net.Listener {
	return &limitedEach{Listener: on, most: most, open: make(map[string]int)}
}

// Accept hangs up on an address that has enough connections.
func (l *limitedEach) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := guard.Network(conn.RemoteAddr().String())
		if guard.IsLoopback(from) {
			return conn, nil
		}
		if l.enter(from) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		_ = conn.Close()
	}
}

func (l *limitedEach) enter(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from] >= l.most {
		return false
	}
	l.open[from]++
	return true
}

func (l *limitedEach) leave(from string) {
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
