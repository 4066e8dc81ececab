package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/text/unicode/norm"

	"vademecum/docs/meta"
	"vademecum/index"
)

// maxCompletions is what the protocol allows in one answer.
const maxCompletions = 100

// complete offers paths of documents, tags, and keys with their values for the
// arguments that take one: those that begin with what is typed, then those that
// hold it.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	library := s.at(ctx, req.Session)
	if err := library.Settle(ctx, index.ForCompletion); err != nil {
		return nil, err
	}
	typed := req.Params.Argument.Value
	switch req.Params.Argument.Name {
	case "path", "uri":
		all, err := library.List(ctx, index.Filter{})
		if err != nil {
			return nil, err
		}
		values = pathsLike(all, typed)
	case "tags", "tag":
		all, err := library.Tags(ctx, index.Filter{})
		if err != nil {
			return nil, err
		}
		values = tagsLike(all, typed)
	case "where":
		values = equalsLike(library, typed)
	}
	total := len(values)
	values = values[:min(total, maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total, HasMore: len(values) < total}}, nil
}

// tagsLike lists the tags that begin with what is typed, then those that hold it.
func tagsLike(all []index.TagCount, typed string) []string {
	var tags []string
	for _, c := range all {
		tags = append(tags, c.Tag)
	}
	return namesLike(tags, strings.TrimPrefix(typed, "#"))
}

// equalsLike offers keys of front matter, and after "key=" what it is said to be.
func equalsLike(library Library, typed string) []string {
	key, value, ok := strings.Cut(typed, "=")
	if !ok {
		return namesLike(library.Values(""), key)
	}
	values := namesLike(library.Values(key), value)
	for i, v := range values {
		values[i] = key + "=" + v
	}
	return values
}

// namesLike compares without regard to case.
func namesLike(names []string, typed string) []string {
	typed = meta.Fold(typed)
	first, rest := []string{}, []string{}
	for _, name := range names {
		switch folded := meta.Fold(name); {
		case strings.HasPrefix(folded, typed):
			first = append(first, name)
		case strings.Contains(folded, typed):
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
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
	return append(append(first, second...), rest...) // no list is null
}
