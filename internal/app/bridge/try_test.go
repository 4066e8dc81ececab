package bridge

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTry checks that a session is begun and ended, and the errors of servers that do not respond.
func TestTry(t *testing.T) {
	s := newServer(t, nil)
	got, err := TrySession(t.Context(), Options{URL: s.URL, Header: http.Header{"X-Of-Entry": {"a"}}})
	if err != nil || got != (ServerInfo{"test", "1"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if s.count(methodInitialize) != 1 || s.count(http.MethodDelete) != 1 || s.headers[0].Get("X-Of-Entry") != "a" {
		t.Errorf("it was asked %v with %v", s.got, s.headers)
	}
	refuse := func(status int, said string) *server {
		return newServer(t, func(w http.ResponseWriter, _ string, _ envelope) bool {
			http.Error(w, said, status)
			return true
		})
	}
	secure := httptest.NewTLSServer(s)
	defer secure.Close()
	gone := httptest.NewServer(s)
	gone.Close()
	for _, c := range []struct {
		url  string
		sent http.Header
		says string
		is   error
	}{
		{refuse(http.StatusUnauthorized, "who?").URL, http.Header{}, "it asks for a token, and none is sent", ErrSignInRefused},
		{refuse(http.StatusUnauthorized, "who?").URL, http.Header{"Authorization": {"Bearer x"}}, "401 Unauthorized): who?", ErrSignInRefused},
		{refuse(http.StatusNotFound, "<!doctype html><p>no page").URL, http.Header{}, "the server answers 404 Not Found", nil},
		{secure.URL, http.Header{}, "the certificate of the server is not trusted", ErrUntrustedCertificate},
		{gone.URL, http.Header{}, "the server cannot be reached", errUnsent},
	} {
		_, err := TrySession(t.Context(), Options{URL: c.url, Header: c.sent})
		if err == nil || !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) || strings.Contains(err.Error(), "<") {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

// TestTryRedirected checks that redirects are followed, as hosts follow them.
func TestTryRedirected(t *testing.T) {
	s := newServer(t, nil)
	from := httptest.NewServer(http.RedirectHandler(s.URL, http.StatusPermanentRedirect))
	defer from.Close()
	if got, err := TrySession(t.Context(), Options{URL: from.URL}); err != nil || got.Name != "test" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestTryOlder checks that a stream that begins with the event endpoint is recognised as HTTP+SSE.
func TestTryOlder(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sse" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("event: endpoint\ndata: /messages?session=1\n\n"))
	}))
	defer s.Close()
	if err := TrySSE(t.Context(), Options{URL: s.URL + "/sse"}); err != nil {
		t.Error(err)
	}
	if err := TrySSE(t.Context(), Options{URL: s.URL + "/mcp", Header: http.Header{}}); err == nil || !strings.Contains(err.Error(), "404 Not Found") {
		t.Errorf("%v", err)
	}
}

// TestOpened checks that only the response to initialize is accepted.
func TestOpened(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"a","version":"2"}}}`: "a 2",
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}`:                                            "no",
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                                                                       "the answer to initialize is none of MCP",
		`{"jsonrpc":"2.0","id":2,"result":{}}`:                                                                       "",
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                                                                   "",
		`{"jsonrpc":"2.0","method":"notifications/message"}`:                                                         "",
		`starting`: "",
	} {
		s, ok, err := ParseInitializeResponse([]byte(line))
		got := strings.TrimSpace(s.Name + " " + s.Version)
		if err != nil {
			got = err.Error()
		}
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", line, got, ok, want)
		}
	}
}
