package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

var retrieveDocs = &mcp.Tool{
	Name:  "retrieve_docs",
	Title: "Search the documents",
	Description: "Finds the passages of the user's documents that answer a question, best first, each with file, lines, headings and a URI. " +
		"Searches by words and by meaning, in English and Chinese. Ask with the user's whole question rather than single words. " +
		"The score compares the passages of one answer: 1.00 is the best by words (#1) and by vectors (#1); it does not say how well the question is answered. " +
		"Words that occur in no document are named. Call it again with other words when the passages do not answer the question.",
	InputSchema: object(map[string]*jsonschema.Schema{
		"query": text("The question, or what to look for, in a sentence; the language of the documents is best."),
		"also": texts("The same question in other words: synonyms, technical and everyday terms, and translations into the languages the documents may be written in. "+
			"Results for all of them are combined. Give two or three when the user's wording may differ from the documents'.", index.MaxAlso),
		"top_k": number(fmt.Sprintf("How many passages, %d unless told.", index.DefaultTopK), 1, index.MaxTopK),
		"path":  text("Only documents that this glob means, such as `cardio/**`, `*.md` or a folder's name."),
	}, []string{"query", "also", "top_k", "path"}, "query"),
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: ptr(false)},
}

func (s *Server) retrieveDocs(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Query *string  `json:"query"`
		Also  []string `json:"also"`
		TopK  whole    `json:"top_k"`
		Path  string   `json:"path"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if in.Query == nil {
		return nil, errors.New(`query is missing: give the question, such as {"query": "what to eat with high blood pressure"}`)
	}
	if in.TopK.set && in.TopK.value == 0 {
		return nil, fmt.Errorf("top_k must be a whole number from 1 to %d, got 0", index.MaxTopK)
	}
	q := index.Query{Text: *in.Query, Also: in.Also, TopK: in.TopK.value, Path: in.Path}
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	answer, err := s.ix.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	return s.results.of(req.ClientInfo()).render(answer), nil
}
