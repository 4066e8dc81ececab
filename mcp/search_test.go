package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index/operations"
	"vademecum/internal/app/hosts"
)

// forChatGPT are the options of a server whose documents have web pages.
var forChatGPT = Options{
	HasSearchAndFetch: hosts.ExpectsSearchAndFetch,
	WebPageURL: func(path, fragment, _ string) string {
		return "https://kb.example.com/doc?path=" + path + "&at=" + fragment
	},
}

func toolNames(t *testing.T, c *client) (names []string) {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// TestSearchAndFetchOffered checks that ChatGPT is offered the two tools besides the others,
// whatever it appends to its name and in each version of the protocol, and that other clients
// neither see them nor can call them.
func TestSearchAndFetchOffered(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, three), forChatGPT)
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, name := range []string{"openai-mcp", "openai-mcp (ChatGPT)", "openai-mcp/1.0.0"} {
			names := toolNames(t, connectWith(t, s, name, protocol))
			if !slices.Equal(names, offeredNames(true)) {
				t.Errorf("%s in %s is offered %s", name, protocol, names)
			}
		}
		for _, name := range []string{"claude-ai", "openai-agents-mcp", "codex-mcp-client"} {
			c := connectWith(t, s, name, protocol)
			if got := toolNames(t, c); !slices.Equal(got, offeredNames(false)) {
				t.Errorf("%s in %s is offered %s", name, protocol, got)
			}
			for tool, arguments := range map[string]any{"search": map[string]any{"query": "feet"}, "fetch": map[string]any{"id": "notes/sugar.md"}} {
				if r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
					t.Errorf("%s in %s calls %s: %v, %v", name, protocol, tool, r, err)
				}
			}
		}
	}
}

// TestSearchAndFetchSchemas checks the schemas that ChatGPT requires: it uses a server as a source
// of knowledge only if the parameters are exactly these.
func TestSearchAndFetchSchemas(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), forChatGPT), "openai-mcp")
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	for _, tool := range list.Tools {
		if tool.Name == "search" || tool.Name == "fetch" {
			if err := e.Encode(tool); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "search_and_fetch.json", out.String())
}

// jsonOf parses the only block of a result, and checks that the structured content is the same.
func jsonOf(t *testing.T, r *mcp.CallToolResult, into any) {
	t.Helper()
	if r.IsError || len(r.Content) != 1 {
		t.Fatalf("%d blocks: %s", len(r.Content), allText(r))
	}
	text := firstText(r)
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var one, other any
	if json.Unmarshal([]byte(text), &one) != nil || json.Unmarshal(structured, &other) != nil || fmt.Sprint(one) != fmt.Sprint(other) {
		t.Errorf("the text says %v, the structured content %v", one, other)
	}
}

// TestSearchAndFetchTranscript compares what ChatGPT is sent with a golden file.
func TestSearchAndFetchTranscript(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, forChatGPT), "openai-mcp (ChatGPT)")
	c.through(`{}`)
	var out strings.Builder
	ask := func(tool, arguments string) {
		fmt.Fprintf(&out, "== %s %s\n%s\n", tool, arguments, shown(c.call(tool, arguments)))
	}
	ask("search", `{"query": "how often to look at the feet"}`)
	ask("search", `{"query": "高血压吃多少盐", "top_k": 3}`)
	ask("search", `{"query": ""}`)
	ask("search", `{}`)
	ask("search", `{"query": "zzyzx", "cursor": "1-a"}`)
	ask("fetch", `{"id": "`+docs.FileURI(dir)+`/notes/sugar.md#L7-9"}`)
	ask("fetch", `{"id": "高 血压.txt"}`)
	ask("fetch", `{"id": "nowhere.md"}`)
	ask("fetch", `{"id": "notes/sugar.md, lines 7-9 — Sugar > Feet"}`)
	ask("fetch", `{"id": "nowhere.md, lines 7-9"}`)
	ask("fetch", `{"id": "https://kb.example.com/doc?path=notes%2Fsugar.md#L7-9"}`)
	ask("fetch", `{}`)
	golden(t, "search_and_fetch.txt", strings.ReplaceAll(out.String(), docs.FileURI(dir), "file://FOLDER"))
}

// TestFetchReadsBack checks that fetch returns the passage that search found, and that the rest of
// a long document follows in parts that hosts accept.
func TestFetchReadsBack(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Say \"aah\" <b>\\ and \t write\n", 4000)
	c := connect(t, serve(t, folder(t, map[string]string{"a.md": "# Tonsils\n\nLook into the throat.\n", "long.md": long}), forChatGPT), "openai-mcp")
	c.through(`{}`)
	var results struct{ Results []operations.SearchResult }
	jsonOf(t, c.call("search", `{"query": "look into the throat"}`), &results)
	if len(results.Results) == 0 {
		t.Fatal("nothing is found")
	}
	first := results.Results[0]
	var got operations.FetchResult
	jsonOf(t, c.call("fetch", `{"id": "`+first.ID+`"}`), &got)
	if got.ID != first.ID || !strings.Contains(got.Text, "Look into the throat.") || !strings.HasPrefix(first.Title, "a.md, line") || !strings.HasPrefix(first.URL, "https://kb.example.com/doc?path=a.md&at=") {
		t.Errorf("%+v is fetched as %+v", first, got)
	}
	var whole strings.Builder
	for id := "long.md"; id != ""; {
		arguments, err := json.Marshal(map[string]string{"id": id})
		if err != nil {
			t.Fatal(err)
		}
		r := c.call("fetch", string(arguments))
		if size := sizeOfContent(r.Content...); !resultBudget.HasRoomFor(size) {
			t.Fatalf("a part of %d characters and %d bytes", size.Characters, size.Bytes)
		}
		var part operations.FetchResult
		jsonOf(t, r, &part)
		whole.WriteString(strings.TrimSuffix(part.Text, "\n") + "\n")
		id = part.Metadata["rest"]
	}
	if whole.String() != long {
		t.Errorf("the parts make %d bytes, the document has %d", whole.Len(), len(long))
	}
}

// TestPagesOnlyOfFiles checks that texts of clients, and files without pages, cannot be shown as
// pages.
func TestPagesOnlyOfFiles(t *testing.T) {
	t.Parallel()
	paged, bare := New(previewed{}, forChatGPT), New(previewed{}, Options{})
	for _, c := range []struct {
		of        *Server
		uri, want string
	}{
		{paged, "file:///n/a.md#L2-3", "https://kb.example.com/doc?path=a.md&at=L2-3"},
		{paged, "file:///n/a.md", "https://kb.example.com/doc?path=a.md&at="},
		{paged, "vademecum:text/0a1b", ""},
		{bare, "file:///n/a.md", ""},
	} {
		if got := c.of.urlOf("a.md", c.uri, ""); got != c.want {
			t.Errorf("%s is at %q, want %q", c.uri, got, c.want)
		}
	}
}
