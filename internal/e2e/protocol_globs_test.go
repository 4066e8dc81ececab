package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// costlyGlobs returns patterns that would take a backtracking matcher practically for ever.
func costlyGlobs() []string {
	return []string{
		strings.Repeat("{**/,}", 25) + "zz",
		strings.Repeat("{a,", 2000),
		strings.Repeat("{a,", 2000) + strings.Repeat("}", 2000),
		strings.Repeat("{a,", 240) + strings.Repeat("}", 240),
		strings.Repeat("**/*a*/", 100) + "zz",
	}
}

// TestCostlyGlobs: whatever pattern is sent to the server that indexes or to one
// that follows, that call and the next are answered, also by a server that is
// started later.
func TestCostlyGlobs(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), indexFile(t)
	deep := filepath.Join(dir, filepath.FromSlash(strings.Repeat("a/", 20)))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "top.md"), filepath.Join(deep, "deep.md")} {
		if err := os.WriteFile(name, []byte("warfarin and sodium"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	serve := func() *client { return connect(t, vademecum(t, "serve", dir, "--index", file)) }
	leader, follower := serve(), serve()
	for _, s := range []*client{leader, follower} {
		for _, glob := range costlyGlobs() {
			for tool, arguments := range map[string]string{"retrieve_docs": `{"query":"warfarin","path":%q}`, "list_docs": `{"path":%q}`, "index_docs": `{"paths":[%q]}`} {
				if _, err := s.tool(tool, fmt.Sprintf(arguments, glob)); err != nil && strings.Contains(err.Error(), "no answer in") {
					t.Fatalf("%.40s: %v", glob, err)
				}
			}
			if f, err := s.retrieve("warfarin"); err != nil || !f.holds("warfarin") {
				t.Fatalf("after %.40s: %v, %v", glob, f, err)
			}
		}
	}
	leader.kill()
	follower.kill()
	if f, err := serve().retrieve("warfarin"); err != nil || !f.holds("warfarin") {
		t.Errorf("a server started later: %v, %v", f, err)
	}
}

// TestNamesLikeGlobs: a file whose name is an invalid pattern is found by it; a name
// without a file is refused with a hint.
func TestNamesLikeGlobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a [draft.md", "[x].md", "{a/b}.md", "plain.md"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("warfarin in "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, vademecum(t, "serve", dir, "--index", indexFile(t)))
	for glob, name := range map[string]string{"a [draft.md": "a [draft.md", "[x].md": "[x].md", "{a": "{a/b}.md", "{a/b}.md": "{a/b}.md", "b}.md": "{a/b}.md", "a [[]*": "a [draft.md"} {
		for tool, arguments := range map[string]string{"retrieve_docs": `{"query":"warfarin","path":%q}`, "list_docs": `{"path":%q}`, "read_doc": `{"path":%q}`, "index_docs": `{"paths":[%q]}`} {
			if glob != name && tool == "read_doc" || glob == "b}.md" && tool == "index_docs" {
				continue // they take a path from the top
			}
			blocks, err := s.tool(tool, fmt.Sprintf(arguments, glob))
			if err != nil {
				t.Errorf("%s of %s: %v", tool, glob, err)
				continue
			}
			said, _ := json.Marshal(blocks)
			if tool != "index_docs" && (!strings.Contains(string(said), name) || strings.Contains(string(said), "plain.md")) {
				t.Errorf("%s of %s: %s", tool, glob, said)
			}
		}
	}
	for tool, arguments := range map[string]string{"retrieve_docs": `{"query":"warfarin","path":%q}`, "list_docs": `{"path":%q}`, "index_docs": `{"paths":["plain.md",%q]}`} {
		if _, err := s.tool(tool, fmt.Sprintf(arguments, "draft [z")); err == nil || !strings.Contains(err.Error(), "not a valid glob, and nothing has that path") {
			t.Errorf("%s of what nothing is called: %v", tool, err)
		}
	}
}
