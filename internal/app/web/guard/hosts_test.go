package guard

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestNames checks that a request with another host, or from a page of another host, is refused.
func TestNames(t *testing.T) {
	local, err := NewAllowedHosts("127.0.0.1", "https://kb.example.com/x", []string{"proxy.lan"}, []string{"https://app.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	open, err := NewAllowedHosts("", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const none = "-"
	for _, c := range []struct {
		names        *AllowedHosts
		host, origin string
		want         bool
	}{
		{local, "localhost:8765", none, true},
		{local, "LOCALHOST.", none, true},
		{local, "127.0.0.1", none, true},
		{local, "127.9.9.9:1", none, true},
		{local, "[::1]:8765", none, true},
		{local, "notes.localhost:8765", none, true},
		{local, "kb.example.com", none, true},
		{local, "kb.example.com:443", "https://kb.example.com", true},
		{local, "proxy.lan", "https://app.example.com", true},
		{local, "localhost:8765", "http://localhost:6274", true},
		{local, "localhost:8765", "http://127.0.0.1:3000", true},
		{local, "localhost:8765", "HTTPS://APP.example.com", true},

		{local, "evil.example.com", none, false},
		{local, "", none, false},
		{local, "0.0.0.0:8765", none, false},
		{local, "192.168.1.5", none, false},
		{local, "localhost.evil.com", none, false},
		{local, "evillocalhost", none, false},
		{local, "[::1", none, false},
		{local, "::1]", none, false},
		{local, "127.0.0.1.evil.com", none, false},
		{local, "2130706433", none, false},
		{local, "kb.example.com.evil.com", none, false},
		{local, "kb.example.com@evil.com", none, false},
		{local, "localhost:8765", "null", false},
		{local, "localhost:8765", "", false},
		{local, "localhost:8765", "http://evil.example.com", false},
		{local, "localhost:8765", "http://localhost.evil.com", false},
		{local, "localhost:8765", "http://app.example.com", false},
		{local, "localhost:8765", "https://app.example.com:444", false},
		{local, "localhost:8765", "file://", false},
		{local, "localhost:8765", "chrome-extension://localhost", false},
		{local, "localhost:8765", "http://evil.com#http://localhost", false},
		{local, "localhost:8765", "http://localhost@evil.com", false},

		{open, "192.168.1.5:8765", none, true},
		{open, "[fe80::1]:8765", none, true},
		{open, "0.0.0.0:8765", none, false},
		{open, "[::]:8765", none, false},
		{open, "evil.example.com", none, false},
		{open, "192.168.1.5:8765", "http://192.168.1.5:8765", false},
	} {
		r := httptest.NewRequest("POST", "/mcp", nil)
		r.Host = c.host
		if c.origin != none {
			r.Header.Set("Origin", c.origin)
		}
		if err := c.names.CheckRequest(r); (err == nil) != c.want {
			t.Errorf("Host %q, Origin %q: %v, want %t", c.host, c.origin, err, c.want)
		}
	}
}

// TestNoAddress checks the error for a request to the unspecified address at which the server
// listens.
func TestNoAddress(t *testing.T) {
	n, err := NewAllowedHosts("0.0.0.0", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"0.0.0.0:8765", "[::]:8765", "[::]"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if err := n.CheckPageRequest(r); err == nil || strings.Contains(err.Error(), "--allowed-host") || !strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// TestNamesFromElsewhere checks requests that another site's page makes without an Origin header.
func TestNamesFromElsewhere(t *testing.T) {
	n, err := NewAllowedHosts("127.0.0.1", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string]bool{"": true, "none": true, "same-origin": true, "same-site": false, "cross-site": false} {
		r := httptest.NewRequest("GET", "/sse", nil)
		r.Host = "localhost:8765"
		r.Header.Set("Sec-Fetch-Site", site)
		if err := n.CheckRequest(r); (err == nil) != want {
			t.Errorf("Sec-Fetch-Site %q: %v, want %t", site, err, want)
		}
	}
}

// TestCheckPage checks that links from anywhere lead to a page, and that all other requests must
// come from the pages themselves.
func TestCheckPage(t *testing.T) {
	n, err := NewAllowedHosts("192.168.1.5", "https://kb.example.com", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, host, origin, site, mode, dest string
		want                                   bool
	}{
		{"GET", "localhost:8765", "", "", "", "", true},
		{"GET", "localhost:8765", "", "none", "navigate", "document", true},
		{"GET", "localhost:8765", "", "same-origin", "cors", "empty", true},
		{"GET", "localhost:8765", "", "cross-site", "navigate", "document", true},
		{"GET", "localhost:8765", "", "cross-site", "navigate", "iframe", false},
		{"GET", "localhost:8765", "", "same-site", "no-cors", "image", false},
		{"POST", "localhost:8765", "", "cross-site", "navigate", "document", false},
		{"POST", "localhost:8765", "http://localhost:8765", "same-origin", "navigate", "document", true},
		{"POST", "localhost:8765", "http://localhost:3000", "same-site", "navigate", "document", false},
		{"GET", "localhost:8765", "http://localhost:3000", "same-site", "cors", "empty", false},
		{"POST", "192.168.1.5:8765", "http://192.168.1.5:8765", "same-origin", "", "", true},
		{"POST", "127.0.0.1:8765", "https://kb.example.com", "same-origin", "", "", true}, // a proxy passes its own name as the host
		{"POST", "localhost:8765", "null", "cross-site", "", "", false},
		{"POST", "kb.example.com", "https://kb.example.com", "same-origin", "", "", true},
		{"POST", "kb.example.com", "http://kb.example.com", "cross-site", "", "", false}, // a page that an attacker on the network has forged
		{"POST", "kb.example.com", "http://kb.example.com", "", "", "", false},
		{"GET", "evil.example.com", "", "none", "navigate", "document", false},
		{"POST", "evil.example.com", "http://evil.example.com", "same-origin", "", "", false},
	} {
		r := httptest.NewRequest(c.method, "/search", nil)
		r.Host = c.host
		for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode, "Sec-Fetch-Dest": c.dest} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if err := n.CheckPageRequest(r); (err == nil) != c.want {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestNewNames(t *testing.T) {
	for _, bad := range []string{"", "https://kb.example.com", "*", "a b", "kb.example.com/mcp"} {
		if _, err := NewAllowedHosts("", "", []string{bad}, nil); err == nil {
			t.Errorf("--allowed-host %q is taken", bad)
		}
	}
	for _, bad := range []string{"", "null", "*", "app.example.com", "https://app.example.com/page"} {
		if _, err := NewAllowedHosts("", "", nil, []string{bad}); err == nil {
			t.Errorf("--allowed-origin %q is taken", bad)
		}
	}
}
