package guard

import "testing"

// TestNetwork checks that a machine has the same key with another port, or with another address of
// its network.
func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9":                    "203.0.113.9",
		"203.0.113.9:4711":               "203.0.113.9",
		"::ffff:203.0.113.9":             "203.0.113.9",
		"[::ffff:203.0.113.9]:1":         "203.0.113.9",
		"127.0.0.1:80":                   "127.0.0.1",
		"::1":                            "::1",
		"[::1]:443":                      "::1",
		"2001:db8:1:2:3:4:5:6":           "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1]:9":       "2001:db8:1:2::/64",
		"fe80::1%eth0":                   "fe80::/64",
		"":                               "unknown",
		"unix":                           "unknown",
		"203.0.113.9, 10.0.0.1":          "unknown",
		"2001:db8::1:65536:1:2:3:4:5:6":  "unknown",
		"for=192.0.2.60;proto=http;by=1": "unknown",
	} {
		if got := NetworkOf(address); got != want {
			t.Errorf("%q: %s, want %s", address, got, want)
		}
	}
}
