package mcp

import (
	"context"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// Library is what a Server serves: documents that can be searched and read, and
// that change. What crosses it are plain values. Its methods may be called from
// several goroutines at once, before there is anything to search too; mcp/librarytest
// holds what each implementation has to fulfil.
type Library interface {
	// Folders lists the absolute paths of the folders that the documents are in.
	Folders() []string

	// WaitFresh waits a little until what was saved before the call can be found. It
	// fails when there is nothing to answer from, with words for the reader.
	WaitFresh(ctx context.Context, to index.Purpose) error

	// Search returns the passages that answer a query, best first, and what the
	// reader should know of them.
	Search(ctx context.Context, q index.Query) (index.Answer, error)

	// Find returns the places of a text or a pattern, and what the reader should know of
	// them.
	Find(ctx context.Context, q index.FindQuery) (index.Findings, error)

	// CheckQuotes returns for each quotation where the documents contain it, or the most similar
	// text.
	CheckQuotes(ctx context.Context, q index.QuoteQuery) (index.CheckedQuotes, error)

	// Read returns a document or a part of it. Its error matches index.ErrNotFound
	// when there is no such document, and index.ErrNotYet when there will be.
	Read(ctx context.Context, r index.Reading) (index.DocumentPart, error)

	// ShowPage shows a page of a document as it looks, or a picture. Its errors are those of Read.
	ShowPage(ctx context.Context, q index.PageImageQuery) (index.PageImage, error)

	// List returns the documents that a filter means, in the order of their paths,
	// and among them the files that are not indexed.
	List(ctx context.Context, f index.Filter) ([]index.Document, error)

	// BrokenLinks returns the links of the documents that a filter means which lead
	// nowhere, in the order of their paths.
	BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error)

	// Page returns the documents that can be searched and whose paths follow a path,
	// in their order, so many at most.
	Page(ctx context.Context, after string, most int) ([]index.Document, error)

	// ChangeNumber returns a number that differs from the last one whenever a document may have been
	// added, removed or changed.
	ChangeNumber() uint64

	// Versions returns which state each document that can be searched is in.
	Versions(ctx context.Context) ([]index.Version, error)

	// Contents counts the searchable documents by kind and language.
	Contents(ctx context.Context) (index.Contents, error)

	// SavedIntroduction returns what SaveIntroduction saved last, also in another process, and also
	// while the documents are being loaded; "" where that is not known.
	SavedIntroduction() string

	// SaveIntroduction saves the text by which the documents are introduced, where there is a place
	// for it.
	SaveIntroduction(text string) error

	// Tags returns the tags of the documents that a filter means, the most frequent
	// first.
	Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error)

	// Values returns the values that a key of front matter has, in their order; the
	// keys for "".
	Values(key string) []string

	// WhyNone explains why a filter matches no document, and what there is instead.
	WhyNone(ctx context.Context, f index.Filter) ([]notice.Note, error)

	// CanonicalURI returns the form of a URI in which the document that it means is
	// listed, and whether there is one.
	CanonicalURI(uri string) (canonical string, found bool)

	// Sync brings the documents up to date with the files, and reports what it did.
	Sync(ctx context.Context, scope index.Scope) (notice.Report, error)

	// HasExactTexts tells of each of some texts whether a document says just that.
	HasExactTexts(ctx context.Context, texts []string) ([]bool, error)

	// AddTexts keeps texts beside the files for as long as the Library lives. It
	// returns how many of them can be found now, and how many of those could not
	// before; progress, unless nil, is sent the former as it grows.
	AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error)

	// State returns the progress of the indexing that is under way.
	State() progress.State

	// Freshness returns what answers may miss now.
	Freshness() []notice.Note

	// Changes returns a channel that holds a token whenever documents may have
	// changed since it was last read, until ctx ends.
	Changes(ctx context.Context) <-chan struct{}
}

var _ Library = (*index.Index)(nil)
