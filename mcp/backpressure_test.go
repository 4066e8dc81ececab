package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vademecum/index/operations"
)

// toSession is a client with a session over HTTP.
type toSession struct {
	t       *testing.T
	e       *Endpoint
	to      string        // path to which messages are sent
	name    string        // ID of a session of streamable HTTP
	events  chan string   // events of a stream of HTTP+SSE
	started chan struct{} // receives a token for each call of the tool wait, which returns when it is cancelled
}

const beginSession = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func openToSession(t *testing.T) *toSession {
	t.Helper()
	c := newToSession(t)
	c.name = c.post(beginSession).Header().Get(sessionHeader)
	return c
}

// openToSSE opens a session of HTTP+SSE.
func openToSSE(t *testing.T) *toSession {
	t.Helper()
	c := newToSession(t)
	go c.e.ServeHTTP(c, httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.to, nil))
	_, to, _ := strings.Cut(<-c.events, "data: ")
	c.to = strings.TrimSpace(to)
	c.post(beginSession)
	return c
}

func newToSession(t *testing.T) *toSession {
	s, started := waiting(t)
	e := NewEndpoint(HTTPOptions{ChooseServer: func(*http.Request) *Server { return s }, MaxBodyBytes: maxMessageWhenBusy - 10})
	t.Cleanup(e.CloseSessions)
	return &toSession{t: t, e: e, to: "/mcp", events: make(chan string, 2*mostUnanswered), started: started}
}

// Header, WriteHeader and Write receive the stream of HTTP+SSE.
func (*toSession) Header() http.Header { return make(http.Header) }

func (*toSession) WriteHeader(int) {}

func (c *toSession) Write(event []byte) (int, error) {
	c.events <- string(event)
	return len(event), nil
}

// waiting returns a Server with a tool that waits until it is cancelled or the test ends, and a
// channel that receives a token for each call of it.
func waiting(t *testing.T) (s *Server, started chan struct{}) {
	s, started = New(nowhere{}, Options{Logger: quietLog}), make(chan struct{}, mostUnanswered)
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	run := func(ctx context.Context, _ operations.CallEnvironment) (operations.Result, error) {
		started <- struct{}{}
		select {
		case <-ctx.Done():
		case <-over:
		}
		return operations.Result{}, ctx.Err()
	}
	s.addTool(func() operations.Operation { return operations.Operation{Name: "wait", ChangesIndex: true, Run: run} })
	return s, started
}

// waitCall returns a call of the tool that waits.
func waitCall(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait","arguments":{}}}`, id)
}

const listTools = `{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{}}`

// send sends a request and reads the response.
func (c *toSession) send(ctx context.Context, w http.ResponseWriter, method, body string) {
	r := httptest.NewRequestWithContext(ctx, method, c.to, strings.NewReader(body))
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

// fill begins as many calls as may be in progress at once. If gone is set, their clients do not
// wait for the responses.
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

// answer sends a message and returns the response to the request with an ID; "" if the message was
// not accepted.
func (c *toSession) answer(message, id string) string {
	w := c.post(message)
	if w.Code != http.StatusAccepted {
		return w.Body.String()
	}
	for end := time.After(time.Minute); ; {
		select {
		case event := <-c.events:
			if strings.Contains(event, `"id":`+id) {
				return event
			}
		case <-end:
			return "none"
		}
	}
}

// TestHeardInFullSession checks that calls count in their session until they have ended, even if
// their clients no longer wait, and that in a full session pings are answered and a cancellation
// makes room.
func TestHeardInFullSession(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		open func(*testing.T) *toSession
		gone bool
	}{
		"streamable HTTP":  {openToSession, false},
		"without a client": {openToSession, true},
		"HTTP+SSE":         {openToSSE, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := of.open(t)
			if w := c.post(listTools); w.Code >= 400 {
				t.Errorf("with room: %d %s", w.Code, w.Body)
			}
			c.fill(of.gone)
			if w := c.post(listTools); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
				t.Errorf("without room: %d %s", w.Code, w.Body)
			}
			if got := c.answer(ping(`"p"`), `"p"`); !strings.Contains(got, `"result":{}`) {
				t.Errorf("the answer to a ping is %s", got)
			}
			if w := c.post(cancellation(7)); w.Code != http.StatusAccepted {
				t.Errorf("a cancellation: %d %s", w.Code, w.Body)
			}
			eventually(t, "more is taken after a cancellation", func() bool { return c.post(listTools).Code != http.StatusTooManyRequests })
		})
	}
}

