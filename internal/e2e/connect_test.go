package e2e

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// bridged is a client that reaches a server over HTTP through vademecum connect.
type bridged struct {
	*webClient
	stderr *bytes.Buffer
}

// tryBridge starts a bridge, with a token or without, and connects through it.
func tryBridge(t *testing.T, protocol, token string, args ...string) (bridged, error) {
	t.Helper()
	b := bridged{stderr: new(bytes.Buffer)}
	cmd := vademecum(t, append([]string{"connect"}, args...)...)
	cmd.Env = append(cmd.Environ(), "VADEMECUM_TOKEN="+token)
	cmd.Stderr = b.stderr
	var err error
	b.webClient, err = connectBy(t, &mcp.CommandTransport{Command: cmd}, protocol, nil)
	return b, err
}

func connectBridge(t *testing.T, protocol, token string, args ...string) bridged {
	t.Helper()
	b, err := tryBridge(t, protocol, token, args...)
	if err != nil {
		t.Fatalf("%s: %v", protocol, err)
	}
	return b
}

// TestConnect checks that a host that supports only pipes gets everything that a server over HTTP
// offers, in all versions of the protocol.
func TestConnect(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	for _, protocol := range overHTTP {
		c := connectBridge(t, protocol, token, s.url+"/mcp")
		if got := c.InitializeResult().ProtocolVersion; got != protocol {
			t.Errorf("%s: the server speaks %s", protocol, got)
		}
		useHTTP(t, c.webClient, file)
		c.indexUntilProgress(protocol)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "list_docs"}); err == nil {
			t.Errorf("%s: a cancelled call has a result", protocol)
		}
		c.mustTool("list_docs", map[string]any{})
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
		if said := c.stderr.String(); said != "" {
			t.Errorf("%s: it says %s", protocol, said)
		}
	}
}

// TestConnectRestart: a server is killed and started again while clients ask through
// bridges. None of them sees a failure, and their subscriptions continue.
func TestConnectRestart(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	index := ownIndex(t)
	s := serveHTTP(t, index, dir)
	var group sync.WaitGroup
	asking, stop := context.WithCancel(t.Context())
	defer stop()
	var clients []bridged
	for _, protocol := range overHTTP {
		c := connectBridge(t, protocol, "", s.url+"/mcp")
		clients = append(clients, c)
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(file)}); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for n := 0; asking.Err() == nil; n++ {
				if got, err := c.tool("retrieve_docs", map[string]any{"query": "spacer"}); err != nil || !strings.Contains(got, "asthma.md") {
					t.Errorf("%s, question %d: %v %s", protocol, n, err, got)
					return
				}
			}
		})
	}
	for range 3 {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s = startHTTP(t, vademecum(t, "serve", "--http", strings.TrimPrefix(s.url, "http://"), index, dir))
		for i, c := range clients {
			if got := c.mustTool("list_docs", map[string]any{}); !strings.Contains(got, "2 documents") {
				t.Errorf("%s: after a new start %s", overHTTP[i], got)
			}
		}
	}
	stop()
	group.Wait()
	for i, c := range clients {
		t.Logf("%s is told that it may have changed while the server was away", overHTTP[i])
		c.waitUpdated(docs.FileURI(file))
		for len(c.updated) > 0 {
			<-c.updated
		}
	}
	writeText(t, file, "# 高血压患者的饮食\n\n每人每天的食盐总量应少于6克。\n")
	for i, c := range clients {
		t.Logf("%s is told that it has changed", overHTTP[i])
		c.waitUpdated(docs.FileURI(file))
	}
}

// TestConnectSignIn: a client without a token, or with a wrong one, learns so from the
// answer and from stderr, and the token appears nowhere.
func TestConnectSignIn(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	for token, want := range map[string]string{"": "VADEMECUM_TOKEN is not set", "vdm_wrong": "401 Unauthorized"} {
		c, err := tryBridge(t, "2025-11-25", token, s.url+"/mcp")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "refuses the sign-in") {
			t.Errorf("with the token %q: %v", token, err)
		}
		if said := c.stderr.String(); !strings.Contains(said, want) || token != "" && strings.Contains(said, token) {
			t.Errorf("with the token %q it says %s", token, said)
		}
	}
}

// TestConnectAuthority: a certificate that no public authority has signed is trusted if
// the user names it.
func TestConnectAuthority(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	writeCertificate(t, cert, key, 1)
	s := serveHTTP(t, "--tls-cert", cert, "--tls-key", key, ownIndex(t), dir)
	url := strings.Replace(s.url, "127.0.0.1", "localhost", 1) + "/mcp"
	if _, err := tryBridge(t, "2025-11-25", "", url); err == nil || !strings.Contains(err.Error(), "the certificate of the server is not trusted") {
		t.Errorf("without the authority: %v", err)
	}
	connectBridge(t, "2025-11-25", "", url, "--ca-file", cert).mustTool("list_docs", map[string]any{})
}

// indexUntilProgress indexes ever more texts, until a call takes so long that it reports progress.
func (c *webClient) indexUntilProgress(about string) {
	c.t.Helper()
	for from, n := 0, 2; n <= 128; from, n = from+n, 2*n {
		r, err := c.CallTool(c.t.Context(), &mcp.CallToolParams{
			Name: "index_docs", Arguments: map[string]any{"docs": longTexts(about, from, n)}, Meta: mcp.Meta{"progressToken": "p"},
		})
		if err != nil || r.IsError {
			c.t.Fatalf("%s: index_docs: %v, %+v", about, err, r)
		}
		if len(c.progress) > 0 {
			return
		}
	}
	c.t.Errorf("%s: no progress was reported", about)
}

// longTexts returns n texts that take a while to index, numbered from a given number.
func longTexts(about string, from, n int) (texts []any) {
	for i := range n {
		var text strings.Builder
		for j := range 5000 {
			fmt.Fprintf(&text, "word%d of %s, ", (from+i)*5000+j, about)
		}
		texts = append(texts, text.String())
	}
	return texts
}
