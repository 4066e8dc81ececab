package e2e

import (
	"bufio"
	"strings"
	"testing"
)

// TestHTTPWithoutReaderOfLog: a server continues when its log is no longer read.
func TestHTTPWithoutReaderOfLog(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", ownIndex(t), dir)
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	url := ""
	for lines := bufio.NewScanner(log); url == "" && lines.Scan(); {
		if _, at, ok := strings.Cut(lines.Text(), "MCP at "); ok {
			url = strings.TrimSuffix(at, "/mcp")
		}
	}
	_ = log.Close()
	client := connectHTTP(t, url, "2025-11-25", nil)
	for range 3 { // each leaves a line
		client.mustTool("retrieve_docs", map[string]any{"query": "spacer"})
	}
}
