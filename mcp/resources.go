package mcp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/index"
)

// batchChanges is how long changes of documents are collected before clients are notified.
const batchChanges = 250 * time.Millisecond

// introduceEvery is the minimum interval between saves of the introduction, the summary of the
// documents that clients get when they connect. While a user edits documents, it changes all the time.
const introduceEvery = time.Minute

// batchBuilding is how long changes are collected at most while files are being indexed.
const batchBuilding = 2 * time.Second

// addTemplates registers resource templates, by which clients read parts of documents and the texts
// that they have sent.
func (s *Server) addTemplates() {
	s.addFolderTemplates()
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
		Name:        "text",
		Title:       "A text given to index_docs",
		Description: "A text that was given to index_docs in this session and is not saved.",
		URITemplate: "vademecum:text/{+hash}",
		MIMEType:    "text/plain",
	}, s.readResource)
}

// addFolderTemplates registers resource templates for the documents in the folders. If the folders
// are on other machines, their paths are known only once the index is loaded.
func (s *Server) addFolderTemplates() {
	dirs := s.library.Folders()
	if slices.Equal(dirs, s.folders) {
		return
	}
	for _, dir := range s.folders {
		s.sdk.RemoveResourceTemplates(folderTemplate(dir))
	}
	for _, dir := range dirs {
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			Name:        "document",
			Title:       "A document or a part of it",
			Description: "A document of the folder; #L12-40 after the path reads lines 12 to 40, #page=3 a page, and so #slide, #sheet, #chapter and #cell, as the URIs of passages do.",
			URITemplate: folderTemplate(dir),
		}, s.readResource)
	}
	s.folders = dirs
}

func folderTemplate(dir string) string {
	return strings.TrimSuffix(docs.FileURI(dir), "/") + "/{+path}"
}

func (s *Server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	library := s.libraryFor(ctx, req.Session)
	if err := library.WaitFresh(ctx, index.WaitPurposeAnswer); err != nil {
		return nil, s.internalError(err)
	}
	part, err := index.Ask(ctx, library, index.ReadQuery{Ref: req.Params.URI})
	switch {
	case errors.Is(err, index.ErrNotFound):
		document, _, _ := strings.Cut(req.Params.URI, "#")
		s.listeners.noteRead(req.Session, document, noVersion)
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	case index.IsTransient(err):
		return nil, s.internalError(err)
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	s.listeners.noteRead(req.Session, part.Document.URI, versionOfPart(part))
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: req.Params.URI, MIMEType: part.TextMIME, Text: part.JoinDividedWords(part.Text)},
	}}, nil
}

// internalError returns the response to a request that failed through no fault of the client, so
// that it may send the request again.
func (s *Server) internalError(err error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.hideInternals(err).Error()}
}

// watchResources keeps the list of resources up to date and notifies clients of changes, until ctx
// is done.
func (s *Server) watchResources(ctx context.Context) {
	changes := s.library.Changes(ctx)
	update := func() (waiting bool) {
		defer func() {
			if p := recover(); p != nil {
				logPanic(s.log, "follow the documents", p)
			}
		}()
		s.addFolderTemplates()
		return s.notifyResourceChanges(nil)
	}
	var introduced time.Time // when the introduction was last saved
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
			if !s.library.State().IsBehind() || time.Since(start) >= batchBuilding {
				break
			}
		}
		if time.Since(introduced) >= introduceEvery && !s.library.State().IsBehind() {
			s.saveIntroduction(ctx)
			introduced = time.Now()
		}
	}
}
