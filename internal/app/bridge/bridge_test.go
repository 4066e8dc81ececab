package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// server is an MCP server over HTTP whose responses a test determines. It counts what it receives.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	sessions int
	got      []string // methods, with the tool of each call, and DELETE for the end of a session
	headers  []http.Header
	answer   func(w http.ResponseWriter, what string, e envelope) bool // returns false for the usual response
}

func newServer(t *testing.T, answer func(w http.ResponseWriter, what string, e envelope) bool) *server {
	s := &server{answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.Header.Get("Last-Event-ID") == "" {
		http.Error(w, "no stream here", http.StatusMethodNotAllowed)
		return
	}
	var e envelope
	what := r.Method
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var p struct{ Name string }
		_ = json.Unmarshal(e.Params, &p)
		what = strings.TrimSpace(e.Method + " " + p.Name)
	}
	s.mu.Lock()
	s.got, s.headers = append(s.got, what), append(s.headers, r.Header)
	if what == methodInitialize {
		s.sessions++
	}
	s.mu.Unlock()
	if s.answer != nil && s.answer(w, what, e) {
		return
	}
	s.mu.Lock()
	current := fmt.Sprintf("session-%d", s.sessions)
	s.mu.Unlock()
	switch {
	case what == methodInitialize:
		w.Header().Set("Mcp-Session-Id", current)
		reply(w, e, `{"protocolVersion": "2025-11-25", "capabilities": {"resources": {"listChanged": true}}, "serverInfo": {"name": "test", "version": "1"}}`)
	case r.Header.Get("Mcp-Session-Id") != current:
		http.Error(w, "session not found", http.StatusNotFound)
	case what == methodListTools:
		reply(w, e, `{"tools": [{"name": "look", "annotations": {"readOnlyHint": true}}, {"name": "pay"}]}`)
	case e.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		reply(w, e, `{"done": "`+what+`"}`)
	}
}

func reply(w http.ResponseWriter, e envelope, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, "{\"jsonrpc\": \"2.0\", \"id\": %s,\n \"result\": %s}", e.ID, result)
}

// breakOff ends a connection in the middle of a response.
func breakOff(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func (s *server) count(what string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.got {
		if g == what {
			n++
		}
	}
	return n
}

// host is a host that is connected through a bridge.
type host struct {
	t     *testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	log   *bytes.Buffer
	ended chan error
}

func newHost(t *testing.T, o Options) *host {
	t.Helper()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	h := &host{t: t, in: toBridge, out: bufio.NewReader(fromBridge), log: new(bytes.Buffer), ended: make(chan error, 1)}
	o.Logger = slog.New(slog.NewTextHandler(h.log, nil))
	if o.RetryTimeout == 0 {
		o.RetryTimeout = 10 * time.Second
	}
	go func() {
		err := Run(t.Context(), in, out, o)
		_ = out.Close()
		h.ended <- err
	}()
	t.Cleanup(func() { _ = toBridge.Close() })
	return h
}

func (h *host) send(line string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, line+"\n"); err != nil {
		h.t.Fatal(err)
	}
}

// hear returns the next line from the bridge.
func (h *host) hear() string {
	h.t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil {
		h.t.Fatalf("nothing comes any more: %v", err)
	}
	return strings.TrimSpace(line)
}

func (h *host) expect(want string) {
	h.t.Helper()
	if got := h.hear(); !strings.Contains(got, want) {
		h.t.Errorf("there came %s, want %s", got, want)
	}
}

// begin opens a session and lists the tools.
func (h *host) begin() {
	h.t.Helper()
	h.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	h.expect(`"id":1,"result":{"protocolVersion":"2025-11-25"`)
	h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	h.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	h.expect(`"id":2,"result":{"tools"`)
}

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

// TestEnd checks that the session is ended when the host ends, after the last responses.
func TestEnd(t *testing.T) {
	s := newServer(t, nil)
	h := newHost(t, Options{URL: s.URL, Token: "sesame"})
	h.begin()
	h.send(call(3, "look"))
	if err := h.in.Close(); err != nil {
		t.Fatal(err)
	}
	h.expect(`"id":3,"result":{"done":"tools/call look"}`)
	if err := <-h.ended; err != nil || s.count("DELETE") != 1 {
		t.Errorf("at the end: %v, %v", err, s.got)
	}
	for i, header := range s.headers {
		if header.Get("Authorization") != "Bearer sesame" || (header.Get("Mcp-Protocol-Version") == "2025-11-25") != (i > 0) {
			t.Errorf("%s: %v", s.got[i], header)
		}
	}
}

