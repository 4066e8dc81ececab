package mcp

import (
	"context"
	_ "embed" // for the icon
	"encoding/base64"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// iconPNG is the icon of the program (internal/app/web/page/assets/icon.svg) at 48 × 48 pixels.
//
//go:embed icon.png
var iconPNG []byte

// icons returns the icon for hosts that show one beside the name of the server. Tools have none,
// which keeps their list short.
func icons() []mcp.Icon {
	return []mcp.Icon{{Source: "data:image/png;base64," + base64.StdEncoding.EncodeToString(iconPNG), MIMEType: "image/png", Sizes: []string{"48x48"}}}
}

// nameWithoutIcon has results that a model may read name the server without its icon. The SDK
// (v1.8.0) names the server in each result from protocol 2026-07-28 on, and some hosts give their
// model whole results: Mastra (@mastra/mcp 2.0.0) did, with the image in base64.
func nameWithoutIcon(impl *mcp.Implementation) mcp.Middleware {
	plain := *impl
	plain.Icons = nil
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			switch result.(type) {
			case *mcp.CallToolResult, *mcp.ReadResourceResult, *mcp.GetPromptResult:
				if err == nil && req.GetParams().GetMeta()[mcp.MetaKeyProtocolVersion] != nil {
					meta := maps.Clone(result.GetMeta())
					if meta == nil {
						meta = make(map[string]any)
					}
					meta[mcp.MetaKeyServerInfo] = &plain
					result.SetMeta(meta)
				}
			}
			return result, err
		}
	}
}
