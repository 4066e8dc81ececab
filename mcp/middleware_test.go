package mcp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPanicFailsOnlyItsRequest checks that after a panic in a handler the session and its other
// requests continue.
func TestPanicFailsOnlyItsRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, folder(t, map[string]string{"a.md": "alpha"}), Options{})
	s.sdk.AddTool(&mcp.Tool{Name: "boom", InputSchema: objectSchema(nil)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("in a tool")
	})
	s.sdk.AddPrompt(&mcp.Prompt{Name: "boom"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		panic("in a prompt")
	})
	s.sdk.AddResource(&mcp.Resource{Name: "boom", URI: "boom:x"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		panic("in a resource")
	})
	c := connect(t, s, "test")
	for want, request := range map[string]func() error{
		"in a tool": func() error {
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "boom"})
			return err
		},
		"in a prompt": func() error {
			_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "boom"})
			return err
		},
		"in a resource": func() error {
			_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "boom:x"})
			return err
		},
	} {
		var wire *jsonrpc.Error
		if err := request(); !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || !strings.Contains(wire.Message, "internal error: "+want) {
			t.Errorf("a panic %s is answered with %v", want, err)
		}
	}
	if text := firstText(c.call("list_docs", `{}`)); !strings.Contains(text, "a.md") {
		t.Errorf("after them: %s", text)
	}
}

func TestPanicIsLoggedWithItsStack(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	handle := recoverPanics(slog.New(slog.NewTextHandler(&out, nil)))(func(context.Context, string, mcp.Request) (mcp.Result, error) {
		panic("here")
	})
	if _, err := handle(t.Context(), "completion/complete", nil); err == nil {
		t.Error("no error")
	}
	if got := out.String(); !strings.Contains(got, "completion/complete") || !strings.Contains(got, "TestPanicIsLoggedWithItsStack") {
		t.Errorf("logged %s", got)
	}
}

// TestErrorsHaveCodes checks that an error without a code is sent as an internal error, and that a
// cancellation is not.
func TestErrorsHaveCodes(t *testing.T) {
	t.Parallel()
	handle := repairErrors(func(ctx context.Context, _ string, _ mcp.Request) (mcp.Result, error) {
		return nil, cmp.Or(ctx.Err(), errors.New("the drive is gone"))
	})
	var wire *jsonrpc.Error
	if _, err := handle(t.Context(), "completion/complete", nil); !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || wire.Message != "the drive is gone" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := handle(ctx, "completion/complete", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
