package mcp

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// Library is what a Server serves: documents that can be searched and read, and that change. Its
// methods take and return plain values. They must be safe for concurrent use, even before anything
// can be searched. Package mcp/librarytest tests the requirements on an implementation.
type Library interface {
	// Folders returns the absolute paths of the folders that contain the documents.
	Folders() []string

	// WaitFresh waits briefly until files saved before the call can be found. It fails if nothing
	// can be answered yet, with an error for the reader.
	WaitFresh(ctx context.Context, to index.Purpose) error

	// Ask answers a question; index.Ask returns the answer as what it is. With an answer come notes
	// for the reader. The error about a document matches index.ErrNotFound if there is none, and
	// index.ErrNotIndexedYet if there will be one.
	Ask(ctx context.Context, q index.Question) (index.Reply, error)

	// List returns the documents that match a filter, including files that are not indexed, sorted
	// by path.
	List(ctx context.Context, f index.Filter) ([]index.Document, error)

	// BrokenLinks returns the broken links in the documents that match a filter, sorted by path.
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)

	// ListAfter returns the searchable documents whose paths follow after, sorted by path, no more than
	// most.
	ListAfter(ctx context.Context, after string, most int) ([]index.Document, error)

	// ChangeNumber returns a number that changes whenever a document may have been added, removed
	// or changed.
	ChangeNumber() uint64

	// Versions returns the current version of each searchable document.
	Versions(ctx context.Context) ([]index.Version, error)

	// Contents counts the searchable documents by kind and language.
	Contents(ctx context.Context) (index.Contents, error)

	// SavedIntroduction returns the text last saved by SaveIntroduction, possibly in another
	// process. It is available even while the documents are being loaded; "" if there is none.
	SavedIntroduction() string

	// SaveIntroduction saves the text that introduces the documents, if there is a place to store
	// it.
	SaveIntroduction(text string) error

	// Tags returns the tags of the documents that match a filter, most frequent first.
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)

	// FrontMatterValues returns the values of a front matter key, sorted; for "" it returns the keys.
	FrontMatterValues(key string) []string

	// ExplainNoMatch explains why no document matches a filter, and suggests alternatives.
	ExplainNoMatch(ctx context.Context, f index.Filter) ([]notice.Note, error)

	// CanonicalURI returns the URI by which a document is listed, and whether there is such a
	// document.
	CanonicalURI(uri string) (canonical string, found bool)

	// Sync brings the documents up to date with the files, and reports what it did.
	Sync(ctx context.Context, scope index.Scope) (notice.Report, error)

	// HasExactTexts reports for each text whether a document has exactly this content.
	HasExactTexts(ctx context.Context, texts []string) ([]bool, error)

	// AddTexts keeps texts beside the files as long as the Library exists. It returns how many of
	// them can be found now, and how many of those are new. If progress is not nil, it receives
	// found as that grows.
	AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error)

	// State returns the progress of indexing.
	State() progress.State

	// FreshnessNotes returns notes on what answers may lack at present.
	FreshnessNotes() []notice.Note

	// Changes returns a channel that holds a token whenever documents may have changed since it was
	// last read, until ctx is done.
	Changes(ctx context.Context) <-chan struct{}
}

var _ Library = (*index.Index)(nil)
