package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// TestHTTPKilled: a server that is killed while clients of all versions listen is
// restarted on its port and has everything it had acknowledged. Clients continue: of the
// newest version without noticing, of the others in a new session, since the old one is
// reported as gone.
func TestHTTPKilled(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	index := ownIndex(t)
	s := serveHTTP(t, index, dir)
	before := make(map[string]*webClient)
	for i, protocol := range overHTTP {
		c := connectHTTP(t, s.url, protocol, nil)
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(file)}); err != nil {
			t.Fatal(err)
		}
		writeText(t, filepath.Join(dir, fmt.Sprintf("acknowledged%d.md", i)), fmt.Sprintf("# Note\n\nWord acknowledged%d.\n", i))
		if got := c.mustTool("index_docs", map[string]any{}); !strings.Contains(got, fmt.Sprintf("%d in total", i+3)) {
			t.Fatalf("%s: %s", protocol, got)
		}
		before[protocol] = c
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait() // the error is that it was killed
	again := startHTTP(t, vademecum(t, "serve", "--http", strings.TrimPrefix(s.url, "http://"), index, dir))

	for _, protocol := range overHTTP {
		old := before[protocol]
		_, err := old.tool("list_docs", map[string]any{})
		if stateless := protocol >= "2026-07-28"; (err == nil) != stateless {
			t.Errorf("%s: in the session of before: %v", protocol, err)
		}
		c := connectHTTP(t, again.url, protocol, nil)
		for i := range overHTTP {
			if got := c.mustTool("retrieve_docs", map[string]any{"query": fmt.Sprintf("acknowledged%d", i)}); !strings.Contains(got, fmt.Sprintf("acknowledged%d.md", i)) {
				t.Errorf("%s: acknowledged%d.md is lost: %s", protocol, i, got)
			}
		}
		useHTTP(t, c, file)
	}
}
