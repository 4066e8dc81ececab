// Package operations is the table of what a library can be asked for: a row and a file for each
// operation, with its parameters, what it may do, and what models read of its result.
//
// All that offers operations derives from it. Package mcp makes a tool of each, with its schema,
// checks its arguments, waits until saved files can be found, logs it, and hides it from those who
// may not call it; the command line has the flags of those that are commands, too. What answering
// costs, by which servers limit it, is said by the questions that an operation asks
// ([index.Question]).
package operations

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
)

// All lists the operations. Each call returns one whose parameters set values of its own.
var All = []func() Operation{retrieveDocs, findInDocs, checkQuotes, readDoc, listDocs, indexDocs, search, fetch, showContext, showPageImage}

// Operation is a way to use a library.
type Operation struct {
	Name        string // of the tool; only these names are logged
	Title       string
	Description string // description for models
	Hint        string // words by which hosts that search for tools find it; "" if it is seldom needed

	IsMain     bool // is to be ready in hosts that load other tools when they need them
	IsUpdate   bool // does more than read, which takes the right to index
	ForChatGPT bool // is hidden from other clients; its results are JSON
	ForApp     bool // is for the page that hosts draw of results, not for models, and hidden from hosts that draw none
	IsDrawn    bool // its results have a View

	Parameters []Parameter
	Output     []Parameter // of the object in the result, if it has one
	Example    string      // arguments of a call

	// Check refuses values that do not go together; it may be nil. Nothing has been waited for.
	Check func() error
	// Run does it, with the values that the parameters have set.
	Run func(ctx context.Context, c Call) (Result, error)
}

// Library is what operations ask.
type Library interface {
	index.Asker
	List(ctx context.Context, f index.Filter) ([]index.Document, error)
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)
	ExplainNoMatch(ctx context.Context, f index.Filter) ([]notice.Note, error)
	FreshnessNotes() []notice.Note
}

// Call is what an operation is run with.
type Call struct {
	Library Library
	Room    index.Budget   // space for the result
	Cursors *RecentCursors // of this server
	// PageURL returns the URL of the page for people that shows a passage or document, given by its
	// path, URI and text; "" if there is none.
	PageURL func(path, uri, text string) string
	// Renderer renders texts for the View of a result; nil if the client draws none, and the result
	// has none then.
	Renderer Renderer
	// Update brings the index up to date, and returns what it did in words.
	Update func(context.Context, Update) (string, error)
}

// Result is the result of an operation.
type Result struct {
	Text              string        // for models
	Answer            *index.Answer // passages, which hosts get in various forms, to be shown before Text
	JPEG              []byte        // picture, to be shown after Text
	StructuredContent any           // object, instead of Text
	View              *View         // for people, beside all of it; nil for none
}

// Named returns the operation with a name, and whether there is one.
func Named(name string) (o Operation, found bool) {
	for _, newOne := range All {
		if o = newOne(); o.Name == name {
			return o, true
		}
	}
	return Operation{}, false
}
