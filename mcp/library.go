package mcp

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// Library is what a Server serves: documents that can be searched and read, and that
// change. Its methods take and return plain values, and may be called from several
// goroutines at once, also before anything can be searched; mcp/librarytest tests what
// each implementation has to fulfil.
type Library interface {
	// Folders lists the absolute paths of the folders that the documents are in.
	Folders() []string

	// WaitFresh waits a little until files saved before the call can be found. It fails
	// when nothing can be answered yet, with an error for the reader.
	WaitFresh(ctx context.Context, to index.Purpose) error

	// Search returns the passages that answer a query, best first, with notes for the
	// reader.
	Search(ctx context.Context, q index.Query) (index.Answer, error)

	// Find returns the places of a text or a pattern, with notes for the reader.
	Find(ctx context.Context, q index.FindQuery) (index.Findings, error)

	// CheckQuotes returns for each quotation where the documents contain it, or else the most
	// similar text.
	CheckQuotes(ctx context.Context, q index.QuoteQuery) (index.CheckedQuotes, error)

	// Read returns a document or a part of it. Its error matches index.ErrNotFound
	// when there is no such document, and index.ErrNotYet when there will be.
	Read(ctx context.Context, r index.Reading) (index.DocumentPart, error)

	// ShowPage shows a page of a document as it looks, or a picture. Its errors are those of Read.
	ShowPage(ctx context.Context, q index.PageImageQuery) (index.PageImage, error)

	// List returns the documents that match a filter, sorted by path, including the files
	// that are not indexed.
	List(ctx context.Context, f index.Filter) ([]index.Document, error)

	// BrokenLinks returns the links that lead nowhere in the documents that match a
	// filter, sorted by path.
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)

	// Page returns up to most searchable documents whose paths follow after, sorted by
	// path.
	Page(ctx context.Context, after string, most int) ([]index.Document, error)

	// ChangeNumber returns a number that differs from the last one whenever a document may have been
	// added, removed or changed.
	ChangeNumber() uint64

	// Versions returns the current version of each searchable document.
	Versions(ctx context.Context) ([]index.Version, error)

	// Contents counts the searchable documents by kind and language.
	Contents(ctx context.Context) (index.Contents, error)

	// SavedIntroduction returns the text that SaveIntroduction saved last, also in another process,
	// and also while the documents are being loaded; "" where there is none.
	SavedIntroduction() string

	// SaveIntroduction saves the text that introduces the documents, if there is a place for it.
	SaveIntroduction(text string) error

	// Tags returns the tags of the documents that match a filter, the most frequent
	// first.
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)

	// Values returns the values of a key of front matter, sorted; for "" it returns the
	// keys.
	Values(key string) []string

	// WhyNone explains why no document matches a filter, and what there is instead.
	WhyNone(ctx context.Context, f index.Filter) ([]notice.Note, error)

	// CanonicalURI returns the form in which the document of a URI is listed, and whether
	// there is such a document.
	CanonicalURI(uri string) (canonical string, found bool)

	// Sync brings the documents up to date with the files, and reports what it did.
	Sync(ctx context.Context, scope index.Scope) (notice.Report, error)

	// HasExactTexts reports for each text whether a document has exactly this content.
	HasExactTexts(ctx context.Context, texts []string) ([]bool, error)

	// AddTexts keeps texts beside the files for as long as the Library lives. It returns
	// how many of them can be found now, and how many of those are new; progress, unless
	// nil, receives found as it grows.
	AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error)

	// State returns the progress of the indexing under way.
	State() progress.State

	// Freshness returns notes on what answers may miss now.
	Freshness() []notice.Note

	// Changes returns a channel that holds a token whenever documents may have
	// changed since it was last read, until ctx ends.
	Changes(ctx context.Context) <-chan struct{}
}

var _ Library = (*index.Index)(nil)
