package db

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"vademecum/internal/base/message"
)

// timedConn adds timeouts to a network connection. The driver waits up to 15 s for a server to
// confirm that it closes a connection, which keeps its place in the pool meanwhile: if the network
// is down, there would be no places left for new connections.
type timedConn struct {
	net.Conn

	mu      sync.Mutex
	asked   time.Time // deadline set by the driver
	heard   bool      // whether the server has sent something
	waiting time.Time // since when the server has been waited for; zero if it is not
	sent    time.Time // time of the last write
}

const (
	// connectLimit is how long the server may take to send its first bytes.
	connectLimit = 3 * time.Second
	// leaveLimit is how long the server may take to confirm that it has closed a connection.
	leaveLimit = time.Second
)

// keepAlive makes the operating system notice within seconds that the other machine is gone, and
// keeps idle connections alive in firewalls.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 5}

// dialTimed opens a connection with timeouts.
func dialTimed(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: connectLimit, KeepAliveConfig: keepAlive}
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l := &timedConn{Conn: c}
	return l, l.applyDeadline()
}

// applyDeadline sets the deadline that applies now. The caller holds mu, or has the only reference.
func (l *timedConn) applyDeadline() error {
	until := l.asked
	if first := time.Now().Add(connectLimit); !l.heard && (until.IsZero() || until.After(first)) {
		until = first
	}
	return l.Conn.SetDeadline(until)
}

// SetDeadline implements net.Conn. The driver sets deadlines in the future only for closing.
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

// errOtherServer means that another kind of server answers.
var errOtherServer = message.Errorf("the server there is not PostgreSQL: check the host and port")

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

// recordHeard records that the server has sent something, and reports whether that was the first
// time.
func (l *timedConn) recordHeard() (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard {
		return false
	}
	l.heard = true
	_ = l.applyDeadline() // if this fails, the next read reports the fault of the connection
	return true
}

// isWaiting reports whether the server has been waited for at least d, with nothing sent to it in
// that time.
func (l *timedConn) isWaiting(d time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.waiting.IsZero() && time.Since(l.waiting) >= d && time.Since(l.sent) >= d
}

// timedConnOf returns the timedConn that underlies a connection; nil if there is none.
func timedConnOf(c net.Conn) *timedConn {
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secured.NetConn()
	}
	l, _ := c.(*timedConn)
	return l
}
