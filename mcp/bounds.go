package mcp

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of the URIs that a client may send. They bound memory, as the URIs that a client has read
// or subscribed to are kept as long as its session is open.
const (
	maxURI     = 16 << 10 // bytes: enough for a path of 4096 bytes that are all escaped, and a fragment
	maxFollows = 2000     // URIs that a session or stream may subscribe to
)

// refuseLongURIs is middleware that refuses URIs longer than any document's before they are looked
// up.
func refuseLongURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		var uris []string
		switch p := req.GetParams().(type) {
		case *mcp.ReadResourceParams:
			uris = []string{p.URI}
		case *mcp.SubscribeParams:
			uris = []string{p.URI}
		case *mcp.UnsubscribeParams:
			uris = []string{p.URI}
		case *mcp.SubscriptionsListenParams:
			if p.Notifications != nil {
				uris = p.Notifications.ResourceSubscriptions
			}
		}
		if len(uris) > maxFollows {
			return nil, errManyFollows
		}
		for _, uri := range uris {
			if len(uri) > maxURI {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("a URI has at most %d bytes", maxURI)}
			}
		}
		return next(ctx, method, req)
	}
}

// errManyFollows is the error for a session or stream with too many subscriptions.
var errManyFollows = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("at most %d resources are followed at once: follow the list instead", maxFollows)}
