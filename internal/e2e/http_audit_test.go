package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var auditLine = regexp.MustCompile(`level=INFO msg=call user=(\S+) (?:session=([0-9a-f]{8}) )?tool=(\S+) took=\S+ passages=(\d+) outcome=(\S+)`)

// TestHTTPAudit: by default a server over HTTP logs who calls what, in all versions, and
// neither questions nor a session ID that grants access.
func TestHTTPAudit(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	labels := make(map[string]bool)
	for _, protocol := range overHTTP {
		c := connectHTTP(t, s.url, protocol, as(token))
		c.mustTool("retrieve_docs", map[string]any{"query": "spacer 心绞痛"})
		m := s.awaitLine(auditLine)
		if m[1] != "alice" || m[3] != "retrieve_docs" || m[4] == "0" || m[5] != "answered" || (m[2] == "") != (protocol >= "2026-07-28") {
			t.Errorf("%s: %q", protocol, m)
		}
		if labels[m[2]] || strings.Contains(m[0], "spacer") || strings.Contains(m[0], token) || c.ID() != "" && strings.Contains(m[0], c.ID()) {
			t.Errorf("%s: %q", protocol, m)
		}
		labels[m[2]] = true
	}
}

// TestHTTPLogQueries: questions are logged if the operator wants that.
func TestHTTPLogQueries(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, "--log-queries", ownIndex(t), dir)
	connectHTTP(t, s.url, "2025-11-25", nil).mustTool("retrieve_docs", map[string]any{"query": "spacer 心绞痛"})
	if m := s.awaitLine(regexp.MustCompile(`user=(\S+) .* asked="\[spacer 心绞痛\]"`)); m[1] != "local" {
		t.Errorf("%q", m)
	}
}

// awaitLine waits for a line of the log.
func (s *httpServer) awaitLine(want *regexp.Regexp) []string {
	s.t.Helper()
	var m []string
	await(s.t, want.String(), func() bool {
		select {
		case line := <-s.stderr:
			m = want.FindStringSubmatch(line)
		default:
		}
		return m != nil
	})
	return m
}
