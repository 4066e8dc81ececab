package e2e

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// TestHTTPPathsOfSeveralFolders: a document has one path on a server of several folders, in all
// answers and requests, for users who see one folder, for those who see all, and when that
// changes.
func TestHTTPPathsOfSeveralFolders(t *testing.T) {
	t.Parallel()
	namesAlike(t, func(folders []string, flags ...string) *httpServer {
		for range folders {
			flags = append(flags, ownIndex(t))
		}
		return serveHTTP(t, append(flags, folders...)...)
	})
}

// TestDatabasePathsOfSeveralLibraries checks the same for libraries in a database.
func TestDatabasePathsOfSeveralLibraries(t *testing.T) {
	t.Parallel()
	namesAlike(t, func(folders []string, flags ...string) *httpServer {
		d := newDatabase(t)
		c := vademecum(t, append(append([]string{"serve", "--http=127.0.0.1:0"}, flags...), folders...)...)
		c.Env = append(c.Env, d.env())
		return startHTTP(t, c)
	})
}

// namesAlike checks this for servers of some folders, which serve starts.
func namesAlike(t *testing.T, serve func(folders []string, flags ...string) *httpServer) {
	t.Helper()
	root, rights, tokens := t.TempDir(), filepath.Join(t.TempDir(), "rights"), filepath.Join(t.TempDir(), "tokens")
	notes, team := filepath.Join(root, "notes"), filepath.Join(root, "team")
	writeText(t, filepath.Join(notes, "a.md"), "# Asthma\n\nA spacer helps children.\n")
	writeText(t, filepath.Join(notes, "sub", "b.md"), "# Bees\n\nA sting swells, see [[a]].\n")
	writeText(t, filepath.Join(team, "notes", "a.md"), "# Agenda\n\nThe spacer bar is broken.\n")
	alice, bob, carol := newToken(t, tokens, "alice"), newToken(t, tokens, "bob"), newToken(t, tokens, "carol")
	writeText(t, rights, "alice,bob="+notes+"\nalice,carol="+team+"\n")
	s := serve([]string{notes, team}, "--rate-limit=100000", "--tokens", tokens, "--allow-file", rights)
	protocols := []string{"2025-11-25", "2026-07-28"}
	for _, protocol := range protocols {
		for who, token := range map[string]string{"alice": alice, "bob": bob} {
			seesByName(t, who+", "+protocol, connectHTTP(t, s.url, protocol, as(token)))
		}
		seesNoOther(t, protocol, connectHTTP(t, s.url, protocol, as(carol)))
	}
	v := visit(t, s)
	v.signIn(bob)
	linksByName(t, v)

	writeText(t, rights, "alice,bob="+notes+"\nalice,carol,bob="+team+"\n")
	for _, protocol := range protocols {
		seesByName(t, "bob, who sees both now, "+protocol, connectHTTP(t, s.url, protocol, as(bob)))
	}
	linksByName(t, v)
}

// seesByName checks a user who sees the folder notes, and possibly others.
func seesByName(t *testing.T, who string, c *webClient) {
	t.Helper()
	c.waitIndexed()
	for _, ask := range []struct {
		tool, argument, value, want string
	}{
		{"retrieve_docs", "query", "spacer children", "notes/a.md, lines 1-3"},
		{"list_docs", "path", "", "- notes/a.md — "},
		{"list_docs", "path", "notes/a.md", "- notes/a.md — "},
		{"list_docs", "path", "notes", "- notes/sub/b.md — "},
		{"list_docs", "path", "notes/**/b*", "- notes/sub/b.md — "},
		{"list_docs", "path", "sub/*", "- notes/sub/b.md — "},
		{"list_docs", "path", "b.md", "- notes/sub/b.md — "},
		{"read_doc", "path", "notes/a.md", "notes/a.md, lines 1-3\n"},
		{"read_doc", "path", "notes/a.md, lines 1-3", "notes/a.md, lines 1-3\n"},
		{"read_doc", "path", "notes/a.md", "Linked from: notes/sub/b.md"},
		{"find_in_docs", "text", "a Spacer helps", "\n[1] notes/a.md, 1 place: file://"},
		{"check_quotes", "quotes", `[{"text": "a spacer helps", "path": "notes/a.md"}]`, "\n[1] exact: notes/a.md, line 3: file://"},
		{"read_doc", "path", "b.md", "notes/sub/b.md, lines 1-3\n"},
		{"read_doc", "path", "[[sub/b]]", "notes/sub/b.md, lines 1-3\n"},
	} {
		arguments := map[string]any{ask.argument: ask.value}
		if got := c.mustTool(ask.tool, arguments); !strings.Contains("\n"+got, ask.want) {
			t.Errorf("%s: %s %v: %s\nwant %q", who, ask.tool, arguments, got, ask.want)
		}
	}
	for _, path := range []string{"sub/b.md", "sub/b"} { // a path that could be one in a folder called sub
		got := c.mustTool("read_doc", map[string]any{"path": path})
		if want := "no such document: " + path + " (did you mean notes/sub/b.md?)"; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s: %s\nwant %s", who, path, got, want)
		}
	}
	all, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range all.Resources {
		names = append(names, r.Name)
	}
	if said := strings.Join(names, " "); !strings.HasPrefix(said, "notes/a.md notes/sub/b.md") {
		t.Errorf("%s: the resources are called %s", who, said)
	}
	offers, err := c.Complete(t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
		Argument: mcp.CompleteParamsArgument{Name: "path", Value: "notes/"},
	})
	if err != nil || !strings.HasPrefix(strings.Join(offers.Completion.Values, " "), "notes/a.md notes/sub/b.md") {
		t.Errorf("%s: offered are %v, %v", who, offers, err)
	}
}

