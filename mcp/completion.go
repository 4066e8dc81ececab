package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/index"
	"vademecum/index/upkeep"
)

// maxCompletions is what the protocol allows in one answer.
const maxCompletions = 100

// complete offers paths of documents for the arguments that take one: those
// that begin with what is typed, then those that hold it.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	if err := s.library.Settle(ctx, upkeep.ForCompletion); err != nil {
		return nil, err
	}
	if name := req.Params.Argument.Name; name == "path" || name == "uri" {
		all, err := s.library.List(ctx, "")
		if err != nil {
			return nil, err
		}
		values = pathsLike(all, req.Params.Argument.Value)
	}
	total := len(values)
	values = values[:min(total, maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total, HasMore: len(values) < total}}, nil
}

// pathsLike compares without regard to case and to the composition of
// characters. What begins as it is typed comes first.
func pathsLike(all []index.Document, typed string) []string {
	exact, composed := strings.ToLower(typed), strings.ToLower(norm.NFC.String(typed))
	first, second, rest := []string{}, []string{}, []string{}
	for _, d := range all {
		if d.Skip != "" {
			continue
		}
		path := strings.ToLower(d.Path)
		alike := strings.ToLower(norm.NFC.String(d.Path))
		switch {
		case strings.HasPrefix(path, exact):
			first = append(first, d.Path)
		case strings.HasPrefix(alike, composed):
			second = append(second, d.Path)
		case strings.Contains(path, exact), strings.Contains(alike, composed):
			rest = append(rest, d.Path)
		}
	}
	return slices.Concat(first, second, rest)
}
