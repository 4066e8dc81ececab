package operations

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"vademecum/index"
	"vademecum/index/notice"
)

// showContext returns the operation show_context, for the page in a chat, which calls it when a person
// wants to see more of a text than the model has got.
func showContext() Operation {
	var uri, question string
	var reach LenientInt
	return Operation{
		Name:             "show_context",
		Title:            "Show the text around a passage",
		Description:      "For the page that shows results to people: the text around a passage. Models have read_doc.",
		IsAppOnly:        true,
		ExampleArguments: `{"uri": "notes/asthma.md#L3"}`,
		Parameters: []Parameter{
			{Name: "uri", Target: &uri, IsRequired: true, Description: "URI of the passage, or the path of a document."},
			{Name: "question", Target: &question, Description: "Text whose words are marked."},
			{Name: "reach", Target: &reach, Min: 1, Max: mostReach, Description: "How far around it: 1 is one screen."},
		},
		Check: func() error { return checkPlace(uri) },
		Run: func(ctx context.Context, c CallEnvironment) (Result, error) {
			return contextOf(ctx, c, uri, shorten(question, mostHighlighted), max(1, min(reach.value, mostReach)))
		},
	}
}

func checkPlace(uri string) error {
	if uri == "" {
		return errors.New("uri is missing: give that of a passage")
	}
	return nil
}

const (
	mostReach   = 8
	reachBytes  = 1500    // shown before and after a passage for each step of reach
	mostPassage = 8 << 10 // bytes of the passage itself
)

// contextOf returns a passage with the text around it: reach times reachBytes before and after it.
func contextOf(ctx context.Context, c CallEnvironment, uri, question string, reach int) (Result, error) {
	passage, err := index.Ask(ctx, c.Library, index.ReadQuery{Ref: uri})
	if err != nil {
		return Result{}, err
	}
	document, _, _ := strings.Cut(passage.Document.URI, "#")
	whole, err := index.Ask(ctx, c.Library, index.ReadQuery{Ref: document})
	if err != nil {
		return Result{}, err
	}
	shown := passage.Span
	shown.EndByte = startOfCharacter(whole.Text, min(shown.EndByte, shown.StartByte+mostPassage, len(whole.Text))) // the file may have changed
	shown.StartByte = min(shown.StartByte, shown.EndByte)
	from, to := around(whole.Text, shown.StartByte, shown.EndByte, reach*reachBytes)
	result := Result{Text: notice.FormatCitation(passage.Path, passage.Place).String() + "\n" + Fenced(whole.Text[from:to])}
	if c.Renderer != nil {
		v := &View{Kind: viewKindText, Question: question, Text: &TextView{Source: newSource(passage.Title, passage.Path, passage.Place, passage.URI)}}
		v.Text.HTML = c.Renderer.Part(whole, from, to, shown, index.NewHighlightWords(question))
		v.Text.HasMore = (from > 0 || to < len(whole.Text)) && reach < mostReach
		v.fit()
		result.View = v
	}
	return result, nil
}

// around extends the range from-to of a text by at most the given number of bytes on both sides, to
// whole lines if there is a line end within them.
func around(text string, from, to, by int) (int, int) {
	first, last := max(0, from-by), min(len(text), to+by)
	if n := strings.IndexByte(text[first:from], '\n'); first > 0 && n >= 0 {
		first += n + 1
	}
	if n := strings.LastIndexByte(text[to:last], '\n'); last < len(text) && n >= 0 {
		last = to + n + 1
	}
	return startOfCharacter(text, first), startOfCharacter(text, last)
}

// startOfCharacter returns the offset at which the character begins that contains the given offset.
func startOfCharacter(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
