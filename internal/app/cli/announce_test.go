package cli

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestReachedAt checks the addresses that are printed for a server that listens at all addresses:
// one for this machine, and those for others.
func TestReachedAt(t *testing.T) {
	for listens, want := range map[string]string{
		"[::]:9108": "http://127.0.0.1:9108", "0.0.0.0:9108": "http://127.0.0.1:9108",
		"127.0.0.1:8765": "http://127.0.0.1:8765", "192.0.2.2:80": "http://192.0.2.2:80", "[::1]:80": "http://[::1]:80",
	} {
		address := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(listens))
		if got := localURL(address, false); got != want {
			t.Errorf("%s is reached at %s, want %s", listens, got, want)
		}
		if got := localURL(address, true); got != strings.Replace(want, "http:", "https:", 1) {
			t.Errorf("%s is reached securely at %s", listens, got)
		}
		others := networkURLs(want, address)
		if !address.IP.IsUnspecified() && len(others) > 0 || len(others) > mostAddresses {
			t.Errorf("others reach %s at %q", listens, others)
		}
		for _, at := range others {
			if strings.Contains(at, "127.0.0.1") || strings.Contains(at, "[::") || !strings.HasSuffix(at, ":9108/") {
				t.Errorf("others reach %s at %s", listens, at)
			}
		}
	}
}
