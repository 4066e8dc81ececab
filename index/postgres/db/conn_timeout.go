package db

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"vademecum/internal/base/message"
)

// timedConn is the network's side of a connection. The driver waits for 15 s until a server
// takes its leave, which holds the place of a connection in the pool: where nothing
// comes through any more, there would be none left for new ones.
type timedConn struct {
	net.Conn

	mu      sync.Mutex
	asked   time.Time // deadline set by the driver
	heard   bool      // the server has sent something
	waiting time.Time // since when it is waited for; zero while it is not
	sent    time.Time // when something was sent last
}

const (
	// connectLimit is how long a server may take to say something at first.
	connectLimit = 3 * time.Second
	// leaveLimit is how long it may take to say that it has closed a connection.
	leaveLimit = time.Second
)

// keepAlive makes the system notice within seconds when the other machine is gone, and keeps idle
// connections alive in firewalls.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 5}

// dialTimed makes lines.
func dialTimed(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: connectLimit, KeepAliveConfig: keepAlive}
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l := &timedConn{Conn: c}
	return l, l.applyDeadline()
}

// applyDeadline sets the deadline that holds now. The caller holds mu, or is the only one.
func (l *timedConn) applyDeadline() error {
	until := l.asked
	if first := time.Now().Add(connectLimit); !l.heard && (until.IsZero() || until.After(first)) {
		until = first
	}
	return l.Conn.SetDeadline(until)
}

// SetDeadline implements net.Conn. The driver sets those in the future for leaving
// only.
func (l *timedConn) SetDeadline(t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if soon := time.Now().Add(leaveLimit); t.After(soon) {
		t = soon
	}
	l.asked = t
	return l.applyDeadline()
}

// Read implements net.Conn.
func (l *timedConn) Read(b []byte) (int, error) {
	l.recordWaiting(time.Now())
	n, err := l.Conn.Read(b)
	l.recordWaiting(time.Time{})
	if n > 0 && l.recordHeard() && !strings.ContainsRune(firstWords, rune(b[0])) {
		return 0, errOtherServer
	}
	return n, err
}

// firstWords are the first bytes that PostgreSQL sends: whether it accepts TLS, an authentication
// request, or an error; or TLS, if that is used directly. (Chapter "Message Flow" of its manual.)
const firstWords = "SNREv\x16"

// errOtherServer says that something else answers.
var errOtherServer = message.Errorf("what answers there is not PostgreSQL: see whether host and port are right")

// Write implements net.Conn.
func (l *timedConn) Write(b []byte) (int, error) {
	n, err := l.Conn.Write(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = time.Now()
	return n, err
}

func (l *timedConn) recordWaiting(since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = since
}

// recordHeard notes that the server has said something, and reports whether that was the first.
func (l *timedConn) recordHeard() (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard {
		return false
	}
	l.heard = true
	_ = l.applyDeadline() // the next read reports what is wrong with the connection
	return true
}

// isWaiting reports whether the server has been waited for as long as that, and was sent
// nothing meanwhile.
func (l *timedConn) isWaiting(d time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.waiting.IsZero() && time.Since(l.waiting) >= d && time.Since(l.sent) >= d
}

// timedConnOf returns the connection with timeouts of a connection, nil where it has none.
func timedConnOf(c net.Conn) *timedConn {
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secured.NetConn()
	}
	l, _ := c.(*timedConn)
	return l
}
