package mcp

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// FuzzRoutes checks that each request is handled according to its protocol version, that only
// requests with a session reach one, and that a request leaves nothing open that it did not open.
func FuzzRoutes(f *testing.F) {
	s := New(nowhere{}, Options{Logger: quietLog})
	e := NewEndpoint(HTTPOptions{ChooseServer: func(*http.Request) *Server { return s }})
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	for _, method := range []string{"GET", "POST", "DELETE", "PUT", "HEAD"} {
		f.Add(method, "", "", "", "", begin)
		f.Add(method, "", "2026-07-28", "tools/list", "", list)
		f.Add(method, "", "2026-07-28", "subscriptions/listen", "", list)
		f.Add(method, "made-up", "2025-11-25", "", "", list)
		f.Add(method, "", "", "", "sessionid=made-up", list)
		f.Add(method, "", "1999-01-01", "", "x=%", "["+list+"]")
	}
	f.Fuzz(func(t *testing.T, method, session, version, called, query, body string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := (&http.Request{Method: method, URL: &url.URL{Path: "/mcp", RawQuery: query}, Host: "localhost", Header: make(http.Header)}).WithContext(ctx)
		r.Body = http.NoBody
		if method == http.MethodPost {
			r = httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
			r.URL.RawQuery = query
		}
		for name, value := range map[string]string{sessionHeader: session, versionHeader: version, "Mcp-Method": called, "Accept": "application/json, text/event-stream", "Content-Type": "application/json"} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		offered := e.CanServe(r)
		if method == http.MethodGet || called == methodListen {
			cancel() // it would not end
		}
		w := httptest.NewRecorder()
		if offered {
			e.ServeHTTP(w, r)
		}
		switch code := w.Code; {
		case !offered && (method == http.MethodPost || method == http.MethodGet && session == "" && version < firstStateless):
			t.Error("it is not offered")
		case offered && session != "" && version < firstStateless && !isSSE(r) && code != http.StatusNotFound:
			t.Errorf("a session that is not there: %d %s", code, w.Body)
		case code >= 500 && code != http.StatusServiceUnavailable:
			t.Errorf("%d %s", code, w.Body)
		}
		if opened := w.Header().Get(sessionHeader); opened != "" && e.SessionCount() > 0 {
			e.CloseSessions()
		}
		e.sessions.mu.Lock()
		defer e.sessions.mu.Unlock()
		if e.sessions.opening != 0 {
			t.Errorf("%d places are taken by nobody", e.sessions.opening)
		}
	})
}

// TestOpenedSessionTakesOnePlace checks that a session takes one slot, even while the request that
// opened it is still in progress.
func TestOpenedSessionTakesOnePlace(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), Options{})
	e := NewEndpoint(HTTPOptions{ChooseServer: func(*http.Request) *Server { return s }, MaxSessions: 2})
	answered, through := make(chan struct{}), make(chan struct{})
	open := func(w http.ResponseWriter) {
		const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(begin))
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", "application/json")
		e.ServeHTTP(w, r)
	}
	ended, first := make(chan struct{}), httptest.NewRecorder()
	go func() {
		defer close(ended)
		open(&slowWriter{ResponseRecorder: first, written: sync.OnceFunc(func() { close(answered) }), through: through})
	}()
	<-answered
	_, leave, ok := e.sessions.enterSession(first.Header().Get(sessionHeader), "") // a session with a request in progress is not closed
	if !ok {
		t.Fatal("no session was opened")
	}
	defer leave()
	w := httptest.NewRecorder()
	open(w)
	if w.Code != http.StatusOK {
		t.Errorf("a second session of two: %d %s", w.Code, w.Body)
	}
	close(through)
	<-ended
	e.CloseSessions()
}

// slowWriter returns from the Write of a result only when it is released.
type slowWriter struct {
	*httptest.ResponseRecorder
	written func()
	through <-chan struct{}
}

func (w *slowWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(p)
	if bytes.Contains(w.Body.Bytes(), []byte("serverInfo")) {
		w.written()
		<-w.through
	}
	return n, err
}

// nowhere is a library without folders, of which nothing is asked.
type nowhere struct{ Library }

func (nowhere) Folders() []string { return nil }
