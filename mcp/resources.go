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
	"vademecum/index/upkeep"
	"vademecum/internal/present"
)

// batchChanges is how long changes are gathered before clients are told.
const batchChanges = 250 * time.Millisecond

// batchBuilding is the same at most while files are indexed.
const batchBuilding = 2 * time.Second

// listPause is how long clients are not told of the list while many files are
// indexed, and then twice as long each time: some list them all again.
const listPause = 10 * time.Second

// addTemplates lets clients read parts of documents, and texts they have sent.
func (s *Server) addTemplates() {
	for _, dir := range s.library.Folders() {
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
	if err := s.library.Settle(ctx, upkeep.ForAnswer); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	part, err := s.library.Read(ctx, index.Reading{Ref: req.Params.URI})
	switch {
	case errors.Is(err, index.ErrNotFound):
		document, _, _ := strings.Cut(req.Params.URI, "#")
		s.listeners.hasRead(req.Session, document, version{})
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	case errors.Is(err, index.ErrNotYet):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	s.listeners.hasRead(req.Session, part.Document.URI, versionOf(part.Document))
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: req.Params.URI, MIMEType: part.TextMIME, Text: part.Text},
	}}, nil
}

// followResources keeps the list of resources equal to the documents and tells
// clients of changes, until ctx ends.
func (s *Server) followResources(ctx context.Context) {
	changes := s.library.Changes(ctx)
	update := func() (waiting bool) {
		defer func() {
			if p := recover(); p != nil {
				tellPanic(s.log, "follow the documents", p)
			}
		}()
		return s.updateResources(nil)
	}
	for {
		if waiting := update(); !waiting {
			select {
			case <-changes:
			case <-s.listeners.look:
			case <-ctx.Done():
				return
			}
		}
		for start := time.Now(); ; {
			select {
			case <-time.After(batchChanges):
			case <-ctx.Done():
				return
			}
			if !s.library.State().Behind() || time.Since(start) >= batchBuilding {
				break
			}
		}
	}
}

// listCurrent makes a list of resources complete before a client sees its
// first page.
func (s *Server) listCurrent(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, isList := req.GetParams().(*mcp.ListResourcesParams)
		session, isServer := req.GetSession().(*mcp.ServerSession)
		if isList && isServer && (p == nil || p.Cursor == "") {
			if err := s.library.Settle(ctx, upkeep.ForAnswer); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
			}
			s.updateResources(session)
		}
		return next(ctx, method, req)
	}
}

// listing is what the list of resources shows now.
type listing struct {
	mu        sync.Mutex
	documents map[string]index.Document // by URI
	complete  bool                      // once all documents of the folders were known
	state     int                       // counts the changes of which documents there are
	pause     time.Duration             // as listPause, 0 while nothing is being built
	quiet     time.Time                 // until when clients are not told
}

// isQuiet tells whether clients are not to be told of the list now. It is
// called with l.mu held.
func (l *listing) isQuiet(behind bool, now time.Time) bool {
	switch {
	case !behind:
		l.pause = 0
		return false
	case l.pause == 0:
		l.pause = listPause
	case now.Before(l.quiet):
		return true
	default:
		l.pause *= 2
		l.quiet = now.Add(l.pause)
		return false
	}
	l.quiet = now.Add(l.pause)
	return true
}

// updateResources applies the difference between what is listed and what there
// is, and tells clients. The one that is about to list, if any, is told
// nothing of the list. The result says whether others are to be told later.
func (s *Server) updateResources(lists *mcp.ServerSession) (waiting bool) {
	s.listed.mu.Lock()
	behind := s.library.State().Behind()
	if s.updateListed() {
		s.listed.state++
	}
	s.listed.complete = s.listed.complete || !behind
	if lists != nil {
		s.listeners.hasListed(lists, s.listed.state)
	}
	due, waiting := s.listeners.news(s.findListed, s.listed.state, s.listed.isQuiet(behind, time.Now()))
	s.listed.mu.Unlock()
	for _, n := range due {
		s.listeners.tell(s.life, n)
	}
	return waiting
}

// findListed finds a document also when its name is stored with its characters
// decomposed, and clients subscribed to it before it was there. It is called with
// s.listed.mu held.
func (s *Server) findListed(uri string) index.Document {
	if d, ok := s.listed.documents[uri]; ok {
		return d
	}
	canonical, _ := s.library.Canonical(uri)
	return s.listed.documents[canonical]
}

// updateListed is called with s.listed.mu held, and tells whether documents
// came or went.
func (s *Server) updateListed() (changed bool) {
	all, err := s.library.List(s.life, index.Filter{})
	if err != nil { // what is listed stays
		s.log.Warn("could not list the documents", "error", err)
		return false
	}
	now := make(map[string]index.Document)
	for _, d := range all {
		if d.Skip == "" {
			now[d.URI] = d
		}
	}
	for uri, d := range now {
		old, ok := s.listed.documents[uri]
		changed = changed || !ok
		if !ok || old.Hash != d.Hash || !old.Modified.Equal(d.Modified) {
			s.sdk.AddResource(resource(d), s.readResource)
		}
	}
	var gone []string
	for uri := range s.listed.documents {
		if _, ok := now[uri]; !ok {
			gone = append(gone, uri)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveResources(gone...)
	}
	s.listed.documents = now
	return changed || len(gone) > 0
}

func resource(d index.Document) *mcp.Resource {
	return &mcp.Resource{
		URI: d.URI, Name: present.Line(d.Path), Title: present.Line(d.Title), MIMEType: d.MIME, Size: d.Size,
		Annotations: &mcp.Annotations{LastModified: d.Modified.UTC().Format(time.RFC3339)},
	}
}
