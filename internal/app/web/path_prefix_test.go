package web

import (
	"net/http/httptest"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin"
)

// TestCheckBelow checks that path prefixes are refused that a proxy may confuse with a path of the
// server.
func TestCheckBelow(t *testing.T) {
	for public, refused := range map[string]bool{
		"https://kb.example.com": false, "https://kb.example.com/": false, "https://example.org/kb": false, "https://example.org/kb/": false, "https://example.org/team-1/kb_2.x": false,
		"https://example.org/mcp": true, "https://example.org/kb/mcp": true, "https://example.org/kb/sse/": true, "https://example.org/library": true, "https://example.org/library/documents": true,
		"https://example.org/library/kb": false, "https://example.org/assets": true, "https://example.org/sign-in": true, "https://example.org/sign-out": true, "https://example.org/reveal": true, "https://example.org/metrics": true, "https://example.org/.well-known": true,
		"https://example.org//kb": true, "https://example.org/a/../b": true, "https://example.org/a/./b": true, "https://example.org/a%20b": true, "https://example.org/资料": true, "https://example.org/a;b": true, "https://example.org/.hidden": true,
	} {
		if err := CheckPathPrefix(PathPrefixOf(public)); (err != nil) != refused {
			t.Errorf("%s: %v", public, err)
		}
	}
}

// TestInside checks that the path prefix is stripped once, only as a whole, and only at the
// beginning.
func TestInside(t *testing.T) {
	s := watchedServer(t, Options{PublicURL: "https://example.org/kb/"})
	for path, want := range map[string]string{
		"/kb/mcp": "/mcp", "/mcp": "/mcp", "/kb": "/", "/kb/": "/", "/": "/", "/kbs/mcp": "/kbs/mcp", "/kb/kb/mcp": "/kb/mcp", "/kb//mcp": "//mcp",
		"/kb/doc%2Fx?path=a%2Fb": "/doc%2Fx?path=a%2Fb", "/k%62/doc%2Fx": "/k%62/doc%2Fx", "/k%62/mcp": "/k%62/mcp",
		"/.well-known/oauth-protected-resource/kb/mcp": "/.well-known/oauth-protected-resource/kb/mcp",
	} {
		r := httptest.NewRequest("GET", "http://localhost"+path, nil)
		if got := s.stripPathPrefix(r).URL.RequestURI(); got != want || r.URL.RequestURI() != path {
			t.Errorf("%s is %s inside, want %s", path, got, want)
		}
	}
}

// TestMetadataBelow checks that the metadata of a server below a path prefix is found where RFC
// 9728 says, and below the prefix itself.
func TestMetadataBelow(t *testing.T) {
	authenticator := &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}, ProviderIssuer: "https://login.example.com", ResourceURL: "https://example.org/kb/mcp"}
	s := watchedServer(t, Options{PublicURL: "https://example.org/kb", Authenticator: authenticator})
	const at = "/.well-known/oauth-protected-resource"
	if w := ask(s, "POST", "/kb/mcp"); w.Code != 401 || !strings.Contains(w.Header().Get("WWW-Authenticate"), `resource_metadata="https://example.org`+at+`/kb/mcp"`) {
		t.Errorf("%d, %q", w.Code, w.Header().Get("WWW-Authenticate"))
	}
	for path, want := range map[string]int{at + "/kb/mcp": 200, at + "/kb": 200, at: 200, "/kb" + at: 200, "/kb" + at + "/mcp": 200, at + "/kb/nothing": 404, at + "/other/mcp": 404} {
		w := ask(s, "GET", path)
		if w.Code != want || want == 200 && !strings.Contains(w.Body.String(), `"resource":"https://example.org/kb/mcp"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
