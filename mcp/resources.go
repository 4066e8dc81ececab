package mcp

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index"
)

// batchChanges is how long changes are gathered before clients are told.
const batchChanges = 250 * time.Millisecond

// batchBuilding is the same while many files are indexed: a client may list
// them all again each time.
const batchBuilding = 2 * time.Second

// addTemplates lets clients read parts of documents, and texts they have sent.
func (s *Server) addTemplates() {
	for _, dir := range s.ix.Folders() {
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			Name:        "document",
			Title:       "A document or a part of it",
			Description: "A document of the folder; #line=11,40 after the path reads lines 12 to 40 (RFC 5147), #page=3 a page, and so #slide, #sheet, #chapter and #cell, as the URIs of passages do.",
			URITemplate: strings.TrimSuffix(docs.FileURI(dir), "/") + "/{+path}",
		}, s.readResource)
	}
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
		Name:        "text",
		Title:       "A text given to index_docs",
		Description: "A text that was given to index_docs and is not saved.",
		URITemplate: "vademecum:text/{+hash}",
		MIMEType:    "text/plain",
	}, s.readResource)
}

func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	if err := s.settle(ctx); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	part, err := s.ix.Read(ctx, req.Params.URI, nil)
	switch {
	case errors.Is(err, index.ErrNotFound):
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	case errors.Is(err, index.ErrNotYet):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: req.Params.URI, MIMEType: part.TextMIME, Text: part.Text},
	}}, nil
}

// followResources keeps the list of resources equal to the documents and tells
// clients of changes, until ctx ends.
func (s *Server) followResources(ctx context.Context) {
	changes, cancel := s.ix.Changes()
	defer cancel()
	update := func() {
		defer func() {
			if p := recover(); p != nil {
				tellPanic(s.log, "follow the documents", p)
			}
		}()
		s.updateResources(ctx)
	}
	for {
		update()
		select {
		case <-changes:
		case <-ctx.Done():
			return
		}
		pause := batchChanges
		if s.ix.State().Behind() {
			pause = batchBuilding
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// listCurrent makes a list of resources complete before a client sees its
// first page.
func (s *Server) listCurrent(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.ListResourcesParams); ok && (p == nil || p.Cursor == "") {
			if err := s.settle(ctx); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			}
			s.updateResources(ctx)
		}
		return next(ctx, method, req)
	}
}

// listing is what the list of resources shows now.
type listing struct {
	mu        sync.Mutex
	documents map[string]index.Document // by URI
}

// updateResources applies the difference between what is listed and what
// there is, and tells clients.
func (s *Server) updateResources(ctx context.Context) {
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	var added, updated, gone []string
	now := make(map[string]index.Document)
	for _, d := range s.ix.Documents() {
		if d.Skip == "" {
			now[d.URI] = d
		}
	}
	for uri, d := range now {
		old, ok := s.listed.documents[uri]
		switch {
		case !ok:
			added = append(added, uri)
		case old.Hash != d.Hash:
			updated = append(updated, uri)
		case old.Modified.Equal(d.Modified):
			continue
		}
		s.sdk.AddResource(resource(d), s.readResource)
	}
	for uri := range s.listed.documents {
		if _, ok := now[uri]; !ok {
			gone = append(gone, uri)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveResources(gone...)
	}
	s.listed.documents = now
	s.tell(ctx, append(updated, gone...), len(added)+len(gone) > 0)
}

// tell notifies subscribers. Sessions of the older protocols hear of the list
// from the SDK itself.
func (s *Server) tell(ctx context.Context, updated []string, listChanged bool) {
	for _, uri := range updated {
		if former := s.formerURI(uri); former != "" {
			updated = append(updated, former)
		}
	}
	for _, uri := range updated {
		_ = s.sdk.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it never fails
		s.listens.updated(ctx, uri)
	}
	if listChanged {
		s.listens.listChanged(ctx)
	}
}

func resource(d index.Document) *mcp.Resource {
	return &mcp.Resource{
		URI: d.URI, Name: d.Path, Title: d.Title, MIMEType: d.MIME, Size: d.Size,
		Annotations: &mcp.Annotations{LastModified: d.Modified.UTC().Format(time.RFC3339)},
	}
}
