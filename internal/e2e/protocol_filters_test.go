package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFiltersOverStdio queries a server by the metadata of notes: one that reads them,
// one that follows it, and one that finds all in the snapshot and the index.
func TestFiltersOverStdio(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), indexFile(t)
	for name, note := range map[string]string{
		"Kyoto.md": "---\ntags: [Japan/Kyoto]\ndate: 2023-09-12\nstatus: draft\naliases: 京都\n---\n# Kyoto\n\nTemples by day.\n",
		"Ramen.md": "Temples of soup, see [[京都|the trip]]. #food/noodles\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	serve := func() *client { return connect(t, vademecum(t, "serve", dir, "--index", file)) }
	check := func(who string, s *client) {
		t.Helper()
		for _, ask := range []struct{ tool, arguments, want, not string }{
			{"retrieve_docs", `{"query":"temples","tags":["japan"],"after":"2023","before":"2023-09","where":["status=draft"]}`, "[1] Kyoto.md, lines 1-9 (2023-09-12 #Japan/Kyoto)\n", "[2]"},
			{"retrieve_docs", `{"query":"temples","where":{"status":"done"}}`, "No document has status=done in its front matter; there are: draft (1).", "[1]"},
			{"list_docs", `{"tags":"#food"}`, "1 document\n- Ramen.md", "Kyoto.md"},
			{"list_docs", `{"tag_counts":true}`, "4 tags\n- #Japan: 1\n- #Japan/Kyoto: 1\n- #food: 1\n- #food/noodles: 1", "status"},
			{"read_doc", `{"path":"[[京都]]"}`, "Kyoto.md, lines 1-9\n", "soup"},
		} {
			blocks, err := s.tool(ask.tool, ask.arguments)
			var text strings.Builder
			for _, b := range blocks {
				text.WriteString(b.Text + "\n")
			}
			if got := text.String(); err != nil || !strings.Contains(got, ask.want) || strings.Contains(got, ask.not) {
				t.Errorf("%s, %s %s: %v\n%s\nwant %s and no %q", who, ask.tool, ask.arguments, err, got, ask.want, ask.not)
			}
		}
	}
	leader := serve()
	check("who reads", leader)
	check("who follows", serve())
	leader.kill()
	check("who starts again", serve())
}
