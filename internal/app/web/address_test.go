package web

import (
	"net/http/httptest"
	"testing"
)

// TestAddress checks that addresses that the client itself puts into X-Forwarded-For are ignored.
func TestAddress(t *testing.T) {
	for _, c := range []struct {
		trusts bool
		said   []string
		want   string
	}{
		{false, nil, "192.0.2.1"},
		{false, []string{"127.0.0.1"}, "192.0.2.1"},
		{true, nil, "192.0.2.1"},
		{true, []string{"203.0.113.9"}, "203.0.113.9"},
		{true, []string{"203.0.113.9:4711"}, "203.0.113.9"},
		{true, []string{"2001:db8::1, 2001:db8::2"}, "2001:db8::/64"},
		{true, []string{"<script>"}, "unknown"},
		{true, []string{"127.0.0.1, 203.0.113.9"}, "203.0.113.9"},
		{true, []string{"127.0.0.1", "10.0.0.1, 203.0.113.9"}, "203.0.113.9"},
	} {
		r := httptest.NewRequest("GET", "/mcp", nil) // from 192.0.2.1
		for _, v := range c.said {
			r.Header.Add("X-Forwarded-For", v)
		}
		s := &Server{o: Options{TrustProxy: c.trusts}}
		if got := s.rateLimitKey(r); got != c.want {
			t.Errorf("trusted %t, %q: %s, want %s", c.trusts, c.said, got, c.want)
		}
	}
}
