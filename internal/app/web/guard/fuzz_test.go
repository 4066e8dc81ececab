package guard

import (
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// FuzzCheck checks, with another parser, that an accepted request names this machine or an allowed
// host.
func FuzzCheck(f *testing.F) {
	n, err := NewAllowedHosts("127.0.0.1", "https://kb.example.com", []string{"proxy.lan"}, []string{"https://app.example.com"})
	if err != nil {
		f.Fatal(err)
	}
	for _, host := range []string{"localhost:1", "[::1]:8765", "KB.example.com.", "proxy.lan:443", "127.1.2.3", "evil.com:localhost", "[localhost]:1", "[::1", "::1]"} {
		f.Add(host, "http://"+host)
	}
	f.Add("localhost", "null")
	f.Fuzz(func(t *testing.T, host, origin string) {
		r := httptest.NewRequest("GET", "/mcp", nil)
		r.Host = host
		r.Header.Set("Origin", origin)
		if n.CheckRequest(r) != nil {
			return
		}
		if !isKnown("//"+host, "kb.example.com", "proxy.lan") {
			t.Errorf("Host %q passes", host)
		}
		scheme, _, _ := strings.Cut(strings.ToLower(origin), ":")
		if scheme != "http" && scheme != "https" || !isKnown(origin, "kb.example.com", "app.example.com") {
			t.Errorf("Origin %q passes", origin)
		}
	})
}

// isKnown reports whether the host of a URL is this machine or one of the names.
func isKnown(of string, names ...string) bool {
	u, err := url.Parse(of)
	if err != nil {
		u = &url.URL{Host: strings.Trim(of, "/")} // not a name that a browser would send
	}
	host := strings.ToLower(strings.TrimSuffix(strings.Trim(u.Hostname(), "[]"), "."))
	for _, name := range append(names, "localhost") {
		if host == name {
			return true
		}
	}
	ip, err := netip.ParseAddr(host)
	return strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// FuzzNetwork checks that every address has a short key.
func FuzzNetwork(f *testing.F) {
	for _, address := range []string{"203.0.113.9:1", "[2001:db8::1]:2", "fe80::1%eth0", "::ffff:127.0.0.1", ""} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		network := NetworkOf(address)
		if len(network) > 43 || network == "" {
			t.Errorf("%q is counted by %q", address, network)
		}
		if IsLoopback(network) && !strings.Contains(address, "127.") && !strings.Contains(address, ":") {
			t.Errorf("%q is this machine", address)
		}
	})
}
