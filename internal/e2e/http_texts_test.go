package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// given is a text whose words occur in no document.
const given = "---\ntags: [brass]\nstatus: polished\n---\n# Xylophone\n\nThe inhaler lies on the xylophone.\n"

var uriOfText = regexp.MustCompile(`vademecum:text/[0-9a-f]+`)

// TestHTTPTextsOfOthers: a text is found by the session that added it; for all others,
// whatever they guess, the server answers exactly like one without it.
func TestHTTPTextsOfOthers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	open := filepath.Join(root, "open")
	writeText(t, filepath.Join(open, "asthma.md"), "---\ntags: [lungs]\n---\n# Asthma\n\nA spacer helps children with their inhaler.\n")
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--rate-limit=100000", "--tokens", tokens, ownIndex(t), open)
	never := serveHTTP(t, "--rate-limit=100000", "--tokens", tokens, ownIndex(t), open)
	connectHTTP(t, never.url, "2025-11-25", as(bob)).waitIndexed() // otherwise completions may not know its tags yet
	for _, protocol := range overHTTP {
		t.Run(protocol, func(t *testing.T) {
			c := connectHTTP(t, s.url, protocol, as(alice))
			if got := c.mustTool("index_docs", map[string]any{"docs": []string{given}}); !strings.HasPrefix(got, "Indexed 1 document; 2 in total.") {
				t.Fatal(got)
			}
			uri := c.checkGiven()
			others := []string{bob, alice}
			if protocol >= "2026-07-28" { // without sessions texts belong to the user
				connectHTTP(t, s.url, protocol, as(alice)).checkGiven()
				others = others[:1]
			}
			for _, token := range others {
				here, there := connectHTTP(t, s.url, protocol, as(token)), connectHTTP(t, never.url, protocol, as(token))
				for name, ask := range guessesOfText(root, uri) {
					if got, want := answerTo(here, ask), answerTo(there, ask); got != want {
						t.Errorf("%s: %s\nwhere there is no text: %s", name, got, want)
					}
				}
			}
		})
	}
}

// checkGiven checks that the text is found by all tools, and returns its URI.
func (c *webClient) checkGiven() (uri string) {
	c.t.Helper()
	found := c.mustTool("retrieve_docs", map[string]any{"query": "xylophone"})
	if uri = uriOfText.FindString(found); uri == "" || strings.Contains(found, "Not found anywhere in") {
		c.t.Fatalf("the text is not found: %s", found)
	}
	if both := c.mustTool("retrieve_docs", map[string]any{"query": "inhaler"}); !strings.Contains(both, uri) || !strings.Contains(both, "asthma.md") {
		c.t.Errorf("beside the documents: %s", both)
	}
	for tool, arguments := range map[string]map[string]any{
		"read_doc": {"uri": uri}, "list_docs": {"tags": []string{"brass"}},
	} {
		if got := c.mustTool(tool, arguments); !strings.Contains(got, "Xylophone") {
			c.t.Errorf("%s: %s", tool, got)
		}
	}
	if read, err := c.ReadResource(c.t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil || !strings.Contains(read.Contents[0].Text, "xylophone") {
		c.t.Errorf("resources/read: %v", err)
	}
	if listed, err := c.ListResources(c.t.Context(), nil); err != nil || len(listed.Resources) != 2 {
		c.t.Errorf("resources/list: %v", err)
	}
	if got := c.completed("where", "status="); got != "status=polished" {
		c.t.Errorf("completion: %s", got)
	}
	return uri
}

// completed returns the completions for an argument.
func (c *webClient) completed(name, typed string) string {
	c.t.Helper()
	r, err := c.Complete(c.t.Context(), &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
		Argument: mcp.CompleteParamsArgument{Name: name, Value: typed},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Join(r.Completion.Values, " ")
}

// guessesOfText returns requests that try to read a text of another session.
func guessesOfText(root, uri string) map[string]func(c *webClient) (any, error) {
	all := guesses(root)
	for tool, arguments := range map[string][]map[string]any{
		"retrieve_docs": {{"query": "xylophone"}, {"query": "xylophne"}, {"query": "inhaler"}, {"query": "lies", "tags": []string{"brass"}}, {"query": "inhaler", "path": uri}, {"query": "inhaler", "path": "vademecum:*"}, {"query": "inhaler", "where": []string{"status=polished"}}},
		"read_doc":      {{"uri": uri}, {"path": uri}, {"path": "Xylophone"}, {"uri": uri + "#line=0,1"}},
		"list_docs":     {{}, {"tag_counts": true}, {"tags": []string{"brass"}}, {"cursor": uri}, {"path": uri}},
	} {
		for _, a := range arguments {
			said, _ := json.Marshal(a)
			all[tool+" "+string(said)] = func(c *webClient) (any, error) {
				return c.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: a})
			}
		}
	}
	all["resources/read "+uri] = func(c *webClient) (any, error) {
		return c.ReadResource(c.t.Context(), &mcp.ReadResourceParams{URI: uri})
	}
	all["resources/subscribe "+uri] = func(c *webClient) (any, error) {
		if c.InitializeResult().ProtocolVersion >= "2026-07-28" {
			return nil, nil
		}
		return nil, c.Subscribe(c.t.Context(), &mcp.SubscribeParams{URI: uri})
	}
	return all
}

// TestHTTPTextsEnd checks that the texts of a session are removed with it. With -full they are as large
// as a session may give, so that their space must be free again: TestTextRoom and TestLimitsOfTexts have
// such limits without a minute's work.
func TestHTTPTextsEnd(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	text := func(n, size int) map[string]any {
		return map[string]any{"docs": []string{fmt.Sprintf("Text %d is about a xylophone", n) + strings.Repeat(" ", size) + "and a triangle.\n"}}
	}
	size := 1
	if *inFull {
		size = 15 << 20
	}
	one := connectHTTP(t, s.url, "2025-11-25", nil)
	for n := range 4 {
		if got := one.mustTool("index_docs", text(n, size)); !strings.HasPrefix(got, "Indexed 1 document; ") {
			t.Fatal(got)
		}
	}
	if got := one.mustTool("retrieve_docs", map[string]any{"query": "xylophone"}); !strings.Contains(got, "vademecum:text") {
		t.Error(got)
	}
	if *inFull {
		if got := one.mustTool("index_docs", text(5, size)); !strings.Contains(got, "at most 64.0 MB") {
			t.Errorf("a fifth text: %s", got)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	next := connectHTTP(t, s.url, "2025-11-25", nil)
	if got := next.mustTool("retrieve_docs", map[string]any{"query": "xylophone"}); strings.Contains(got, "vademecum:text") {
		t.Error(got)
	}
}

// TestHTTPTextsOfNobody: on a server for other machines without authentication, texts
// belong to sessions, and a request outside of a session is refused with that reason.
func TestHTTPTextsOfNobody(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, "--insecure-no-auth", "--public-url", "http://kb.example.com", ownIndex(t), dir)
	texts := map[string]any{"docs": []string{given}}
	if got := connectHTTP(t, s.url, "2026-07-28", nil).mustTool("index_docs", texts); !strings.Contains(got, "texts belong to the session that gives them") {
		t.Error(got)
	}
	connectHTTP(t, s.url, "2025-11-25", nil).mustTool("index_docs", texts)
	if got := connectHTTP(t, s.url, "2026-07-28", nil).mustTool("retrieve_docs", map[string]any{"query": "xylophone"}); strings.Contains(got, "vademecum:text") {
		t.Error(got)
	}
}