// seesNoOther checks that for a user who sees only the folder team a path in the other folder does
// not exist, even though team has a document with that path.
func seesNoOther(t *testing.T, who string, c *webClient) {
	t.Helper()
	c.waitIndexed()
	got := c.mustTool("read_doc", map[string]any{"path": "notes/a.md"})
	if want := "no such document: notes/a.md (did you mean team/notes/a.md?)"; !strings.HasPrefix(got, want) {
		t.Errorf("%s: %s\nwant %s", who, got, want)
	}
	if got := c.mustTool("find_in_docs", map[string]any{"text": "spacer"}); !strings.HasPrefix(got, "1 place in 1 document\n[1] team/notes/a.md, ") {
		t.Errorf("%s: found is %s", who, got)
	}
	if got := c.mustTool("list_docs", map[string]any{"path": "notes/a.md"}); strings.Contains(got, "team/") && !strings.Contains(got, "No document has the path notes/a.md; taken for team/notes/a.md.") {
		t.Errorf("%s: another document has the path: %s", who, got)
	}
	if got := c.mustTool("read_doc", map[string]any{"path": "a.md"}); !strings.HasPrefix(got, "team/notes/a.md, lines 1-3\n") {
		t.Errorf("%s: the one that is called so is %s", who, got)
	}
}

// linksByName checks the page of a user who sees the folder notes.
func linksByName(t *testing.T, v *visitor) {
	t.Helper()
	await(t, "the folders are indexed", func() bool { return strings.Contains(v.page("/library/state"), "Up to date.") })
	at := "path=" + url.QueryEscape("notes/a.md")
	if page := v.page("/search?q=spacer+children"); !strings.Contains(strings.ReplaceAll(page, "%2f", "%2F"), at) {
		t.Errorf("no link to %s in\n%s", at, page)
	}
	if page := v.page("/doc?" + at); !strings.Contains(page, "A spacer helps children.") {
		t.Errorf("what the link leads to:\n%s", page)
	}
	if page := v.page("/library/documents"); !strings.Contains(page, "notes/sub/b.md") {
		t.Errorf("the library has\n%s", page)
	}
}

// TestHTTPSubscriptionsOutliveRights: a user who sees more folders and subscribes again
// is notified of the same document.
func TestHTTPSubscriptionsOutliveRights(t *testing.T) {
	t.Parallel()
	root, rights, tokens := t.TempDir(), filepath.Join(t.TempDir(), "rights"), filepath.Join(t.TempDir(), "tokens")
	notes, team := filepath.Join(root, "notes"), filepath.Join(root, "team")
	file := filepath.Join(notes, "a.md")
	writeText(t, file, "# A\n\nFirst.\n")
	writeText(t, filepath.Join(team, "a.md"), "# B\n\nFirst.\n")
	bob := newToken(t, tokens, "bob")
	writeText(t, rights, "bob="+notes+"\nnobody="+team+"\n")
	s := serveHTTP(t, "--tokens", tokens, "--allow-file", rights, ownIndex(t), ownIndex(t), notes, team)
	for i, line := range []string{"nobody=" + team, "bob=" + team} {
		writeText(t, rights, "bob="+notes+"\n"+line+"\n")
		c := connectHTTP(t, s.url, "2025-11-25", as(bob))
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(file)}); err != nil {
			t.Fatal(err)
		}
		writeText(t, file, "# A\n\nWith "+line+".\n")
		c.waitUpdated(docs.FileURI(file))
		if got := c.mustTool("read_doc", map[string]any{"path": "notes/a.md"}); !strings.Contains(got, "With "+line) {
			t.Errorf("%d: %s", i, got)
		}
	}
}
