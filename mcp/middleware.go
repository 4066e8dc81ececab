package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
	"vademecum/internal/base/present"
)

// recoverPanics turns a panic in a handler into an error, so that other requests of the session
// continue.
func recoverPanics(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					logPanic(log, method, p)
					result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("internal error: %v", p)}
				}
			}()
			return next(ctx, method, req)
		}
	}
}

// logPanic logs a recovered panic p, with what was being done.
func logPanic(log *slog.Logger, doing string, p any) {
	log.Error("internal error", "doing", doing, "panic", p, "stack", string(debug.Stack()))
}

// repairErrors is middleware that replaces error data that is not JSON, and gives errors without a
// code one. The SDK (v1.8.0) writes the URI of an unknown resource with Go's quoting, in which a
// control character would end the session, and sends the code 0 for other errors over HTTP.
func repairErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		var wire *jsonrpc.Error
		if errors.As(err, &wire) && len(wire.Data) > 0 && !json.Valid(wire.Data) {
			return result, &jsonrpc.Error{Code: wire.Code, Message: wire.Message}
		}
		switch {
		case err == nil, wire != nil, ctx.Err() != nil:
		case method == methodInitialize:
			return result, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
		default:
			return result, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return result, err
	}
}

// canonicalURIs is middleware that replaces the URIs in requests by those under which documents are
// listed, as the SDK compares them literally. Clients send unescaped Chinese, lower-case escapes,
// other spellings of the folder, and other Unicode normalisations.
func (s *Server) canonicalURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		library := s.libraryFor(ctx, session)
		switch p := req.GetParams().(type) {
		case *mcp.ReadResourceParams:
			p.URI, _ = library.CanonicalURI(p.URI)
		case *mcp.SubscribeParams:
			uri, err := subscribableURI(library, p.URI)
			if err != nil {
				return nil, err
			}
			p.URI = uri
		case *mcp.UnsubscribeParams:
			p.URI = subscriptionURI(library, p.URI)
			if before := formerURI(library, p.URI); before != "" {
				now := p.URI
				p.URI = before
				if _, err := next(ctx, method, req); err != nil {
					return nil, err
				}
				p.URI = now
			}
		case *mcp.SubscriptionsListenParams:
			if p.Notifications == nil {
				break
			}
			for i, uri := range p.Notifications.ResourceSubscriptions {
				followed, err := subscribableURI(library, uri)
				if err != nil {
					return nil, err
				}
				p.Notifications.ResourceSubscriptions[i] = followed
			}
		}
		return next(ctx, method, req)
	}
}

// subscribableURI returns the subscriptionURI for the URI of a document, or of a file in a folder
// that may become a document. It refuses other URIs with an error.
func subscribableURI(library Library, uri string) (string, error) {
	canonical, found := library.CanonicalURI(uri)
	isWithin := func(dir string) bool {
		return strings.HasPrefix(canonical, strings.TrimSuffix(docs.FileURI(dir), "/")+"/")
	}
	if !found && !slices.ContainsFunc(library.Folders(), isWithin) {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no document, nor in a folder of this server: " + present.QuoteName(uri)}
	}
	return subscriptionURI(library, uri), nil
}

// subscriptionURI returns the URI under which a client is notified about a subscription: that of
// the document or, while there is none, the URI with composed characters (NFC).
func subscriptionURI(library Library, uri string) string {
	canonical, found := library.CanonicalURI(uri)
	if found {
		return canonical
	}
	return composedURI(canonical)
}

// formerURI returns the URI under which clients subscribed to a document before it existed; "" if
// it is the same, or now that of another document.
func formerURI(library Library, uri string) string {
	former := composedURI(uri)
	if former == uri {
		return ""
	}
	if canonical, found := library.CanonicalURI(former); found && canonical == former {
		return ""
	}
	return former
}

// composedURI returns a canonical URI with composed characters (NFC).
func composedURI(uri string) string {
	path, fragment, err := docs.ParseFileURI(uri)
	if err != nil {
		return uri
	}
	composed := docs.FileURI(norm.NFC.String(path))
	if fragment != "" {
		composed += "#" + fragment
	}
	return composed
}
