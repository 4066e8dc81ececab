package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestListComesInPages: each document is on one of them.
func TestListComesInPages(t *testing.T) {
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	const texts = resourcePage + 100
	var given []string
	for i := range texts {
		given = append(given, fmt.Sprintf("Text %d of many.", i))
	}
	arguments, err := json.Marshal(map[string]any{"docs": given})
	if err != nil {
		t.Fatal(err)
	}
	c.call("index_docs", string(arguments))
	seen, pages := make(map[string]bool), 0
	for cursor, more := "", true; more; pages++ {
		page, err := c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Resources {
			if seen[r.URI] {
				t.Errorf("%s is listed twice", r.URI)
			}
			seen[r.URI] = true
		}
		cursor, more = page.NextCursor, page.NextCursor != ""
	}
	if want := texts + len(three); len(seen) != want || pages != 2 {
		t.Errorf("%d resources on %d pages, want %d on 2", len(seen), pages, want)
	}
	_, err = c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: "*"})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("of a cursor that is none: %v", err)
	}
}
