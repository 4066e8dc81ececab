package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
)

// refusing is a checker that accepts no token.
type refusing struct{}

func (refusing) Check(context.Context, string) (signin.User, error) {
	return signin.User{}, signin.ErrInvalidToken
}

func (refusing) CanAcceptTokens() bool { return true }

// FuzzPass checks that a client without a token reaches only what is public, with any method, path
// and headers.
func FuzzPass(f *testing.F) {
	names, err := guard.NewAllowedHosts("127.0.0.1", "", nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	s := New(Options{
		AllowedHosts: names, Authenticator: &signin.Authenticator{Checkers: []signin.Checker{refusing{}}, ProviderIssuer: "https://login.example.com"},
		Logger: slog.New(slog.DiscardHandler), RequestsPerSecond: 1e9, PublicURL: "https://localhost/kb",
		ChooseView: func(signin.User) (*access.View, error) { panic("a server is chosen for nobody") },
	})
	for _, path := range []string{"/mcp", "/sse", "/mcp?sessionid=x", "/healthz", "/.well-known/oauth-protected-resource/mcp/", "//mcp", "/%6dcp", "/mcp;x", "/kb/mcp", "/kb/kb/mcp", "/k%62/mcp", "/kb//mcp", "/kbmcp", "/kb"} {
		f.Add("GET", path, "", "")
		f.Add("POST", path, "x", "2026-07-28")
	}
	f.Fuzz(func(t *testing.T, method, path, session, version string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		r := (&http.Request{Method: method, URL: u, Host: "localhost", Header: make(http.Header), Body: http.NoBody, RemoteAddr: "127.0.0.1:1"}).WithContext(t.Context())
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("Mcp-Protocol-Version", version)
		r.Header.Set("Authorization", "Bearer "+session)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		inside := strings.TrimPrefix(u.Path, "/kb")
		open := inside == pathHealth || inside == pathReady || strings.HasPrefix(inside, signin.ResourceMetadataPath)
		if w.Code < 300 && !open {
			t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	})
}
