package mcp

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// Library is the documents that a Server serves; they can be searched and read, and they change.
// The methods must be safe for concurrent use, even before anything can be searched. Package
// mcp/librarytest tests what is required of an implementation.
type Library interface {
	// Folders returns the absolute paths of the folders that contain the documents.
	Folders() []string

	// WaitFresh waits briefly until files saved before the call can be found. It fails with an error
	// for people if no question can be answered yet.
	WaitFresh(ctx context.Context, purpose index.WaitPurpose) error

	// Ask answers a question of any type; index.Ask is the typed form of it. The reply includes notes
	// for the reader. If the question is about a document that does not exist, the error matches
	// index.ErrNotFound, or index.ErrNotIndexedYet if the document is about to be indexed.
	Ask(ctx context.Context, q index.Question) (index.Reply, error)

	// List returns the documents that match a filter, including files that are not indexed, sorted
	// by path.
	List(ctx context.Context, f index.Filter) ([]index.Document, error)

	// BrokenLinks returns the broken links in the documents that match a filter, sorted by path.
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)

	// ListAfter returns the searchable documents whose paths sort after path, sorted by path, at most
	// limit of them.
	ListAfter(ctx context.Context, path string, limit int) ([]index.Document, error)

	// ChangeNumber returns a number that changes whenever a document may have been added, removed or
	// changed.
	ChangeNumber() uint64

	// DocumentFingerprints returns the fingerprint of each searchable document.
	DocumentFingerprints(ctx context.Context) ([]index.DocumentFingerprint, error)

	// Contents counts the searchable documents by kind and language.
	Contents(ctx context.Context) (index.Contents, error)

	// SavedIntroduction returns the text last saved by SaveIntroduction, possibly in another
	// process. It is available even while the documents are being loaded; "" if there is none.
	SavedIntroduction() string

	// SaveIntroduction saves the text that introduces the documents. It does nothing if there is no
	// place to store it.
	SaveIntroduction(text string) error

	// Tags returns the tags of the documents that match a filter, most frequent first.
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)

	// FrontMatterValues returns the values of a front matter key over all documents, sorted; for the
	// key "" it returns the keys.
	FrontMatterValues(key string) []string

	// ExplainNoMatch explains why no document matches a filter, and suggests alternatives.
	ExplainNoMatch(ctx context.Context, f index.Filter) ([]notice.Note, error)

	// CanonicalURI returns the URI by which a document is listed, and whether there is such a
	// document.
	CanonicalURI(uri string) (canonical string, found bool)

	// Sync brings the index up to date with the files, and reports what it did.
	Sync(ctx context.Context, scope index.Scope) (notice.Report, error)

	// AreDocumentTexts reports for each text whether a document has exactly this content.
	AreDocumentTexts(ctx context.Context, texts []string) ([]bool, error)

	// AddTexts keeps texts as documents beside the files as long as the Library exists. It returns how
	// many of them can be found now, and how many of those are new. If progress is not nil, it
	// receives the growing number of texts that can be found.
	AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error)

	// State returns the progress of indexing.
	State() progress.State

	// FreshnessNotes returns notes on what answers may lack at present, for example because files are
	// still being indexed.
	FreshnessNotes() []notice.Note

	// Changes returns a channel that holds a token whenever documents may have changed since it was
	// last read, until ctx is done.
	Changes(ctx context.Context) <-chan struct{}
}

var _ Library = (*index.Index)(nil)
