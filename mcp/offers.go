package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hideTools keeps from clients the tools that are for others: they are not listed, and not
// called.
func (s *Server) hideTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && !s.offersTool(call.Params.Name, call.ClientInfo()) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", call.Params.Name)}
		}
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
			client := req.(*mcp.ListToolsRequest).ClientInfo()
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return !s.offersTool(t.Name, client) })
		}
		return result, err
	}
}

// offersTool tells whether a client may know of a tool.
func (s *Server) offersTool(tool string, client *mcp.Implementation) bool {
	t := toolNamed(tool)
	return t == nil || !t.isForChatGPT || s.searchAndFetch(clientName(client))
}

func clientName(client *mcp.Implementation) string {
	if client == nil {
		return ""
	}
	return client.Name
}
