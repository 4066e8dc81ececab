package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index/operations"
)

// App is a page in which hosts show results to people in the chat, by the extension MCP Apps
// (io.modelcontextprotocol/ui, 2026-01-26). Only clients that declare the extension are offered the
// page: as a resource, with the tools that only the page calls, and with a view of each result in
// its metadata. Models get the same results from all clients.
type App struct {
	HTML     func() string // returns the page as one file that loads nothing else; nil if there is no page
	Renderer operations.Renderer
}

const (
	appExtension = "io.modelcontextprotocol/ui"
	appMIME      = "text/html;profile=mcp-app"

	// viewKey is the key in the _meta of a result under which the view of the result is.
	viewKey = "vademecum/view"
)

// uri returns the URI of the page. It changes with the content of the page, as hosts cache what they
// have read.
func (a App) uri() string {
	sum := sha256.Sum256([]byte(a.HTML()))
	return "ui://vademecum/results-" + hex.EncodeToString(sum[:4])
}

// capable is a request that carries the capabilities of its client.
type capable interface {
	ClientCapabilities() *mcp.ClientCapabilities
}

// canShowApp reports whether the client that sent a request can show the page of the App.
func (s *Server) canShowApp(req mcp.Request) bool {
	if s.app.HTML == nil {
		return false
	}
	client := capabilitiesOf(req)
	if client == nil {
		return false
	}
	settings, _ := client.Extensions[appExtension].(map[string]any)
	types, _ := settings["mimeTypes"].([]any)
	return slices.Contains(types, any(appMIME))
}

// capabilitiesOf returns the capabilities of the client that sent a request; nil if they are
// unknown.
func capabilitiesOf(req mcp.Request) *mcp.ClientCapabilities {
	if first, ok := req.GetParams().(*mcp.InitializeParams); ok && first != nil {
		return first.Capabilities
	}
	if r, ok := req.(capable); ok {
		return r.ClientCapabilities()
	}
	return nil
}

// offerApp is middleware that offers the page of the App to clients that can show it.
func (s *Server) offerApp(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !s.canShowApp(req) {
			return next(ctx, method, req)
		}
		if read, ok := req.GetParams().(*mcp.ReadResourceParams); ok && read.URI == s.app.uri() {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: s.app.uri(), MIMEType: appMIME, Text: s.app.HTML(), Meta: appSettings}}}, nil
		}
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			r.Capabilities = withAppExtension(r.Capabilities)
		case *mcp.DiscoverResult:
			r.Capabilities = withAppExtension(r.Capabilities)
		case *mcp.ListToolsResult:
			for i, t := range r.Tools {
				r.Tools[i] = s.withApp(t)
			}
		case *mcp.ListResourcesResult:
			if p, _ := req.GetParams().(*mcp.ListResourcesParams); p == nil || p.Cursor == "" {
				r.Resources = append([]*mcp.Resource{s.appResource()}, r.Resources...)
			}
		}
		return result, nil
	}
}

// withAppExtension returns the capabilities of the server with the extension MCP Apps added. It
// copies them, as they may be shared by all sessions.
func withAppExtension(all *mcp.ServerCapabilities) *mcp.ServerCapabilities {
	if all == nil {
		return nil
	}
	more := *all
	more.Extensions = maps.Clone(all.Extensions)
	more.AddExtension(appExtension, map[string]any{"mimeTypes": []string{appMIME}})
	return &more
}

// withApp returns a copy of a tool with the metadata of the page: the tool's results are drawn in
// the page, or only the page may call the tool.
func (s *Server) withApp(t *mcp.Tool) *mcp.Tool {
	o, _ := operations.OperationByName(t.Name)
	ui := make(map[string]any)
	switch {
	case o.IsAppOnly:
		ui["visibility"] = []string{"app"}
	case o.HasView:
		ui["resourceUri"] = s.app.uri()
	default:
		return t
	}
	drawn := *t
	drawn.Meta = maps.Clone(t.Meta)
	if drawn.Meta == nil {
		drawn.Meta = make(mcp.Meta)
	}
	drawn.Meta["ui"] = ui
	return &drawn
}

// appSettings are the permissions that the page requests from hosts: it loads nothing from the
// network and writes to the clipboard.
var appSettings = mcp.Meta{"ui": map[string]any{
	"csp":           map[string]any{"connectDomains": []string{}, "resourceDomains": []string{}, "frameDomains": []string{}, "baseUriDomains": []string{}},
	"permissions":   map[string]any{"clipboardWrite": map[string]any{}},
	"prefersBorder": true,
}}

func (s *Server) appResource() *mcp.Resource {
	return &mcp.Resource{URI: s.app.uri(), Name: "results", Title: "Results of searches", MIMEType: appMIME, Size: int64(len(s.app.HTML())), Meta: appSettings}
}
