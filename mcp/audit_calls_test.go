package mcp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestObserve: each call is counted with what became of it.
func TestObserve(t *testing.T) {
	t.Parallel()
	told := make(chan ToolCall, 10)
	s := serve(t, folder(t, map[string]string{"a.md": "alpha"}), Options{OnToolCall: func(c ToolCall) { told <- c }})
	s.addTool(tool{Tool: &mcp.Tool{Name: "boom", InputSchema: objectSchema(nil, nil)}, handle: func(*Server, context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("in a tool")
	}})
	started := make(chan struct{})
	s.addTool(tool{Tool: &mcp.Tool{Name: "wait", InputSchema: objectSchema(nil, nil)}, handle: func(_ *Server, ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	c := connect(t, s, "test")
	c.call("list_docs", `{}`)
	c.call("retrieve_docs", `{}`)                                                       // without a question
	_, _ = c.CallTool(t.Context(), &mcp.CallToolParams{Name: strings.Repeat("x", 100)}) // which is no tool
	_, _ = c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///nowhere"})
	_, _ = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "boom"})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	_, _ = c.CallTool(ctx, &mcp.CallToolParams{Name: "wait"})
	for _, want := range []ToolCall{
		{Tool: "list_docs", Outcome: "answered"}, {Tool: "retrieve_docs", Outcome: "refused"}, {Tool: "unknown", Outcome: "failed"},
		{Tool: "resources/read", Outcome: "failed"}, {Tool: "unknown", Outcome: "failed"}, {Tool: "unknown", Outcome: "cancelled"},
	} {
		var got ToolCall
		select {
		case got = <-told:
		case <-time.After(10 * time.Second):
			t.Fatalf("%+v is not told", want)
		}
		if got.Took <= 0 {
			t.Errorf("%s took %s", got.Tool, got.Took)
		}
		if got.Took = 0; got != want {
			t.Errorf("%+v is told, want %+v", got, want)
		}
	}
}
