package mcp

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index/operations"
)

// TestObserve checks that each call is counted with its outcome.
func TestObserve(t *testing.T) {
	t.Parallel()
	told := make(chan ToolCall, 10)
	s := serve(t, folder(t, map[string]string{"a.md": "alpha"}), Options{OnToolCall: func(c ToolCall) { told <- c }})
	addOperation := func(name string, run func(context.Context, operations.CallEnvironment) (operations.Result, error)) {
		s.addTool(func() operations.Operation { return operations.Operation{Name: name, Run: run} })
	}
	addOperation("boom", func(context.Context, operations.CallEnvironment) (operations.Result, error) { panic("in a tool") })
	started := make(chan struct{})
	addOperation("wait", func(ctx context.Context, _ operations.CallEnvironment) (operations.Result, error) {
		close(started)
		<-ctx.Done()
		return operations.Result{}, ctx.Err()
	})
	c := connect(t, s, "test")
	c.call("list_docs", `{}`)
	c.call("retrieve_docs", `{}`)                                                       // without a question
	_, _ = c.CallTool(t.Context(), &mcp.CallToolParams{Name: strings.Repeat("x", 100)}) // a tool that does not exist
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
		if got.Duration <= 0 {
			t.Errorf("%s took %s", got.Tool, got.Duration)
		}
		if got.Duration = 0; got != want {
			t.Errorf("%+v is told, want %+v", got, want)
		}
	}
}