// ping returns a ping whose ID is the given JSON.
func ping(id string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id) }

// TestTakenByFullSession checks that a full session accepts messages that are not requests and some
// pings, and refuses all others and those that are too long.
func TestTakenByFullSession(t *testing.T) {
	t.Parallel()
	const (
		note     = `{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{}}`
		response = `{"jsonrpc":"2.0","id":1,"result":{}}`
	)
	long := func(bytes int) string { return note + strings.Repeat(" ", bytes-len(note)) }
	c := openToSession(t)
	c.fill(true)
	for message, want := range map[string]int{
		note:                                 http.StatusAccepted,
		response:                             http.StatusAccepted,
		" [" + note + "," + response + "]":   http.StatusAccepted,
		"[" + note + "," + ping(`"a"`) + "]": http.StatusOK,
		"[" + ping(`"a"`) + "," + listTools + "]":                                     http.StatusTooManyRequests,
		"[" + strings.Repeat(ping("1")+",", mostAhead) + note + "," + ping("2") + "]": http.StatusTooManyRequests,
		"[]": http.StatusTooManyRequests,
		"":   http.StatusTooManyRequests,
		"{":  http.StatusTooManyRequests,
		`{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}`: http.StatusTooManyRequests,
		`{"jsonrpc":"2.0","method":"tools/list","params":{}}`:                                  http.StatusBadRequest, // no request without an ID
		long(maxMessageWhenBusy - 10):                                                          http.StatusAccepted,
		long(maxMessageWhenBusy):                                                               http.StatusRequestEntityTooLarge, // as MaxBodyBytes says
		long(maxMessageWhenBusy + 1):                                                           http.StatusTooManyRequests,
	} {
		if w := c.post(message); w.Code != want {
			t.Errorf("%.200s: %d %s, want %d", message, w.Code, w.Body, want)
		}
	}
}

// slow is the writer of a client that reads no responses, except refusals, until read is closed.
type slow struct {
	*httptest.ResponseRecorder
	read chan struct{}
}

func (s slow) Write(text []byte) (int, error) {
	if s.Code == http.StatusOK {
		<-s.read
	}
	return s.ResponseRecorder.Write(text)
}

// TestPingsInFullSession checks that a full session accepts a limited number of pings whose
// responses are not read, and still accepts notifications.
func TestPingsInFullSession(t *testing.T) {
	t.Parallel()
	c := openToSession(t)
	c.fill(true)
	read, codes := make(chan struct{}), make(chan int, 2*mostAhead)
	for i := range 2 * mostAhead {
		go func() {
			w := slow{httptest.NewRecorder(), read}
			c.send(t.Context(), w, http.MethodPost, ping(fmt.Sprint(1000+i)))
			codes <- w.Code
		}()
	}
	ended := func() int {
		select {
		case code := <-codes:
			return code
		case <-time.After(time.Minute):
			return 0
		}
	}
	for range mostAhead {
		if code := ended(); code != http.StatusTooManyRequests {
			t.Fatalf("a ping too many: %d", code)
		}
	}
	if w := c.post(cancellation(-1)); w.Code != http.StatusAccepted {
		t.Errorf("a notification: %d %s", w.Code, w.Body)
	}
	close(read)
	for range mostAhead {
		if code := ended(); code != http.StatusOK {
			t.Fatalf("a ping for which there is room: %d", code)
		}
	}
	if w := c.post(ping(`"p"`)); w.Code != http.StatusOK {
		t.Errorf("a ping after the others: %d %s", w.Code, w.Body)
	}
}

// TestBeginAgain checks that a second initialize request in a session leaves the session and its
// requests as they are, and takes no further slot.
func TestBeginAgain(t *testing.T) {
	t.Parallel()
	c := openToSession(t)
	c.fill(true)
	ss := c.e.sessions
	ss.open[c.name].load.asked.subtract(requestLoad{requests: 1})
	c.post(strings.Replace(beginSession, "begin", "again", 1))
	if n := ss.open[c.name].load.asked.held.requests; n != mostUnanswered-1 || ss.owned[""] != 1 {
		t.Errorf("%d requests count, and %d sessions", n, ss.owned[""])
	}
}
