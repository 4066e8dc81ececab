package pgtest

import (
	"cmp"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy forwards connections to a server while it is open.
type Proxy struct {
	net.Listener
	mu   sync.Mutex
	open bool
	all  []net.Conn
	lost map[net.Conn]bool // connections that no longer forward anything

	Refused chan struct{} // receives an element for each refused connection, if there is room
}

// NewProxy returns the address of an open proxy for a server, and the proxy.
func NewProxy(t testing.TB, address string) (string, *Proxy) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	d := startProxy(t, net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "5432")))
	u.Host = d.Addr().String()
	q := u.Query()
	q.Set("sslmode", "disable")
	u.RawQuery = q.Encode()
	return u.String(), d
}

func startProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &Proxy{Listener: l, open: true, Refused: make(chan struct{}, 100)}
	t.Cleanup(func() { d.SetOpen(false); _ = l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil || !d.addConnection(in, out) {
				_ = in.Close()
				continue
			}
			go d.copyData(out, in)
			go d.copyData(in, out)
		}
	}()
	return d
}

// copyData copies data from one side to the other. It stops reading from a lost connection, so that
// a sender of much data blocks, as in a network.
func (d *Proxy) copyData(to, from net.Conn) {
	for b := make([]byte, 32<<10); ; {
		n, err := from.Read(b)
		d.mu.Lock()
		lost := d.lost[from]
		d.mu.Unlock()
		if lost {
			return
		}
		if err == nil {
			_, err = to.Write(b[:n])
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

// StopForwarding makes the existing connections forward nothing more, without closing them.
func (d *Proxy) StopForwarding() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lost = make(map[net.Conn]bool)
	for _, c := range d.all {
		d.lost[c] = true
	}
}

func (d *Proxy) addConnection(in, out net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open {
		d.all = append(d.all, in, out)
		return true
	}
	_ = out.Close()
	select {
	case d.Refused <- struct{}{}:
	default:
	}
	return false
}

// SetOpen opens the proxy, or closes it and all of its connections.
func (d *Proxy) SetOpen(open bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open = open; open {
		return
	}
	for _, c := range d.all {
		_ = c.Close()
	}
	d.all = nil
}
