package signin

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestOwnConnection checks that a connection of this process is recognised as its user's, and one
// that does not exist is not.
func TestOwnConnection(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("not tested at %s: %v", address, err)
			continue
		}
		defer l.Close()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if !isOwnConnection(c.LocalAddr().String()) || !IsKnownOwnConnection(c.LocalAddr().String()) {
			t.Errorf("%s is not known", c.LocalAddr())
		}
	}
	for _, nobody := range []string{"127.0.0.1:1", "", "x", "203.0.113.7:443"} {
		if isOwnConnection(nobody) || IsKnownOwnConnection(nobody) {
			t.Errorf("%q is taken for the user's", nobody)
		}
	}
}

// TestOwnerIn checks that the owner of the client's end is found while the connection is open.
func TestOwnerIn(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2378 00000000:0000 0A 00000000:00000000 00:00000000 00000000   500        0 1 1 0 100 0 0 10 0
   1: 0100007F:2378 0100007F:A001 01 00000000:00000000 00:00000000 00000000   500        0 2 1 0 20 4 30 10 -1
   2: 0100007F:A001 0100007F:2378 01 00000000:00000000 00:00000000 00000000   501        0 3 1 0 20 4 30 10 -1
   3: 0100007F:A002 0100007F:2378 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
   4: 0000000000000000FFFF00000100007F:A003 0000000000000000FFFF00000100007F:2378 01 00000000:00000000 00:00000000 00000000   502        0 4 1 0 20 4 30 10 -1
`
	for at, want := range map[string]string{"127.0.0.1:40961": "501", "127.0.0.1:40962": "", "127.0.0.1:40963": "502", "127.0.0.1:9080": "500", "127.0.0.2:40961": ""} {
		if got := connectionOwner(strings.NewReader(table), netip.MustParseAddrPort(at)); got != want {
			t.Errorf("%s is of %q, want %q", at, got, want)
		}
	}
}
