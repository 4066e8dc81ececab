package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// overHTTP are the versions of the protocol, the oldest over HTTP+SSE.
var overHTTP = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// httpFolder returns a folder with a document whose name needs escapes everywhere.
func httpFolder(t testing.TB) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "高血压 饮食.md")
	writeText(t, file, "# 高血压患者的饮食\n\n每人每天的食盐总量应少于5克。\n")
	writeText(t, filepath.Join(dir, "asthma.md"), "# Asthma\n\nA spacer helps children with their inhaler.\n")
	return dir, file
}

func writeText(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestHTTPVersions: clients of each version, also through a proxy on the same machine
// with another name, find, read, are notified of edits, and see progress.
func TestHTTPVersions(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	s := serveHTTP(t, "--allowed-host=kb.example.com", ownIndex(t), dir)
	proxied := behindProxy(t, s.url)
	for _, protocol := range overHTTP {
		for name, through := range map[string]*http.Client{"direct": nil, "proxy": proxied} {
			t.Run(protocol+"/"+name, func(t *testing.T) {
				to := s.url
				if through != nil {
					to = "http://kb.example.com"
				}
				c := connectHTTP(t, to, protocol, through)
				useHTTP(t, c, file)
			})
		}
	}
}

// useHTTP uses the server like a host.
func useHTTP(t *testing.T, c *webClient, file string) {
	t.Helper()
	if got := c.mustTool("retrieve_docs", map[string]any{"query": "食盐总量"}); !strings.Contains(got, "高血压 饮食.md, lines") {
		t.Errorf("found %s", got)
	}
	uri := docs.FileURI(file)
	for _, spelling := range []string{uri, strings.ToLower(uri[:len("file:")]) + mustUnescape(t, uri[len("file:"):])} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: spelling})
		if err != nil || !strings.Contains(r.Contents[0].Text, "食盐总量") {
			t.Fatalf("read %s: %v", spelling, err)
		}
	}
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	writeText(t, file, fmt.Sprintf("# 高血压患者的饮食\n\n每人每天的食盐总量应少于5克。%s\n", rand.Text()))
	c.waitUpdated(uri)
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Error(err)
	}
}

// TestHTTPProgress: a long call reports progress while it is answered.
func TestHTTPProgress(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	for _, protocol := range []string{"2024-11-05", "2025-11-25", "2026-07-28"} {
		connectHTTP(t, s.url, protocol, nil).indexUntilProgress(protocol)
	}
}

func mustUnescape(t *testing.T, path string) string {
	t.Helper()
	raw, err := url.PathUnescape(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// behindProxy returns a client for which kb.example.com is a proxy on this machine that keeps the
// host name. Without full duplex, a response that begins before the proxy has read the whole
// request would be lost in part (golang.org/issue/40747).
func behindProxy(t *testing.T, to string) *http.Client {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.CloseClientConnections)
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: &http.Transport{Proxy: nil, DialContext: dialing(at.Host)}}
}

// rawCall sends one message over HTTP and returns the answer.
func rawCall(t testing.TB, to, body string, header map[string]string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return rawDo(t, r, header)
}

func rawDo(t testing.TB, r *http.Request, header map[string]string) *http.Response {
	t.Helper()
	for name, value := range header {
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func bodyOf(t testing.TB, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const beginSession = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// openSession opens a session with single requests, and returns its ID.
func openSession(t testing.TB, to string, header map[string]string) string {
	t.Helper()
	answer := rawCall(t, to+"/mcp", beginSession, header)
	_ = bodyOf(t, answer)
	session := answer.Header.Get("Mcp-Session-Id")
	if answer.StatusCode != http.StatusOK || session == "" {
		t.Fatalf("initialize: %s", answer.Status)
	}
	return session
}

// TestHTTPResumes checks that messages sent on a broken connection are sent again on one that names
// the last event received.
func TestHTTPResumes(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	in := map[string]string{"Mcp-Session-Id": openSession(t, s.url, nil), "Mcp-Protocol-Version": "2025-11-25"}
	answer := rawCall(t, s.url+"/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`, in)
	whole := bodyOf(t, answer)
	_, after, _ := strings.Cut(whole, "id: ")
	first, _, _ := strings.Cut(after, "\n")
	in["Last-Event-ID"] = first
	again, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Header.Set("Accept", "text/event-stream")
	resumed := bodyOf(t, rawDo(t, again, in))
	if _, lost, _ := strings.Cut(whole, "event: message"); lost == "" || !strings.Contains(resumed, lost) {
		t.Errorf("after %s came %.200q, not %.200q", first, resumed, whole)
	}
}

// TestHTTPCancels: when a client of the newest version disconnects, or one of an older
// version cancels, the call is stopped: the server has nothing to finish.
func TestHTTPCancels(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	for _, protocol := range overHTTP {
		c := connectHTTP(t, s.url, protocol, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "index_docs", Arguments: map[string]any{"force": true}}); err == nil {
			t.Errorf("%s: a cancelled call has a result", protocol)
		}
		if got := c.mustTool("list_docs", map[string]any{}); !strings.Contains(got, "2 documents") {
			t.Errorf("%s: after a cancelled call %s", protocol, got)
		}
	}
}

// TestHTTPEnds: a server that is asked to end does so at once, with streams open, and is
// restarted on the same port before its clients come back.
func TestHTTPEnds(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	index := ownIndex(t)
	s := serveHTTP(t, index, dir)
	for _, protocol := range overHTTP {
		c := connectHTTP(t, s.url, protocol, nil)
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(file)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Skip("this system has no such signal")
	}
	awaitEnd(t, "the server", func() error {
		log := s.log()
		if strings.Contains(log, "level=ERROR") {
			return fmt.Errorf("it logs %s", log)
		}
		_ = s.cmd.Wait() // the exit code is that of the signal
		return nil
	})
	again := startHTTP(t, vademecum(t, "serve", "--http", strings.TrimPrefix(s.url, "http://"), index, dir))
	if got := connectHTTP(t, again.url, "2025-11-25", nil).mustTool("list_docs", map[string]any{}); !strings.Contains(got, "2 documents") {
		t.Errorf("after a new start %s", got)
	}
}
