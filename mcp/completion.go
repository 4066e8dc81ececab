package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is what the protocol allows in one answer.
const maxCompletions = 100

// complete offers paths of documents for the arguments that take one: those
// that begin with what is typed, then those that hold it.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	if err := s.loaded(ctx, patience); err != nil {
		return nil, err
	}
	if name := req.Params.Argument.Name; name == "path" || name == "uri" {
		values = s.matchingPaths(req.Params.Argument.Value)
	}
	total := len(values)
	values = values[:min(total, maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total, HasMore: len(values) < total}}, nil
}

func (s *Server) matchingPaths(typed string) []string {
	typed = strings.ToLower(typed)
	first, rest := []string{}, []string{}
	for _, d := range s.ix.Documents() {
		if d.Skip != "" {
			continue
		}
		switch path := strings.ToLower(d.Path); {
		case strings.HasPrefix(path, typed):
			first = append(first, d.Path)
		case strings.Contains(path, typed):
			rest = append(rest, d.Path)
		}
	}
	return append(first, rest...)
}
