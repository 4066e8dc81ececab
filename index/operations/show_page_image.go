package operations

import (
	"context"

	"vademecum/index"
)

// showPageImage returns the operation show_page_image, for the page in a chat. Models have read_doc,
// whose pictures have no marks.
func showPageImage() Operation {
	var uri, question string
	var page LenientInt
	return Operation{
		Name:             "show_page_image",
		Title:            "Show a page as an image",
		Description:      "For the page that shows results to people: a page of a PDF or scan as a picture in which a passage is marked. Models have read_doc.",
		IsAppOnly:        true,
		ExampleArguments: `{"uri": "paper.pdf#page=1"}`,
		Parameters: []Parameter{
			{Name: "uri", Target: &uri, IsRequired: true, Description: "URI of the passage, or the path of a document."},
			{Name: "page", Target: &page, Min: 1, Description: "Page number; by default that of the passage."},
			{Name: "question", Target: &question, Description: "Text whose words are marked."},
		},
		Check: func() error { return checkPlace(uri) },
		Run: func(ctx context.Context, c CallEnvironment) (Result, error) {
			q := index.PageImageQuery{Ref: uri, Page: max(0, page.value), MaxBytes: MaxPictureBytes, WithHighlights: true, HighlightQuery: shorten(question, mostHighlighted)}
			result, err := showPage(ctx, c, q)
			if result.View != nil {
				result.View.Question = q.HighlightQuery
			}
			return result, err
		},
	}
}
