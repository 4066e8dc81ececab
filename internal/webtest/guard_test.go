package webtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestForeignHost checks that a page whose host name an attacker's name server resolves to this
// machine can read nothing.
func TestForeignHost(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"asthma.md": "# Asthma\n\nA spacer helps children.\n"})
	url := serve(t, n.dir)
	b := open(t, look{})
	b.allow("status of 403")
	for _, path := range []string{"/", "/healthz", "/search?q=spacer", "/mcp"} {
		if got := b.visit(strings.Replace(url, "127.0.0.1", foreignHost, 1) + path); got != http.StatusForbidden {
			t.Errorf("%s: %d", path, got)
		}
		if text := b.text(); strings.Contains(text, "spacer helps") {
			t.Errorf("%s shows:\n%s", path, text)
		}
	}
}
