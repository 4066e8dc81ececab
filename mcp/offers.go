package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// offer keeps from clients the tools that are for others: they are not listed, and not
// called.
func (s *Server) offer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && !s.offers(call.Params.Name, call.ClientInfo()) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", call.Params.Name)}
		}
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
			client := req.(*mcp.ListToolsRequest).ClientInfo()
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return !s.offers(t.Name, client) })
		}
		return result, err
	}
}

// offers tells whether a client may know of a tool.
func (s *Server) offers(tool string, client *mcp.Implementation) bool {
	t := toolOf(tool)
	return t == nil || !t.isForChatGPT || s.searchAndFetch(nameOf(client))
}

func nameOf(client *mcp.Implementation) string {
	if client == nil {
		return ""
	}
	return client.Name
}
