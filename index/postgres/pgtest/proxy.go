package pgtest

import (
	"cmp"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy lets connections through to a server while it is open.
type Proxy struct {
	net.Listener
	mu   sync.Mutex
	open bool
	all  []net.Conn
	lost map[net.Conn]bool // of these, those that nothing goes through any more

	Refused chan struct{} // has one for each that found it shut, as far as it takes them
}

// NewProxy is an address of a server behind a door, which is open.
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

// copyData brings what one side says to the other. From one that is lost it takes nothing
// more: whoever has much to say waits then, as in a network.
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

// StopForwarding has nothing more go through the connections that there are, and tells nobody.
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

// SetOpen opens the door, or shuts it and cuts what goes through.
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
