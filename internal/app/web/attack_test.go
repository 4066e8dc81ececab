package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// hasty are timeouts that soon give up clients.
var hasty = streamTimeouts{
	early: 10 * time.Millisecond, alive: 10 * time.Millisecond, write: 100 * time.Millisecond, again: 10 * time.Millisecond,
	head: 50 * time.Millisecond, read: 100 * time.Millisecond, turn: 50 * time.Millisecond,
}

// patient are timeouts that never expire in a test.
var patient = streamTimeouts{
	early: hasty.early, alive: hasty.alive, write: longest, again: hasty.again,
	head: longest, read: longest, turn: hasty.turn,
}

// longest is how long a test waits for something that takes a moment.
const longest = 30 * time.Second

// attacked is a server in this process, whose goroutines can be counted.
type attacked struct {
	t    *testing.T
	over *Server
	at   string
	end  func() // ends the server, without waiting for it
}

// attack starts a server, and checks at the end of the test that it holds nothing for its clients.
func attack(t *testing.T, o Options) *attacked {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "asthma.md"), []byte("# Asthma\n\nA spacer helps children.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Logger = slog.New(slog.DiscardHandler)
	builtin, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: builtin, Logger: o.Logger})
	if err != nil {
		t.Fatal(err)
	}
	library := mcp.New(ix, mcp.Options{Logger: o.Logger})
	view := access.View{Library: ix, Server: library}
	o.AllowedHosts, err = guard.NewAllowedHosts("127.0.0.1", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.ChooseView = func(signin.User) (*access.View, error) { return &view, nil }
	if o.pace == (streamTimeouts{}) {
		o.pace = hasty
	}
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a := &attacked{t: t, over: New(o), at: on.Addr().String(), end: cancel}
	var group sync.WaitGroup
	group.Go(func() {
		if err := ix.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	group.Go(func() { library.RunChangeNotifier(ctx) })
	group.Go(func() {
		if err := a.over.Serve(ctx, on); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		group.Wait()
		a.settle()
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

const (
	listOnce = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	begin    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	listen   = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourcesListChanged":true}}}`
)

// toListen are the headers of a subscriptions/listen request.
const toListen = "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"

// posts returns a POST request with a message.
func posts(body, header string) string {
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s", header, len(body), body)
}

// dial connects to the server and sends bytes.
func (a *attacked) dial(bytes string) net.Conn {
	a.t.Helper()
	conn, err := net.Dial("tcp", a.at)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(longest)); err != nil {
		a.t.Fatal(err)
	}
	_, _ = io.WriteString(conn, bytes) // the server may close the connection before it has read everything
	return conn
}

// status returns the status of the next response on a connection; 0 if it is closed without one.
func status(conn net.Conn) int {
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	return answer.StatusCode
}

// ask sends a message on a connection of its own, and returns the status of the response.
func (a *attacked) ask(body string) int {
	a.t.Helper()
	conn := a.dial(posts(body, ""))
	defer conn.Close()
	return status(conn)
}

// ofClients returns the stacks of the goroutines that serve clients, without those of the index.
func ofClients() (stacks []string) {
	var all strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
	for stack := range strings.SplitSeq(all.String(), "\n\n") {
		if slices.ContainsFunc([]string{"net/http.(*conn)", "go-sdk", "web.(*replyWriter)", "web.(*Server).endWhenNotAdmitted", "mcp.(*changeNotifier)", "mcp.registerSession"}, func(of string) bool { return strings.Contains(stack, of) }) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// settle waits until no goroutine serves a client.
func (a *attacked) settle() {
	a.t.Helper()
	var left []string
	if !poll(func() bool { left = ofClients(); return len(left) == 0 }) {
		a.t.Fatalf("%d goroutines serve nobody:\n%s", len(left), strings.Join(left, "\n\n"))
	}
}

func (a *attacked) await(what string, isSo func() bool) {
	a.t.Helper()
	if !poll(isSo) {
		a.t.Fatalf("not %s", what)
	}
}

// poll waits until isSo returns true, and reports whether it did in time. Nothing signals the
// progress of goroutines that read from the network.
func poll(isSo func() bool) bool {
	for start := time.Now(); !isSo(); time.Sleep(time.Millisecond) {
		if time.Since(start) > longest {
			return false
		}
	}
	return true
}

// TestSlowSenders checks that a client that sends headers or a body slowly, or not at all, is given
// up, whatever it requests and whether or not it would be admitted.
func TestSlowSenders(t *testing.T) {
	authenticator := &checker{}
	a := attack(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{authenticator}}})
	const slow = "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	for name, request := range map[string]string{
		"headers":             "GET /healthz HTTP/1.1\r\nHost: loc",
		"first line":          "GE",
		"body of health":      "GET /healthz HTTP/1.1\r\n" + slow + "Content-Length: 10\r\n\r\n",
		"body of nowhere":     "POST /nowhere HTTP/1.1\r\n" + slow + "Content-Length: 100000\r\n\r\n{",
		"chunks of nowhere":   "POST /nowhere HTTP/1.1\r\n" + slow + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"body of a foreigner": "POST /mcp HTTP/1.1\r\nHost: evil.example.com\r\nContent-Length: 10\r\n\r\n",
		"body of nobody":      "POST /mcp HTTP/1.1\r\n" + slow + "Content-Length: 10\r\n\r\n",
		"body":                "POST /mcp HTTP/1.1\r\n" + slow + "Authorization: Bearer x\r\nContent-Length: 10\r\n\r\n",
		"large body":          "POST /mcp HTTP/1.1\r\n" + slow + "Authorization: Bearer x\r\nContent-Length: 1000000\r\n\r\n" + strings.Repeat(" ", 2*smallBody),
		"chunks":              "POST /mcp HTTP/1.1\r\n" + slow + "Authorization: Bearer x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"form":                "POST /sign-in HTTP/1.1\r\n" + strings.Replace(slow, "application/json", "application/x-www-form-urlencoded", 1) + "Content-Length: 10\r\n\r\ntoken",
		"judgement":           "POST /try/judge HTTP/1.1\r\n" + slow + "Content-Length: 100000\r\n\r\nq=",
		"body of a page":      "GET /search?q=x HTTP/1.1\r\n" + slow + "Content-Length: 10\r\n\r\n",
		"body of an end":      "DELETE /mcp HTTP/1.1\r\n" + slow + "Authorization: Bearer x\r\nMcp-Session-Id: x\r\nContent-Length: 10\r\n\r\n",
	} {
		conn := a.dial(request)
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Fatalf("%s: the connection is still open: %v", name, err)
		}
		_ = conn.Close()
	}
	a.settle()
}

// TestSlowUnknownSenders checks that a client that is not admitted has less time for sending a
// request, as a few of them could occupy all connections otherwise.
func TestSlowUnknownSenders(t *testing.T) {
	pace := patient
	pace.head = time.Second // enough for headers on a busy machine
	a := attack(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{&checker{}}}, pace: pace})
	known := a.dial(strings.TrimSuffix(posts(listOnce, "Authorization: Bearer x\r\n"), listOnce) + listOnce[:9])
	unknown := make(map[string]net.Conn)
	for name, request := range map[string]string{
		"nobody":   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
		"a page":   "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\ntoken",
		"nowhere":  "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
		"a client": "POST /register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
	} {
		unknown[name] = a.dial(request)
	}
	for name, conn := range unknown {
		if err := conn.SetReadDeadline(time.Now().Add(longest / 2)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: the connection is still open: %v", name, err)
		}
	}
	if _, err := io.WriteString(known, listOnce[9:]); err != nil {
		t.Fatal(err)
	}
	if got := status(known); got != http.StatusOK {
		t.Errorf("who was let in: %d", got)
	}
}

