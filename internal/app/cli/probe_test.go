package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const initialized = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`

// webServers returns a server that behaves, by path, like everything that may be at a URL.
func webServers(t *testing.T) (*httptest.Server, *[]string) {
	var left []string
	answers := func(status int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			left = append(left, r.Header.Get("Mcp-Session-Id"))
			return
		}
		w.Header().Set("Mcp-Session-Id", "s1")
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", initialized)
		w.(http.Flusher).Flush()
		<-r.Context().Done() // like a stream that does not end
	})
	mux.HandleFunc("/json", answers(200, "Content-Type: application/json", initialized))
	mux.HandleFunc("/older", answers(400, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown version"}}`))
	mux.HandleFunc("/token", answers(401, `WWW-Authenticate: Bearer scope="read"`, "a token is needed"))
	mux.HandleFunc("/bare", answers(401, "", ""))
	mux.HandleFunc("/provider", answers(401, `WWW-Authenticate: Bearer scope="read", resource_metadata="https://kb/x"`, ""))
	mux.HandleFunc("/basic", answers(401, "WWW-Authenticate: Basic", "who are you"))
	mux.HandleFunc("/forbidden", answers(403, "", "not from there\nat all"))
	mux.HandleFunc("/busy", answers(503, "", "later"))
	mux.HandleFunc("/moved", answers(301, "Location: /mcp", ""))
	mux.HandleFunc("/page", answers(200, "Content-Type: text/html", "<!doctype html>"))
	mux.HandleFunc("/kb/mcp", answers(200, "", initialized))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s, &left
}

// TestProbe checks that one request finds out what is at a URL, and that its session is ended.
func TestProbe(t *testing.T) {
	s, left := webServers(t)
	for path, want := range map[string]serverProbe{
		"/mcp":       {isServer: true},
		"/json":      {isServer: true},
		"/older":     {isServer: true},
		"/token":     {isServer: true, requiresToken: true},
		"/bare":      {isServer: true, requiresToken: true},
		"/provider":  {isServer: true, requiresToken: true, hasMetadata: true},
		"/basic":     {refusal: "401 Unauthorized: who are you"},
		"/forbidden": {refusal: "403 Forbidden: not from there at all"},
		"/moved":     {redirect: s.URL + "/mcp", status: "301 Moved Permanently"},
		"/page":      {status: "200 OK"},
		"/nothing":   {status: "404 Not Found"},
	} {
		if got := probeServer(t.Context(), http.DefaultTransport, s.URL+path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if len(*left) != 1 || (*left)[0] != "s1" {
		t.Errorf("sessions left: %q", *left)
	}
}

// TestProbeUnreachable checks that a server that cannot be reached, or is unavailable, is accepted.
func TestProbeUnreachable(t *testing.T) {
	s, _ := webServers(t)
	for _, at := range []string{s.URL + "/busy", "http://127.0.0.1:1/mcp"} {
		if got := probeServer(t.Context(), http.DefaultTransport, at); got.unreachable == nil || got.isServer {
			t.Errorf("%s: %+v", at, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := probeServer(ctx, http.DefaultTransport, s.URL+"/mcp"); got.unreachable == nil {
		t.Errorf("in no time: %+v", got)
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	if got := probeServer(t.Context(), http.DefaultTransport, secure.URL); got.certificateError == nil {
		t.Errorf("a certificate of nobody: %+v", got)
	}
}

// TestURLIsProposed checks that for a URL without a server the one that was probably meant is
// suggested.
func TestURLIsProposed(t *testing.T) {
	s, _ := webServers(t)
	for path, want := range map[string]string{
		"": "/mcp", "/": "/mcp", "/sse": "/mcp", "/mcp/": "/mcp", "/moved": "/mcp", "/page": "/mcp",
		"/kb": "/kb/mcp", "/kb/": "/kb/mcp", "/kb/sse": "/kb/mcp",
	} {
		_, err := probeOrRefuse(t.Context(), http.DefaultTransport, s.URL+path)
		if wrong, ok := err.(usageError); !ok || wrong.hint.String() != "did you mean "+s.URL+want+"?" {
			t.Errorf("%s: %v, %+v", path, err, wrong)
		}
	}
	for _, path := range []string{"/mcp", "/token", "/busy", "/forbidden"} {
		if _, err := probeOrRefuse(t.Context(), http.DefaultTransport, s.URL+path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	nothing := httptest.NewServer(http.NotFoundHandler())
	defer nothing.Close()
	if _, err := probeOrRefuse(t.Context(), http.DefaultTransport, nothing.URL+"/mcp"); err == nil || !strings.Contains(err.Error(), "404 Not Found") {
		t.Errorf("where nothing is: %v", err)
	}
}
