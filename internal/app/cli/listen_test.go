package cli

import (
	"errors"
	"net"
	"strings"
	"testing"
)

// TestListenAt checks the hints for addresses at which the server cannot listen.
func TestListenAt(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string][2]string{
		taken.Addr().String(): {"another program already uses " + taken.Addr().String() + "", "choose another port: --http 127.0.0.1:"},
		"192.0.2.1:8080":      {"192.0.2.1:8080 is not an address of this machine", "a port alone"}, // an address for examples (RFC 5737)
	} {
		on, err := listenAt(address)
		var wrong usageError
		if on != nil || !errors.As(err, &wrong) || wrong.Error() != want[0] || !strings.HasPrefix(wrong.hint.String(), want[1]) {
			t.Errorf("%s: %v, %v, hint %q", address, on, err, wrong.hint)
		}
	}
}

// TestFreePort checks that a port in use is not suggested.
func TestFreePort(t *testing.T) {
	for range 100 { // until two consecutive ports are available
		one, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer one.Close()
		address := one.Addr().String()
		next, err := net.Listen("tcp", nextPort(address))
		if err != nil {
			continue
		}
		defer next.Close()
		if got := freePort(address); got == next.Addr().String() || got == address {
			t.Errorf("after %s, %s is proposed, which is taken", address, got)
		}
		return
	}
	t.Skip("no two ports in a row are free")
}

func TestNextPort(t *testing.T) {
	for address, want := range map[string]string{"127.0.0.1:8765": "127.0.0.1:8766", ":8080": ":8081", "[::1]:9000": "[::1]:9001", "127.0.0.1:80": defaultAddress, ":65535": defaultAddress, ":http": defaultAddress} {
		if got := nextPort(address); got != want {
			t.Errorf("after %s comes %s, want %s", address, got, want)
		}
	}
}