// TestForgottenSession checks that a forgotten session is replaced, with its subscriptions, and
// that the host is notified of everything that may have changed.
func TestForgottenSession(t *testing.T) {
	s := newServer(t, nil)
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	h.send(`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"file:///a"}}`)
	h.expect(`"id":3`)
	s.mu.Lock()
	s.sessions += 10 // as if the server had been restarted
	s.mu.Unlock()
	h.send(call(4, "pay"))
	h.expect(`notifications/resources/list_changed`)
	h.expect(`"method":"notifications/resources/updated","params":{"uri":"file:///a"}`)
	h.expect(`"id":4,"result":{"done":"tools/call pay"}`)
	if s.count(methodInitialize) != 2 || s.count(methodInitialized) != 2 || s.count(methodSubscribe) != 2 || s.count("tools/call pay") != 2 {
		t.Errorf("the server got %v", s.got)
	}
}

// TestRestoredCalls checks that a call that has changed its session is repeated in the session that
// replaces it, without a second response to the host.
func TestRestoredCalls(t *testing.T) {
	s := newServer(t, nil)
	h := newHost(t, Options{URL: s.URL, ChangesSession: func(call []byte) bool { return bytes.Contains(call, []byte(`"pay"`)) }})
	h.begin()
	for id, tool := range []string{"look", "pay"} {
		h.send(call(3+id, tool))
		h.expect(`"result":{"done":"tools/call ` + tool + `"}`)
	}
	s.mu.Lock()
	s.sessions += 10
	s.mu.Unlock()
	h.send(call(5, "look"))
	h.expect(`notifications/resources/list_changed`)
	h.expect(`"id":5,"result":{"done":"tools/call look"}`)
	if s.count("tools/call pay") != 2 || s.count("tools/call look") != 3 { // one call was in the lost session
		t.Errorf("the server got %v", s.got)
	}
}

// TestAwayWhileForgotten checks that the bridge waits for a server that is still starting when the
// session has to be replaced.
func TestAwayWhileForgotten(t *testing.T) {
	var starting atomic.Bool
	s := newServer(t, func(w http.ResponseWriter, what string, _ envelope) bool {
		if what != methodInitialize || !starting.Swap(false) {
			return false
		}
		breakOff(w)
		return true
	})
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	s.mu.Lock()
	s.sessions += 10
	s.mu.Unlock()
	starting.Store(true)
	h.send(call(3, "pay"))
	h.expect(`notifications/resources/list_changed`)
	h.expect(`"id":3,"result"`)
}

// TestForgottenMeanwhile: a session that is forgotten while it is begun again is begun once more.
func TestForgottenMeanwhile(t *testing.T) {
	var opened atomic.Int64
	var s *server
	s = newServer(t, func(_ http.ResponseWriter, what string, _ envelope) bool {
		if what == methodInitialized && opened.Add(1) == 2 {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.sessions += 10 // the answer is that the session is not known
		}
		return false
	})
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	s.mu.Lock()
	s.sessions += 10
	s.mu.Unlock()
	h.send(call(3, "pay"))
	h.expect(`notifications/resources/list_changed`)
	h.expect(`"id":3,"result"`)
}

// TestAwayForLonger checks that a session is replaced if the server has forgotten it during an
// outage.
func TestAwayForLonger(t *testing.T) {
	var away atomic.Int64
	var s *server
	s = newServer(t, func(w http.ResponseWriter, what string, _ envelope) bool {
		if what != "tools/call pay" || away.Add(1) > renewals {
			return false
		}
		http.Error(w, "starting", http.StatusServiceUnavailable)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sessions += 10
		return true
	})
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	h.send(call(3, "pay"))
	h.expect(`notifications/resources/list_changed`)
	h.expect(`"id":3,"result"`)
}

// TestLostAnswer checks that after a lost response safe requests are repeated, and others fail.
func TestLostAnswer(t *testing.T) {
	lost := make(map[string]bool)
	s := newServer(t, func(w http.ResponseWriter, what string, e envelope) bool {
		if !strings.HasPrefix(what, "tools/call") && what != "prompts/list" || lost[what] {
			return false
		}
		lost[what] = true
		breakOff(w)
		return true
	})
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	h.send(call(3, "look"))
	h.expect(`"id":3,"result"`)
	h.send(`{"jsonrpc":"2.0","id":"p","method":"prompts/list"}`)
	h.expect(`"id":"p","result"`)
	h.send(call(4, "pay"))
	h.expect(`whether pay was done is not known`)
	if s.count("tools/call look") != 2 || s.count("tools/call pay") != 1 {
		t.Errorf("the server got %v", s.got)
	}
}

