package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
)

// search is the tool that ChatGPT, its connectors and its deep research expect under that name
// ("Company knowledge compatibility" of OpenAI's Apps SDK): it has one parameter, and returns a
// JSON object of results to fetch.
var search = &mcp.Tool{
	Name:        "search",
	Title:       "Search the documents",
	Description: "Search the user's notes and documents, their own docs and knowledge base, for passages that answer a question. Returns ids to fetch, each with the path and lines to cite.",
	InputSchema: objectSchema(map[string]*jsonschema.Schema{
		"query": textSchema("The question in a sentence; a name, a command or an error text exactly as it is."),
	}, []string{"query"}, "query"),
	OutputSchema: objectSchema(map[string]*jsonschema.Schema{
		"results": {Type: "array", Items: objectSchema(map[string]*jsonschema.Schema{
			"id": textSchema("What fetch takes."), "title": textSchema("Path, lines and headings of the passage."), "url": textSchema("The page that shows it, empty where there is none."),
		}, []string{"id", "title", "url"}, "id", "title", "url")},
	}, []string{"results"}, "results"),
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: ptr(false)},
}

// mostFound is the number of results of search, one per line, from which the model chooses what to
// read.
const mostFound = 10

// searchResult is a result in the response of search.
type searchResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func (s *Server) search(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Query string `json:"query"`
	}
	if err := parseArguments(req, &in); err != nil {
		return nil, err
	}
	q := index.Query{Text: in.Query, TopK: mostFound}
	if err := q.Check(); err != nil {
		return nil, err
	}
	library := s.libraryFor(ctx, req.Session)
	if err := library.WaitFresh(ctx, index.ForAnswer); err != nil {
		return nil, err
	}
	answer, err := index.Ask(ctx, library, q)
	if err != nil {
		return nil, err
	}
	noteSearch(ctx, len(answer.Passages), q.Text)
	if len(answer.Passages) == 0 && answer.Incomplete { // an empty list would not show this
		return nil, errors.New(strings.Join(append([]string{notice.NothingFound(true).String()}, notice.Lines(answer.Notes)...), " "))
	}
	out := struct {
		Results []searchResult `json:"results"`
	}{[]searchResult{}}
	for _, p := range answer.Passages {
		title, _, _ := strings.Cut(citation(p), "\n")
		out.Results = append(out.Results, searchResult{p.URI, title, s.urlOf(p.Path, p.URI, p.Text)})
	}
	return objectResult(out)
}

// urlOf returns the URL at which people see a passage or document; "" if there is none.
func (s *Server) urlOf(path, uri, text string) string {
	if s.page == nil || !strings.HasPrefix(uri, "file:") { // a text from a client has no page
		return ""
	}
	_, fragment, _ := strings.Cut(uri, "#")
	return s.page(path, fragment, text)
}

// objectResult returns a result with a JSON object as its only block, and as structured content.
func objectResult(object any) (*mcp.CallToolResult, error) {
	text, err := encode(object)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: object}, nil
}
