package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/index"
)

// maxCompletions is the maximum number of completions in a response, set by the protocol.
const maxCompletions = 100

// completeArgument returns completions for an argument: paths of documents, tags, or front matter
// keys with their values. Those that begin with the typed text come before those that contain it.
func (s *Server) completeArgument(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	library := s.libraryFor(ctx, req.Session)
	if err := library.WaitFresh(ctx, index.WaitPurposeAutocompletion); err != nil {
		return nil, err
	}
	typed := req.Params.Argument.Value
	switch name := req.Params.Argument.Name; name {
	case "path", "uri":
		all, err := library.List(ctx, index.Filter{})
		if err != nil {
			return nil, err
		}
		values = pathsMatching(all, typed)
	default:
		for _, p := range index.FilterParameters {
			if p.CompleteValue == nil || name != p.Name && name != p.Field {
				continue
			}
			var err error
			if values, err = p.CompleteValue(ctx, library, typed); err != nil {
				return nil, err
			}
		}
	}
	total := len(values)
	values = values[:min(total, maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total, HasMore: len(values) < total}}, nil
}

// pathsMatching returns the paths that contain the typed text, ignoring case and Unicode
// normalisation. Those that begin with the text as typed come first.
func pathsMatching(all []index.Document, typed string) []string {
	exact, composed := strings.ToLower(typed), strings.ToLower(norm.NFC.String(typed))
	first, second, rest := []string{}, []string{}, []string{}
	for _, d := range all {
		if d.SkipReason != "" {
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
	return append(append(first, second...), rest...) // never nil: null is not a list
}
