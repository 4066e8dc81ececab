package operations

import (
	"context"
	"errors"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
)

// search returns the operation search, the tool that ChatGPT, its connectors and its deep research
// expect under that name ("Company knowledge compatibility" of OpenAI's Apps SDK): it has one parameter,
// and returns a JSON object of results to fetch.
func search() Operation {
	q := index.Query{TopK: mostFound}
	return Operation{
		Name:             "search",
		Title:            "Search the documents",
		Description:      "Search the user's notes and documents, their own docs and knowledge base, for passages that answer a question. Returns ids to fetch, each with the path and lines to cite.",
		IsChatGPTOnly:    true,
		ExampleArguments: `{"query": "what to eat with high blood pressure"}`,
		Parameters: []Parameter{
			{Name: "query", Target: &q.Text, IsRequired: true, Description: "The question in a sentence; names, commands and error texts verbatim.", Aliases: queryNames},
		},
		OutputFields: []Parameter{{Name: "results", IsRequired: true, ItemFields: []Parameter{
			{Name: "id", IsRequired: true, Description: "What fetch takes."},
			{Name: "title", IsRequired: true, Description: "Path, lines and headings of the passage."},
			{Name: "url", IsRequired: true, Description: "The page that shows it, empty if there is none."},
		}}},
		Check: func() error { return q.Check() },
		Run: func(ctx context.Context, c CallEnvironment) (Result, error) {
			answer, err := index.Ask(ctx, c.Library, q)
			if err == nil && len(answer.Passages) == 0 && answer.Incomplete { // an empty list would not show this
				err = errors.New(strings.Join(append([]string{notice.NothingFound(true).String()}, notice.EnglishLines(answer.Notes)...), " "))
			}
			out := searchResults{Results: []SearchResult{}}
			for _, p := range answer.Passages {
				title, _, _ := strings.Cut(Citation(p), "\n")
				out.Results = append(out.Results, SearchResult{p.URI, title, c.WebPageURL(p.Path, p.URI, p.Text)})
			}
			return Result{StructuredContent: out}, err
		},
	}
}

// mostFound is the number of results of search, one per line, from which the model chooses what to
// read.
const mostFound = 10

// searchResults is the object that the operation search returns.
type searchResults struct {
	Results []SearchResult `json:"results"`
}

// SearchResult is one document or passage in searchResults.
type SearchResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}
