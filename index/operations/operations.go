// Package operations is the table of the operations on a library. Each has a file of its own, with
// its parameters, its permissions, and the text of its result for models.
//
// Package mcp makes a tool of each operation: it derives the schema, checks the arguments, waits
// until saved files can be found, logs the call, and hides the tool from those who may not call it.
// The command line takes the flags of its commands from the table. The cost by which servers limit
// calls is that of the questions that an operation asks ([index.Question]).
package operations

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
)

// All lists the constructors of the operations. Each call returns a new Operation, whose parameters
// set variables of its own.
var All = []func() Operation{retrieveDocs, findInDocs, checkQuotes, readDoc, listDocs, indexDocs, search, fetch, showContext, showPageImage}

// Operation is an operation on a library, which clients call as a tool.
type Operation struct {
	Name        string // name of the tool; the log has no other tool names
	Title       string
	Description string // description for models
	SearchHint  string // words by which hosts with a search for tools find it; "" if it is seldom needed

	IsAlwaysLoaded bool // hosts that load tools on demand should load it at once
	ChangesIndex   bool // it changes the index, for which the client needs permission
	IsChatGPTOnly  bool // it is hidden from clients other than ChatGPT; its results are JSON
	IsAppOnly      bool // it is for the page in which hosts show results, not for models; hidden from hosts without such pages
	HasView        bool // its results have a View, for the page in which hosts show results

	Parameters       []Parameter
	OutputFields     []Parameter // fields of the object in its result; nil if there is none
	ExampleArguments string      // arguments of a typical call, as JSON

	// Check returns an error if the values do not go together; it may be nil. It is called at once, before
	// the index is brought up to date.
	Check func() error
	// Run executes the operation, with the values that the parameters have set.
	Run func(ctx context.Context, c CallEnvironment) (Result, error)
}

// Library is the part of an index.Index that operations use.
type Library interface {
	index.Answerer
	List(ctx context.Context, f index.Filter) ([]index.Document, error)
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)
	ExplainNoMatch(ctx context.Context, f index.Filter) ([]notice.Note, error)
	FreshnessNotes() []notice.Note
}

// CallEnvironment is the environment of one call of an operation.
type CallEnvironment struct {
	Library Library
	Budget  index.Budget   // space for the result, which is cut to fit
	Cursors *RecentCursors // cursors that this server returned last
	// WebPageURL returns the URL of the web page that shows a passage or document, given by its path, URI
	// and text; "" if there is none.
	WebPageURL func(path, uri, passageText string) string
	// Renderer renders texts for the View of a result; nil if the client shows no views, and the result
	// has none then.
	Renderer Renderer
	// Update brings the index up to date, and returns a text that says what it did.
	Update func(context.Context, UpdateRequest) (report string, err error)
}

// Result is the result of an operation.
type Result struct {
	Text              string        // text for models
	Answer            *index.Answer // passages to be shown before Text; their form depends on the host
	JPEG              []byte        // picture to be shown after Text; nil for none
	StructuredContent any           // object to be sent instead of Text; nil for none
	View              *View         // the result as hosts show it to people; nil for none
}

// OperationByName returns the operation with the given name, and whether there is one.
func OperationByName(name string) (o Operation, found bool) {
	for _, newOne := range All {
		if o = newOne(); o.Name == name {
			return o, true
		}
	}
	return Operation{}, false
}
