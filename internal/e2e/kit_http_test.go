package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpServer is a program that serves over HTTP.
type httpServer struct {
	t      testing.TB
	cmd    *exec.Cmd
	url    string // URL of the server, without a path
	stderr chan string
}

// serveHTTP starts a server at a free port.
func serveHTTP(t testing.TB, args ...string) *httpServer {
	t.Helper()
	return startHTTP(t, vademecum(t, append([]string{"serve", "--http=127.0.0.1:0"}, args...)...))
}

// startHTTP starts a command that serves over HTTP, and waits until it listens.
func startHTTP(t testing.TB, c *exec.Cmd) *httpServer {
	t.Helper()
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s := &httpServer{t: t, cmd: c, stderr: make(chan string, 10_000)}
	lines := bufio.NewScanner(pipe)
	listens := make(chan string, 1)
	go func() {
		defer close(s.stderr)
		for lines.Scan() {
			select {
			case s.stderr <- lines.Text():
			default: // nobody reads stderr, and the server must not wait for that
			}
			if _, at, ok := strings.Cut(lines.Text(), "MCP at "); ok {
				listens <- strings.TrimSuffix(at, "/mcp")
			}
		}
	}()
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	select {
	case s.url = <-listens:
	case <-time.After(longestWait):
		t.Fatal("the server does not listen")
	}
	return s
}

// log returns the server's output, after its end.
func (s *httpServer) log() string {
	var all strings.Builder
	for line := range s.stderr {
		all.WriteString(line + "\n")
	}
	return all.String()
}

// newLines returns the server's output since the last call.
func (s *httpServer) newLines() string {
	var all strings.Builder
	for {
		select {
		case line, ok := <-s.stderr:
			if !ok {
				return all.String()
			}
			all.WriteString(line + "\n")
		default:
			return all.String()
		}
	}
}

// get requests a page, and returns the response and the body.
func (s *httpServer) get(path string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, string(body)
}

// text returns the body of a path, whatever the status.
func (s *httpServer) text(path string) string {
	s.t.Helper()
	_, text := s.get(path)
	return text
}

// webClient is the Go SDK's client with the notifications it received.
type webClient struct {
	*mcp.ClientSession
	t        testing.TB
	updated  chan string
	progress chan float64
}

// connectHTTP connects to a server in one version of the protocol, the oldest over HTTP+SSE.
func connectHTTP(t testing.TB, url, protocol string, through *http.Client) *webClient {
	t.Helper()
	c, err := tryHTTP(t, url, protocol, through)
	if err != nil {
		t.Fatalf("connect with %s: %v", protocol, err)
	}
	return c
}

// connectDrawing is connectHTTP for a client that can show the page of results.
func connectDrawing(t testing.TB, url, protocol string, through *http.Client) *webClient {
	t.Helper()
	var draws mcp.ClientCapabilities
	draws.AddExtension("io.modelcontextprotocol/ui", map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}})
	c, err := connectBy(t, transportHTTP(url, protocol, through), protocol, &draws)
	if err != nil {
		t.Fatalf("connect with %s: %v", protocol, err)
	}
	return c
}

func tryHTTP(t testing.TB, url, protocol string, through *http.Client) (*webClient, error) {
	return connectBy(t, transportHTTP(url, protocol, through), protocol, nil)
}

func transportHTTP(url, protocol string, through *http.Client) mcp.Transport {
	if protocol == "2024-11-05" {
		return &mcp.SSEClientTransport{Endpoint: url + "/sse", HTTPClient: through}
	}
	return &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: through}
}

// connectBy connects over a transport; can are the client's capabilities, nil for the usual ones.
func connectBy(t testing.TB, transport mcp.Transport, protocol string, can *mcp.ClientCapabilities) (*webClient, error) {
	c := &webClient{t: t, updated: make(chan string, 1000), progress: make(chan float64, 1000)}
	sdk := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities:           can,
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { c.updated <- r.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.progress <- r.Params.Progress
		},
	})
	session, err := sdk.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return nil, err
	}
	c.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	return c, nil
}

// tool calls a tool and returns the texts of its blocks.
func (c *webClient) tool(name string, arguments map[string]any) (string, error) {
	r, err := c.CallTool(c.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return "", err
	}
	var all []string
	for _, block := range r.Content {
		switch b := block.(type) {
		case *mcp.TextContent:
			all = append(all, b.Text)
		case *mcp.EmbeddedResource:
			all = append(all, b.Resource.URI)
		}
	}
	return strings.Join(all, "\n"), nil
}

// mustTool is tool for a call that must succeed.
func (c *webClient) mustTool(name string, arguments map[string]any) string {
	c.t.Helper()
	text, err := c.tool(name, arguments)
	if err != nil {
		c.t.Fatalf("%s %v: %v", name, arguments, err)
	}
	return text
}

// waitIndexed waits until the server has indexed its folders completely.
func (c *webClient) waitIndexed() {
	c.t.Helper()
	await(c.t, "an index of all", func() bool {
		return !strings.Contains(c.mustTool("index_docs", map[string]any{}), "goes on by itself")
	})
}

// waitUpdated waits until the client is notified that a resource has changed.
func (c *webClient) waitUpdated(uri string) {
	c.t.Helper()
	deadline := time.After(longestWait)
	for {
		select {
		case got := <-c.updated:
			if got == uri {
				return
			}
		case <-deadline:
			c.t.Fatalf("no update of %s", uri)
		}
	}
}

// dialing returns a function that connects to one address, whatever address is requested.
func dialing(address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}
}

// ownIndex returns the flag for an index of the test's own.
func ownIndex(t testing.TB) string {
	t.Helper()
	return "--index=" + filepath.Join(t.TempDir(), "x.db")
}