// TestVanishing checks that nothing is held for streams and calls whose clients have disconnected,
// cleanly or not.
func TestVanishing(t *testing.T) {
	a := attack(t, Options{})
	for _, request := range []string{
		"GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
		"GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Length: 5\r\n\r\n", // the body is never sent
		posts(listen, toListen),
		posts(listOnce, ""),
	} {
		for i := range 20 {
			conn := a.dial(request)
			if i%2 == 0 {
				_ = conn.(*net.TCPConn).SetLinger(0) // the connection is closed by a reset
			}
			if i%4 < 2 {
				if got := status(conn); got != http.StatusOK && !strings.Contains(request, "Content-Length: 5\r\n") {
					t.Errorf("%.20s: %d", request, got)
				}
			}
			_ = conn.Close()
		}
	}
	a.settle()
	if n := a.over.endpoint.SessionCount(); n > 0 {
		t.Errorf("%d sessions are left", n)
	}
}

// TestLargeBodies checks that senders of large messages delay only each other.
func TestLargeBodies(t *testing.T) {
	a := attack(t, Options{pace: patient})
	large := strings.Repeat(" ", 2*smallBody)
	var held []net.Conn
	for range largeOnes {
		held = append(held, a.dial(fmt.Sprintf("%s%s", strings.Replace(posts("", ""), "Content-Length: 0", "Content-Length: 20000000", 1), large)))
	}
	a.await("all large ones begun", func() bool { return len(a.over.large) == largeOnes })
	if got := a.ask(large + listOnce); got != http.StatusServiceUnavailable {
		t.Errorf("one more gets %d", got)
	}
	if got := a.ask(begin); got != http.StatusOK {
		t.Errorf("a small message gets %d", got)
	}
	for _, conn := range held {
		_ = conn.Close()
	}
	a.await("all large ones gone", func() bool { return len(a.over.large) == 0 })
	if got := a.ask(large + begin); got != http.StatusOK {
		t.Errorf("when they are gone it gets %d", got)
	}
	if got := a.ask(strings.Repeat(" ", mostOpens) + begin); got != http.StatusRequestEntityTooLarge {
		t.Errorf("one that is long open gets %d", got)
	}
	if got := a.ask(strings.Repeat(" ", MaxBodyBytes) + begin); got != http.StatusRequestEntityTooLarge && got != 0 { // or it is hung up on
		t.Errorf("one that is too large gets %d", got)
	}
	a.over.endpoint.CloseSessions()
	a.settle()
}

