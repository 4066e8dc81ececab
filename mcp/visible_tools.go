package mcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index/operations"
)

// hideTools is middleware that hides the tools that a client must not use: those meant for other
// clients, which can then not be called either, and those for which the client lacks the scope.
// Calls of the latter are refused earlier, with the name of the scope.
func (s *Server) hideTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && !s.offersTool(call.Params.Name, call.ClientInfo(), s.canShowApp(req)) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", call.Params.Name)}
		}
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
			client, onlyReads, draws := req.(*mcp.ListToolsRequest).ClientInfo(), callerOf(ctx, req).onlyReads, s.canShowApp(req)
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool {
				return !s.offersTool(t.Name, client, draws) || onlyReads && MayWrite(t.Name)
			})
		}
		return result, err
	}
}

// offersTool reports whether a tool is listed for a client. draws says whether the client can show
// the page of the App.
func (s *Server) offersTool(tool string, client *mcp.Implementation, draws bool) bool {
	o, _ := operations.OperationByName(tool)
	if o.IsAppOnly {
		return draws
	}
	return !o.IsChatGPTOnly || s.searchAndFetch(clientName(client))
}

func clientName(client *mcp.Implementation) string {
	if client == nil {
		return ""
	}
	return client.Name
}
