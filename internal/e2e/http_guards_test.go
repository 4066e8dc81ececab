package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHTTPGuards: illegitimate requests are refused before anything is done, with the
// fitting status, and the server still answers others afterwards.
func TestHTTPGuards(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, "--public-url=https://kb.example.com", "--allowed-origin=https://app.example.com", ownIndex(t), dir)
	for name, c := range map[string]struct {
		header map[string]string
		body   string
		want   int
	}{
		"its own name":     {nil, beginSession, 200},
		"its public name":  {map[string]string{"Host": "kb.example.com"}, beginSession, 200},
		"a foreign name":   {map[string]string{"Host": "evil.example.com"}, beginSession, 403},
		"a page of here":   {map[string]string{"Origin": "http://localhost:6274"}, beginSession, 200},
		"an allowed page":  {map[string]string{"Origin": "https://app.example.com"}, beginSession, 200},
		"a foreign page":   {map[string]string{"Origin": "http://evil.example.com"}, beginSession, 403},
		"a page of nobody": {map[string]string{"Origin": "null"}, beginSession, 403},
		"a hidden page":    {map[string]string{"Sec-Fetch-Site": "cross-site"}, beginSession, 403},
		"huge headers":     {map[string]string{"X-Filler": strings.Repeat("x", 200_000)}, beginSession, 431},
		"a form":           {map[string]string{"Content-Type": "text/plain"}, beginSession, 415},
		"no JSON":          {nil, "{", 400},
		"nothing":          {nil, "", 400},
		"made up session":  {map[string]string{"Mcp-Session-Id": "AAAA"}, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 404},
		"unknown version":  {map[string]string{"Mcp-Protocol-Version": "1999-01-01"}, beginSession, 400},
		"100 MB":           {nil, strings.Repeat(" ", 100<<20), 413},
	} {
		r, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := tryDo(r, c.header)
		if err != nil && c.want == 413 { // the server closes the connection before it has read everything
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.want)
		}
		if origin := answer.Header.Get("Access-Control-Allow-Origin"); origin != "" && origin != c.header["Origin"] {
			t.Errorf("%s: pages of %s may see it", name, origin)
		}
	}
	if got := connectHTTP(t, s.url, "2026-07-28", nil).mustTool("list_docs", map[string]any{}); !strings.Contains(got, "2 documents") {
		t.Error(got)
	}
}

func tryDo(r *http.Request, header map[string]string) (*http.Response, error) {
	for name, value := range header {
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err == nil {
		err = answer.Body.Close()
	}
	return answer, err
}

// TestStatusHTTP checks that status --http, as in a container, reports whether the server at an
// address answers.
func TestStatusHTTP(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := startHTTP(t, vademecum(t, "serve", "--http=0.0.0.0:0", "--insecure-no-auth", ownIndex(t), dir))
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"0.0.0.0:" + port, "127.0.0.1:" + port, ":" + port, "http://localhost:" + port} {
		if said, err := vademecum(t, "status", "--http", at).CombinedOutput(); err != nil || string(said) != "ok\n" {
			t.Errorf("status --http %s: %v: %s", at, err, said)
		}
	}
	s.cmd.Process.Kill()
	s.cmd.Wait()
	if said, err := vademecum(t, "status", "--http", "127.0.0.1:"+port).CombinedOutput(); err == nil {
		t.Errorf("a server that is gone: %s", said)
	}
}

// TestHTTPRaw checks bytes that are not an HTTP request, and paths that the server does not have.
func TestHTTPRaw(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	const head = "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	for request, want := range map[string]string{
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                                          "200",
		"GET //mcp HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                                             "404",
		"GET /mcp/../mcp HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                                       "404",
		"GET /%6dcp/x HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                                          "404",
		"GET /mcp// HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                                            "404",
		"GET http://evil.example.com/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                   "403",
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example.com\r\n\r\n":                                                "400",
		"GET /healthz HTTP/1.1\r\n\r\n":                                                                                             "400",
		"CONNECT evil.example.com:443 HTTP/1.1\r\nHost: evil.example.com:443\r\n\r\n":                                               "403",
		"PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n":                                                         "405",
		"POST /mcp HTTP/1.1\r\n" + head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n": "400",
		"POST /mcp HTTP/1.1\r\n" + head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}\r\n\r\n":                                "400",
		"POST /mcp HTTP/1.1\r\n" + head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n":                                            "501",
		"POST /mcp HTTP/1.1\r\n" + head + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n":                                            "400",
		"POST /mcp HTTP/1.1\r\n" + head + "Mcp-Session-Id: \x01\r\nContent-Length: 0\r\n\r\n":                                       "400",
		"nonsense\r\n\r\n": "400",
	} {
		if got := rawRequest(t, s.url, request); got != want {
			t.Errorf("%.80q: %s, want %s", request, got, want)
		}
	}
}

// rawRequest sends bytes and returns the status of the first answer.
func rawRequest(t *testing.T, url, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(longestWait)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	_, status, _ := strings.Cut(line, " ")
	status, _, _ = strings.Cut(status, " ")
	return status
}

// TestHTTPSessionsAreFew checks that the number of sessions is limited over all protocol versions,
// and that a slot is free again when one ends.
func TestHTTPSessionsAreFew(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, "--max-sessions=2", ownIndex(t), dir)
	first, _ := connectHTTP(t, s.url, "2025-11-25", nil), connectHTTP(t, s.url, "2024-11-05", nil)
	for _, protocol := range overHTTP[:4] {
		if _, err := tryHTTP(t, s.url, protocol, nil); err == nil {
			t.Errorf("a third session is opened by %s", protocol)
		}
	}
	connectHTTP(t, s.url, "2026-07-28", nil) // this version has no sessions
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	await(t, "a place for another session", func() bool {
		_, err := tryHTTP(t, s.url, "2025-06-18", nil)
		return err == nil
	})
}

// TestHTTPPages: a web page that may use the server gets the CORS headers before it
// authenticates.
func TestHTTPPages(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	r, err := http.NewRequest(http.MethodOptions, s.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tryDo(r, map[string]string{"Origin": "http://localhost:6274", "Access-Control-Request-Method": "POST"})
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusNoContent || answer.Header.Get("Access-Control-Allow-Origin") != "http://localhost:6274" ||
		!strings.Contains(answer.Header.Get("Access-Control-Allow-Headers"), "Mcp-Session-Id") || !strings.Contains(answer.Header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
		t.Errorf("%s %v", answer.Status, answer.Header)
	}
}

// TestHTTPVanishes: clients that go away in the middle of everything cost nothing.
func TestHTTPVanishes(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	last := connectHTTP(t, s.url, "2025-11-25", nil)
	last.mustTool("list_docs", map[string]any{})
	before, err := usageOf(s.cmd.Process.Pid)
	if err != nil {
		t.Skip("this system does not tell what a process holds")
	}
	for i := range 60 {
		func() {
			through := &http.Client{Transport: &http.Transport{}}
			defer through.CloseIdleConnections()
			c, err := tryHTTP(t, s.url, overHTTP[i%len(overHTTP)], through)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "file://" + file}); err != nil {
				t.Error(err)
			}
			_ = c.Close()
		}()
		writeText(t, file, fmt.Sprintf("# Edit %d\n\nOf a note that others follow.\n", i))
	}
	await(t, "all that was held given back", func() bool {
		now, err := usageOf(s.cmd.Process.Pid)
		return err == nil && now.handles <= before.handles+4 && now.isWithin(before)
	})
}
