package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toSession is a client in a session of streamable HTTP.
type toSession struct {
	t       *testing.T
	e       *Endpoint
	name    string
	started chan struct{} // has a token for each call of the tool wait, which ends when it is cancelled
}

const beginSession = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func openToSession(t *testing.T) *toSession {
	t.Helper()
	s, started := waiting(t)
	c := &toSession{t: t, e: NewEndpoint(HTTPOptions{Choose: func(*http.Request) *Server { return s }}), started: started}
	t.Cleanup(c.e.Close)
	c.name = c.post(beginSession).Header().Get(sessionHeader)
	return c
}

// waiting is a Server with a tool that waits until it is cancelled or the test ends, and
// what has a token for each call.
func waiting(t *testing.T) (s *Server, started chan struct{}) {
	s, started = New(nowhere{}, Options{Logger: quietLog}), make(chan struct{}, mostUnanswered)
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	s.addTool(&mcp.Tool{Name: "wait", InputSchema: object(nil, nil)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		started <- struct{}{}
		select {
		case <-ctx.Done():
		case <-over:
		}
		return nil, ctx.Err()
	})
	return s, started
}

// waitCall calls the tool that waits.
func waitCall(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait","arguments":{}}}`, id)
}

const listTools = `{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{}}`

// send sends a request and reads its answer.
func (c *toSession) send(ctx context.Context, w http.ResponseWriter, method, body string) {
	r := httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", sessionHeader: c.name} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	c.e.ServeHTTP(w, r)
}

func (c *toSession) post(message string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	c.send(c.t.Context(), w, http.MethodPost, message)
	return w
}

// fill begins as many calls as there may be at once. Their clients wait for the answers,
// or have gone.
func (c *toSession) fill(gone bool) {
	for i := range mostUnanswered {
		ctx, leave := context.WithCancel(c.t.Context())
		left := make(chan struct{})
		go func() {
			defer close(left)
			c.send(ctx, httptest.NewRecorder(), http.MethodPost, waitCall(i))
		}()
		<-c.started
		if gone {
			leave()
			<-left
		}
		c.t.Cleanup(func() { leave(); <-left })
	}
}

// TestCallsCount: calls count in their session until they have ended, also those that
// their clients wait for no more.
func TestCallsCount(t *testing.T) {
	for name, gone := range map[string]bool{"clients wait": false, "clients have gone": true} {
		t.Run(name, func(t *testing.T) {
			c := openToSession(t)
			if w := c.post(listTools); w.Code != http.StatusOK {
				t.Errorf("with room: %d %s", w.Code, w.Body)
			}
			c.fill(gone)
			if w := c.post(listTools); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
				t.Errorf("without room: %d %s", w.Code, w.Body)
			}
		})
	}
}

// TestBeginAgain: a session whose client says initialize once more is the same, with what
// is asked in it, and takes no other place.
func TestBeginAgain(t *testing.T) {
	c := openToSession(t)
	c.fill(true)
	ss := c.e.sessions
	ss.open[c.name].load.asked.give(load{requests: 1})
	c.post(strings.Replace(beginSession, "begin", "again", 1))
	if n := ss.open[c.name].load.asked.held.requests; n != mostUnanswered-1 || ss.owned[""] != 1 {
		t.Errorf("%d requests count, and %d sessions", n, ss.owned[""])
	}
}
