package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// TestBounds checks that what a session keeps of the URIs that its client sends is limited.
func TestBounds(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connect(t, serve(t, dir, Options{}), "test")
	long := docs.FileURI(dir) + "/" + strings.Repeat("a", maxURI)
	fine := docs.FileURI(dir) + "/" + strings.Repeat("a", maxURI/2)
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: long}); err == nil || !strings.Contains(err.Error(), "at most 16384 bytes") {
		t.Errorf("a long URI: %v", err)
	}
	for uri, want := range map[string]bool{long: false, fine: true} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); (err == nil) != want {
			t.Errorf("to follow %d bytes: %v", len(uri), err)
		}
		if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); (err == nil) != want {
			t.Errorf("to follow %d bytes no longer: %v", len(uri), err)
		}
	}
	if testing.Short() {
		return // a session that follows many does so one after the other
	}
	for i := range maxFollows + 1 {
		err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: fmt.Sprintf("%s/%d", docs.FileURI(dir), i)})
		if (err == nil) != (i < maxFollows) {
			t.Fatalf("subscription %d: %v", i, err)
		}
	}
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: docs.FileURI(dir) + "/7"}); err != nil {
		t.Errorf("what is followed already: %v", err)
	}
}

// TestManyConditions checks that a result does not grow with the number of conditions in a filter.
func TestManyConditions(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for tool, named := range map[string][]string{"retrieve_docs": {"tags", "where"}, "list_docs": {"tags", "where"}, "index_docs": {"paths"}} {
		for _, name := range named {
			many := strings.TrimSuffix(strings.Repeat(`"a=b",`, 2000), ",")
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(`{"query":"x","` + name + `":[` + many + `]}`)})
			if err != nil || !r.IsError || len(r.Content[0].(*mcp.TextContent).Text) > 200 {
				t.Errorf("%s with many %s: %+v, %v", tool, name, r, err)
			}
		}
	}
}

// TestNothingToComplete checks that an empty list of completions is sent as a list, as clients
// refuse null.
func TestNothingToComplete(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	for _, name := range []string{"path", "uri", "tags", "where", "other"} {
		r, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
			Argument: mcp.CompleteParamsArgument{Name: name, Value: "zzzz"},
		})
		if err != nil || r.Completion.Values == nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
