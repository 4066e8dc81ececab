package e2e

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// gate is a way to a server that can be shut.
type gate struct {
	t      testing.TB
	at, to string

	mu       sync.Mutex
	listener net.Listener // nil while it is shut
	through  []net.Conn
	delay    time.Duration     // of all traffic, each way
	forgets  bool              // drop the traffic of new connections, too
	lost     map[net.Conn]bool // of those that are through, those that nothing passes
}

// gateTo makes a gate to the database that is shut, and the address through it.
func gateTo(t testing.TB, address string) (*gate, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{t: t, at: free.Addr().String(), to: u.Host, lost: make(map[net.Conn]bool)}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.shut)
	u.Host = g.at
	return g, u.String()
}

func (g *gate) open() {
	g.t.Helper()
	l, err := net.Listen("tcp", g.at)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mu.Lock()
	g.listener = l
	g.mu.Unlock()
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", g.to)
			if err != nil {
				_ = in.Close()
				continue
			}
			g.admit(in, out)
			go g.carry(out, in)
			go g.carry(in, out)
		}
	}()
}

func (g *gate) admit(in, out net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.through = append(g.through, in, out)
	g.lost[in], g.lost[out] = g.forgets, g.forgets
}

// carry copies the data of one side to the other, and its end.
func (g *gate) carry(to, from net.Conn) {
	for b := make([]byte, 32<<10); ; {
		n, err := from.Read(b)
		g.mu.Lock()
		lost, delay := g.lost[from], g.delay
		g.mu.Unlock()
		time.Sleep(delay)
		if err == nil && !lost {
			_, err = to.Write(b[:n])
		}
		if err != nil && !lost {
			_ = to.Close()
		}
		if err != nil {
			return
		}
	}
}

// forget drops the traffic of existing and new connections while forgets is true, as
// where packets are lost: neither side notices.
func (g *gate) forget(forgets bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.through {
		g.lost[c] = g.lost[c] || forgets
	}
	g.forgets = forgets
}

// slow delays all traffic, each way.
func (g *gate) slow(delay time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.delay = delay
}

// shut closes all connections, and refuses new ones.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.listener != nil {
		_ = g.listener.Close()
	}
	for _, c := range g.through {
		_ = c.Close()
	}
	g.listener, g.through = nil, nil
	clear(g.lost)
}

// awaitReady waits until a server reports that it is ready, or the reason why not.
func (s *httpServer) awaitReady(want string) {
	s.t.Helper()
	said := ""
	if !poll(longestWait, func() bool { said = s.readiness(); return said == want }) {
		s.t.Fatalf("it says %q, want %q", said, want)
	}
}

// readiness returns the server's report on readiness, "" without an answer within a
// second.
func (s *httpServer) readiness() string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/readyz", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return strings.TrimSpace(string(body))
}