// TestStreamIsTakenUp checks that a broken response is resumed after its last event.
func TestStreamIsTakenUp(t *testing.T) {
	s := newServer(t, nil)
	s.answer = func(w http.ResponseWriter, what string, e envelope) bool {
		if what != "tools/call pay" && what != http.MethodGet {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if what == http.MethodGet {
			s.mu.Lock()
			after := s.headers[len(s.headers)-1].Get("Last-Event-ID")
			s.mu.Unlock()
			fmt.Fprintf(w, "id: 3\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":3,\"result\":{\"after\":%q}}\n\n", after)
			return true
		}
		fmt.Fprint(w, "id: 1\nretry: 10\ndata:\n\n: comment\nid: 2\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: {\"not ended")
		return true
	}
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	h.send(call(3, "pay"))
	h.expect(`notifications/progress`)
	h.expect(`"id":3,"result":{"after":"2"}`)
	if s.count("tools/call pay") != 1 {
		t.Errorf("the server got %v", s.got)
	}
}

// TestPatience checks that the bridge waits for an unreachable server for a limited time, and
// retries an overloaded one when that says so.
func TestPatience(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = free.Close()
	h := newHost(t, Options{URL: "http://" + free.Addr().String(), RetryTimeout: 300 * time.Millisecond})
	h.send(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	h.expect(`"id":"a","error":{"code":-32000,"message":"http://` + free.Addr().String() + `: the server cannot be reached: dial tcp`)
	_ = h.in.Close()
	<-h.ended
	if n := strings.Count(h.log.String(), "level=WARN"); n != 1 {
		t.Errorf("it is told %d times: %s", n, h.log)
	}
	var busy atomic.Int64
	s := newServer(t, func(w http.ResponseWriter, what string, _ envelope) bool {
		if what != "tools/call pay" || busy.Add(1) > 2 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return true
	})
	h = newHost(t, Options{URL: s.URL})
	h.begin()
	h.send(call(3, "pay"))
	h.expect(`"id":3,"result"`)
}

// TestStateless checks that requests of the newest version have the required headers, and are
// cancelled by ending them.
func TestStateless(t *testing.T) {
	come, gone := make(chan struct{}), make(chan struct{})
	s := newServer(t, nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Header.Get("Mcp-Method") == methodCall {
			close(come)
			<-r.Context().Done()
			close(gone)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		said, _ := json.Marshal([]string{r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("Mcp-Method"), r.Header.Get("Mcp-Name"), r.Header.Get("Mcp-Session-Id")})
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, said)
	})
	h := newHost(t, Options{URL: s.URL})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	h.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///墨.md",` + meta + `}}`)
	h.expect(`["2026-07-28","resources/read","=?base64?ZmlsZTovLy/loqgubWQ=?=",""]`)
	h.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look",` + meta + `}}`)
	<-come
	h.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("the server is not told that nobody waits")
	}
}

// TestStreamOfNewest checks that a broken stream of notifications is opened again, and that the
// host is notified on it of everything that may have changed.
func TestStreamOfNewest(t *testing.T) {
	var opened atomic.Int64
	s := newServer(t, func(w http.ResponseWriter, what string, e envelope) bool {
		if what != methodListen {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":%q}\n\n", methodAcknowledged)
		if opened.Add(1) > 1 {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n", e.ID)
		}
		return true
	})
	h := newHost(t, Options{URL: s.URL})
	h.send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["file:///a"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	for _, want := range []string{
		methodAcknowledged, methodAcknowledged,
		`"method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"uri":"file:///a"}`,
		`"id":"l","result":{}`,
	} {
		h.expect(want)
	}
}

// TestRefusals checks that errors of the server reach the host with their text.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"no token", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who?", http.StatusUnauthorized) }, "it asks for a token, and VADEMECUM_TOKEN is not set"},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "you may not see any of the folders", http.StatusForbidden)
		}, "you may not see any of the folders"},
		{"nothing there", http.NotFound, "the server answers 404 Not Found"},
		{"moved", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://other.example/mcp", http.StatusTemporaryRedirect)
		}, "the server has moved: give its new URL (https://other.example/mcp)"},
		{"a web page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "which is not MCP"},
		{"no message", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "nonsense")
		}, "the server answers with what is no message"},
		{"an error of the protocol", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"versions"}}`)
		}, `"code":-32022,"message":"versions"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(tt.answer)
			defer s.Close()
			h := newHost(t, Options{URL: s.URL})
			h.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
			h.expect(tt.want)
			_ = h.in.Close()
			<-h.ended
		})
	}
}

// TestLines checks that a line that is not a message gets an error, and does not affect the lines
// after it.
func TestLines(t *testing.T) {
	s := newServer(t, nil)
	h := newHost(t, Options{URL: s.URL})
	for _, line := range []string{"nonsense", "[1", `"text"`, "[3]", "\x00"} {
		h.send(line)
		h.expect(`"id":null,"error":{"code":-32700`)
	}
	h.begin()
}

// TestOtherVersion checks the error if a restarted server uses another protocol version, with which
// the session cannot continue.
func TestOtherVersion(t *testing.T) {
	s := newServer(t, nil)
	h := newHost(t, Options{URL: s.URL})
	h.begin()
	s.mu.Lock()
	s.sessions += 10
	s.mu.Unlock()
	s.answer = func(w http.ResponseWriter, what string, e envelope) bool {
		if what == methodInitialize {
			reply(w, e, `{"protocolVersion": "2024-11-05"}`)
		}
		return what == methodInitialize
	}
	h.send(call(3, "look"))
	h.expect(`start the host's session again`)
}
