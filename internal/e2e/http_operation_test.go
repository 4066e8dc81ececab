package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// rawGet requests a page.
func rawGet(t testing.TB, from string, header map[string]string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rawDo(t, r, header)
}

// TestHTTPWatched checks that the health and readiness of a server can be read without a token, and
// its metrics with a token for metrics, not with a reader's.
func TestHTTPWatched(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, watcher := newToken(t, tokens, "alice"), newToken(t, tokens, "prometheus", "--scope", "metrics")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	await(t, "a server that is ready", func() bool { return rawGet(t, s.url+"/readyz", nil).StatusCode == http.StatusOK })
	if answer := rawGet(t, s.url+"/healthz", nil); answer.StatusCode != http.StatusOK {
		t.Errorf("/healthz: %s", answer.Status)
	}
	for _, protocol := range overHTTP {
		connectHTTP(t, s.url, protocol, as(alice)).mustTool("retrieve_docs", map[string]any{"query": "inhaler"})
	}
	if answer := rawGet(t, s.url+"/metrics", bearer(alice)); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a reader of documents gets %s", answer.Status)
	}
	if _, err := tryHTTP(t, s.url, "2025-11-25", as(watcher)); err == nil {
		t.Error("who watches reads documents")
	}
	answer := rawGet(t, s.url+"/metrics", bearer(watcher))
	text := bodyOf(t, answer)
	for _, want := range []string{
		`vademecum_documents{folders="1"} 2`, `vademecum_index_loaded{folders="1"} 1`, `vademecum_index_behind{folders="1"} 0`,
		`vademecum_tool_calls_total{tool="retrieve_docs",outcome="answered"} 5`, `vademecum_tool_seconds_count{tool="retrieve_docs"} 5`,
		`vademecum_sessions 4`, `vademecum_signin_refusals_total{reason="scope"} 2`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "alice") || strings.Contains(text, dir) {
		t.Errorf("a name is told:\n%s", text)
	}
}

// TestHTTPShareOfUser: one user cannot take the sessions of all: over the limit their own
// longest unused one is closed, however young it is.
func TestHTTPShareOfUser(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--max-sessions=20", "--tokens", tokens, ownIndex(t), dir)
	other := openSession(t, s.url, bearer(bob))
	var sessions []string
	for range 3 {
		sessions = append(sessions, openSession(t, s.url, bearer(alice)))
	}
	for i, want := range []int{404, 200, 200} {
		if answer := rawCall(t, s.url+"/mcp", callList, bearer(alice, "Mcp-Session-Id", sessions[i])); answer.StatusCode != want {
			t.Errorf("session %d of three gets %s", i, answer.Status)
		}
	}
	if answer := rawCall(t, s.url+"/mcp", callList, bearer(bob, "Mcp-Session-Id", other)); answer.StatusCode != http.StatusOK {
		t.Errorf("the session of another user gets %s", answer.Status)
	}
	connectHTTP(t, s.url, "2026-07-28", as(alice)).mustTool("list_docs", map[string]any{}) // this version takes no session
}

// TestHTTPRightsChange: the rules follow the file, also for open sessions, and a faulty
// file changes nothing.
func TestHTTPRightsChange(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens, rights := filepath.Join(t.TempDir(), "tokens"), filepath.Join(t.TempDir(), "rights")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	writeText(t, rights, "# who sees what\nalice="+dir+"\n")
	s := serveHTTP(t, "--tokens", tokens, "--allow-file", rights, ownIndex(t), dir)
	session := openSession(t, s.url, bearer(alice))
	status := func(token string, more ...string) int {
		t.Helper()
		answer := rawCall(t, s.url+"/mcp", callList, bearer(token, more...))
		_ = bodyOf(t, answer)
		return answer.StatusCode
	}
	if a, b := status(alice, "Mcp-Session-Id", session), status(bob); a != 200 || b != 403 {
		t.Errorf("alice gets %d, bob %d", a, b)
	}
	writeText(t, rights, "alice, bob = nothing that is served\n")
	if a, b := status(alice, "Mcp-Session-Id", session), status(bob); a != 200 || b != 403 {
		t.Errorf("by a file that is wrong alice gets %d, bob %d", a, b)
	}
	writeText(t, rights, "bob="+dir+"\n")
	if a := status(alice, "Mcp-Session-Id", session); a != 403 {
		t.Errorf("when it is not for her any more, alice gets %d", a)
	}
	connectHTTP(t, s.url, "2025-11-25", as(bob)).mustTool("list_docs", map[string]any{})
	_ = s.cmd.Process.Kill()
	if n := strings.Count(s.log(), "the file of rights cannot be read again"); n != 1 {
		t.Errorf("%d lines tell what is wrong", n)
	}
}