// TestDatabaseAway: a server waits for a database that is down at the start, reports it
// when it is down later, and continues when it is back.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	g, address := gateTo(t, d.serving)
	dir := manyNotes(t, 3)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", dir, "--library", "notes")
	c.Env = append(c.Env, "VADEMECUM_STORE="+address)
	s := startHTTP(t, c)
	s.awaitReady("not ready: the database does not answer")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	if text := client.saysOf("retrieve_docs", "query", "anything"); !strings.Contains(text, "the database cannot be reached") {
		t.Errorf("while it is away at the start: %s", text)
	}
	g.open()
	s.awaitReady("ready")
	e := newEditor(t, dir)
	unique := ""
	save := func() {
		text, word := e.text()
		e.save(e.fresh(), text)
		unique = word
	}
	save()
	if text := client.saysOf("retrieve_docs", "query", unique); !strings.Contains(text, unique) {
		t.Errorf("as it is there: %s", text)
	}
	if !testing.Short() { // it waits for the end of the server's patience
		g.shut()
		s.awaitReady("not ready: the database does not answer")
		checkAway(t, client, e.relative(e.files()[0]))
		s.checkPagesAway("/doc?path=" + url.QueryEscape(e.relative(e.files()[0])))
		save()
		g.open()
		s.awaitReady("ready")
		if text := client.saysOf("retrieve_docs", "query", unique); !strings.Contains(text, unique) {
			t.Errorf("as it is back: %s", text)
		}
	}
	log := ""
	await(t, "the end of it in the log", func() bool {
		log += s.newLines()
		return testing.Short() || strings.Contains(log, "the database serves again")
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	log += s.log()
	if strings.Contains(log, d.password) || !strings.Contains(log, "the database cannot be reached") {
		t.Errorf("the log says %s", log)
	}
	once := []string{"the index cannot be loaded yet", "the index is loaded now"}
	if !testing.Short() {
		once = append(once, "the database does not serve", "the database serves again")
	}
	if n := strings.Count(log, "level=WARN") + strings.Count(log, "level=ERROR"); n != len(once) {
		t.Errorf("the log tells of %d things: %s", n, log)
	}
	for _, line := range once {
		if !strings.Contains(log, line) {
			t.Errorf("the log does not say that %s: %s", line, log)
		}
	}
}

// checkAway checks the answers to a client while the database is down: they say so, with
// cached information where that is useful.
func checkAway(t *testing.T, client *webClient, path string) {
	t.Helper()
	for tool, text := range map[string]string{
		"retrieve_docs": client.saysOf("retrieve_docs", "query", "anything"),
		"find_in_docs":  client.saysOf("find_in_docs", "text", "anything"),
		"check_quotes":  client.saysOf("check_quotes", "quotes", "anything"),
		"read_doc":      client.saysOf("read_doc", "path", path),
		"index_docs":    client.mustTool("index_docs", nil),
	} {
		if text != away {
			t.Errorf("%s says %s", tool, text)
		}
	}
	for _, list := range []map[string]any{nil, {"tag_counts": true}} {
		const note = "\nNote: The database cannot be reached now: this answer uses what was known before and may be out of date."
		if text := client.mustTool("list_docs", list); !strings.HasSuffix(text, note) || strings.Count(text, "Note: ") != 1 || list == nil && !strings.Contains(text, path) {
			t.Errorf("list_docs %v says %s", list, text)
		}
	}
	listed, err := client.ListResources(t.Context(), nil)
	if err != nil || len(listed.Resources) == 0 {
		t.Fatalf("the list of resources: %v, %v", listed, err)
	}
	uri := listed.Resources[0].URI
	for uri, want := range map[string]jsonrpc.Error{
		uri:       {Code: jsonrpc.CodeInternalError, Message: away},
		uri + "x": {Code: jsonrpc.CodeInvalidParams, Message: "Resource not found"},
	} {
		_, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var got *jsonrpc.Error
		if !errors.As(err, &got) || got.Code != want.Code || got.Message != want.Message {
			t.Errorf("%s: %v, want %v", uri, err, want)
		}
	}
}

// away is the answer to a question that needs the database.
const away = "the database cannot be reached now: ask again in a moment"

// checkPagesAway checks what pages show then, and whether browsers retry.
func (s *httpServer) checkPagesAway(document string) {
	s.t.Helper()
	for path, again := range map[string]string{
		"/search?q=anything":              `<noscript><meta http-equiv="refresh" content="5"></noscript>`,
		"/search?q=anything&part=results": " data-again>",
		"/try?q=anything":                 "",
		document:                          "",
		"/library":                        "",
	} {
		answer, text := s.get(path)
		if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || !strings.Contains(strings.ToLower(text), away) || !strings.Contains(text, again) {
			s.t.Errorf("%s: %s %v %s", path, answer.Status, answer.Header, text)
		}
		if isWhole := strings.HasPrefix(path, "/doc") || path == "/library"; isWhole && answer.Header.Get("Refresh") == "" {
			s.t.Errorf("%s: nobody asks again: %v", path, answer.Header)
		}
	}
	if state := s.text("/library/state"); !strings.Contains(state, "The database cannot be reached now") || strings.Contains(state, "Up to date") {
		s.t.Errorf("the state is told as %s", state)
	}
	if bad, _ := s.get("/search?q=anything&after=never"); bad.StatusCode != http.StatusBadRequest {
		s.t.Errorf("a wrong date: %s", bad.Status)
	}
}

// TestDatabaseUnready: a server started before the tables exist says so, and continues
// once they do.
func TestDatabaseUnready(t *testing.T) {
	t.Parallel()
	d := emptyDatabase(t)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", manyNotes(t, 3), "--library", "notes")
	c.Env = append(c.Env, d.env())
	s := startHTTP(t, c)
	s.awaitReady("not ready: the database cannot be used; the log says why")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	if text := client.saysOf("retrieve_docs", "query", "anything"); !strings.Contains(text, "create them with vademecum store migrate") {
		t.Errorf("before: %s", text)
	}
	onStore(t, d, d.owner, "match this version", "store", "migrate")
	onStore(t, d, d.owner, "may serve from them", "store", "migrate", "--grant", d.name)
	s.awaitReady("ready")
}

// saysOf returns the answer of a tool to one argument, including errors.
func (c *webClient) saysOf(tool, argument, value string) string {
	c.t.Helper()
	text, err := c.tool(tool, map[string]any{argument: value})
	if err != nil {
		return err.Error()
	}
	return text
}