// TestBatches checks that batches are limited, and that each message in one counts.
func TestBatches(t *testing.T) {
	authenticator := &checker{}
	a := attack(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{authenticator}}, RequestsPerSecond: 30, pace: patient})
	batch := func(n int) string {
		return "[" + strings.Join(slices.Repeat([]string{`{"jsonrpc":"2.0","method":"notifications/initialized"}`}, n), ",") + "]"
	}
	ask := func(n int) int {
		conn := a.dial(posts(batch(n), "Authorization: Bearer x\r\n"))
		defer conn.Close()
		return status(conn)
	}
	for n, want := range map[int]int{mostMessages + 1: http.StatusRequestEntityTooLarge, 100_000: http.StatusRequestEntityTooLarge} {
		if got := ask(n); got != want {
			t.Errorf("%d messages get %d", n, got)
		}
	}
	var got []int
	for range 3 {
		got = append(got, ask(mostMessages))
	}
	if got[0] == http.StatusTooManyRequests || got[2] != http.StatusTooManyRequests {
		t.Errorf("batches get %v", got)
	}
}

// TestFloods checks that floods of all kinds of requests get the right statuses, and that the
// server answers as before afterwards.
func TestFloods(t *testing.T) {
	a := attack(t, Options{MaxSessions: 50, pace: patient})
	requests := []string{
		posts(begin, ""), posts(listOnce, ""), posts(listen, toListen), posts("{", ""), posts(begin, "Origin: null\r\n"),
		"GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /search?q=spacer HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /picture?ref=asthma.md HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: guess\r\n\r\n", "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
		posts(strings.Repeat("[", 50_000), ""), posts(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"spacer"}}}`, ""),
	}
	due := []int{200, 202, 400, 403, 404, 405, 503}
	var group sync.WaitGroup
	for range 20 {
		for _, request := range requests {
			group.Go(func() {
				conn, err := net.Dial("tcp", a.at)
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(longest))
				_, _ = io.WriteString(conn, request)
				if got := status(conn); !slices.Contains(due, got) {
					t.Errorf("%.60q: %d", request, got)
				}
			})
		}
	}
	group.Wait()
	poll(func() bool {
		if len(ofClients()) == 0 {
			return true
		}
		a.over.endpoint.CloseSessions() // a session may begin only after its client was told 200 and left
		return false
	})
	a.settle()
	if got := a.ask(begin); got != http.StatusOK {
		t.Errorf("after it a session gets %d", got)
	}
}

// TestBegunAtTheEnd checks that sessions that begin when the server has already closed the others
// are closed, too.
func TestBegunAtTheEnd(t *testing.T) {
	a := attack(t, Options{pace: patient})
	before := a.dial(posts(begin, "Connection: close\r\n"))
	if answer, err := io.ReadAll(before); err != nil || a.over.endpoint.SessionCount() != 1 {
		t.Fatalf("%d sessions after %s, %v", a.over.endpoint.SessionCount(), answer, err)
	}
	whole := posts(begin, "Connection: close\r\n")
	var late []net.Conn
	for range 20 {
		late = append(late, a.dial(whole[:len(whole)-1]))
	}
	a.await("all of them read", func() bool {
		return strings.Count(strings.Join(ofClients(), ""), "web.(*Server).readBody(") == len(late)
	})
	a.end()
	a.await("the session ended", func() bool { return a.over.endpoint.SessionCount() == 0 })
	for _, conn := range late {
		_, _ = io.WriteString(conn, whole[len(whole)-1:])
	}
	for _, conn := range late {
		if _, err := io.Copy(io.Discard, conn); err != nil {
			t.Error(err)
		}
	}
}

// TestConnectionsOfOne checks that the connections of one address are limited, that another address
// can connect, and that closed connections make room.
func TestConnectionsOfOne(t *testing.T) {
	from := make(chan string)
	on := limitPerAddress(&fakeListener{from: from}, maxConnections, 2)
	accepted := make(chan net.Conn, 100)
	go func() {
		for {
			conn, err := on.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- conn
		}
	}()
	comes := func(address string) net.Conn {
		from <- address
		select {
		case conn := <-accepted:
			return conn
		case <-time.After(longest):
			t.Fatalf("%s does not come in", address)
			return nil
		}
	}
	first, _ := comes("203.0.113.9:1"), comes("203.0.113.9:2")
	from <- "203.0.113.9:3" // this connection is closed
	comes("[2001:db8::1]:1")
	comes("[2001:db8::2]:1")
	from <- "[2001:db8::3]:1"
	for i := range 5 {
		comes(fmt.Sprintf("127.0.0.1:%d", i+1))
	}
	_, _ = first.Close(), first.Close()
	comes("203.0.113.9:4")
	from <- "203.0.113.9:5"
	close(from)
	if conn, more := <-accepted; more {
		t.Errorf("%s comes in", conn.RemoteAddr())
	}
}

// TestConnectionsOfSeveral checks that addresses that open as many connections as they can leave
// room for another one.
func TestConnectionsOfSeveral(t *testing.T) {
	const attackers = 100
	from := make(chan string)
	on := limitPerAddress(&fakeListener{from: from}, maxConnections, maxOfAddress)
	accepted := make(chan string)
	go func() {
		defer close(accepted)
		for {
			conn, err := on.Accept()
			if err != nil {
				return
			}
			accepted <- conn.RemoteAddr().String()
		}
	}()
	go func() {
		defer close(from)
		for port := range maxOfAddress {
			for host := range attackers {
				from <- fmt.Sprintf("203.0.113.%d:%d", host, port+1)
			}
		}
		from <- "198.51.100.1:1"
	}()
	last, open := "", 0
	for last = range accepted {
		open++
	}
	if last != "198.51.100.1:1" || open > maxConnections-attackers {
		t.Errorf("%d connections are open, the last is from %s", open, last)
	}
}

// fakeListener accepts connections from addresses that it receives.
type fakeListener struct {
	net.Listener
	from chan string
}

func (l *fakeListener) Accept() (net.Conn, error) {
	from, more := <-l.from
	if !more {
		return nil, net.ErrClosed
	}
	return fakeConn{from: from}, nil
}

type fakeConn struct {
	net.Conn
	from string
}

func (c fakeConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.from))
}
func (fakeConn) Close() error { return nil }
