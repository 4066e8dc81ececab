package mcp

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
)

// textsOverlay is a Library that combines the documents with the texts of one owner, which are in a Library
// of their own. The texts are scored by the statistics of the documents, but not the other way round:
// otherwise other clients, which search only the documents, could notice that there are texts.
type textsOverlay struct {
	Library // the documents
	texts   Library
}

var _ Library = (*textsOverlay)(nil)

func isTextURI(uri string) bool { return strings.HasPrefix(uri, index.ClientTextURIPrefix) }

// WaitFresh waits for the documents and the texts.
func (b *textsOverlay) WaitFresh(ctx context.Context, purpose index.WaitPurpose) error {
	if err := b.Library.WaitFresh(ctx, purpose); err != nil {
		return err
	}
	return b.texts.WaitFresh(ctx, purpose)
}

// Ask answers a question about documents and texts from both. The image of a page of a text is
// refused by the Library of the texts. Anything else is answered from the documents.
func (b *textsOverlay) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	switch q := q.(type) {
	case index.Query:
		return b.search(ctx, q)
	case index.FindQuery:
		return b.find(ctx, q)
	case index.QuoteQuery:
		return b.checkQuotes(ctx, q)
	case index.ReadQuery:
		return b.read(ctx, q)
	case index.PageImageQuery: // a text has no pages, and its library returns the error for that
		if isTextURI(q.Ref) {
			return b.texts.Ask(ctx, q)
		}
	}
	return b.Library.Ask(ctx, q)
}

// read reads a text of the session, or a document.
func (b *textsOverlay) read(ctx context.Context, r index.ReadQuery) (index.DocumentPart, error) {
	if isTextURI(r.Ref) {
		return index.Ask(ctx, b.texts, r)
	}
	part, err := index.Ask(ctx, b.Library, r)
	if errors.Is(err, index.ErrNotFound) {
		if text, none := index.Ask(ctx, b.texts, r); none == nil {
			return text, nil
		}
	}
	return part, err
}

// find searches the documents and then the texts of the session.
func (b *textsOverlay) find(ctx context.Context, q index.FindQuery) (index.Findings, error) {
	if _, err := q.Check(); err != nil {
		return index.Findings{}, err
	}
	found, err := index.Ask(ctx, b.Library, q)
	if err != nil {
		return index.Findings{}, err
	}
	ofTexts := q // every page uses the same number of lines, as the order depends on it
	ofTexts.LineOffset = max(0, q.LineOffset-found.Lines)
	texts, err := index.Ask(ctx, b.texts, ofTexts)
	if err != nil {
		return index.Findings{}, err
	}
	left := q.MaxLines
	for _, d := range found.Found {
		left -= len(d.Lines)
	}
	for _, d := range texts.Found {
		shown := min(left, len(d.Lines))
		left -= shown
		if d.MoreLines += len(d.Lines) - shown; shown > 0 {
			d.Lines = d.Lines[:shown]
			found.Found = append(found.Found, d)
		} else if q.LineOffset < found.Lines { // no earlier page has shown any of its lines
			found.OtherDocuments = append(found.OtherDocuments, index.FoundDocument{Path: d.Path, Occurrences: d.Occurrences})
		}
	}
	found.OtherDocuments = append(found.OtherDocuments, texts.OtherDocuments...)
	found.Notes = mergeNotes(found.Notes, texts.Notes, found.Occurrences+texts.Occurrences > 0)
	found.Occurrences, found.Documents, found.Lines = found.Occurrences+texts.Occurrences, found.Documents+texts.Documents, found.Lines+texts.Lines
	found.Incomplete = found.Incomplete || texts.Incomplete
	if found.NextLineOffset = 0; q.LineOffset+q.MaxLines < found.Lines {
		found.NextLineOffset = q.LineOffset + q.MaxLines
	}
	return found, nil
}

// checkQuotes checks quotations against the documents and the texts. An exact match is preferred to
// a similar one, and documents to texts.
func (b *textsOverlay) checkQuotes(ctx context.Context, q index.QuoteQuery) (index.CheckedQuotes, error) {
	checked, err := index.Ask(ctx, b.Library, q)
	if err != nil {
		return index.CheckedQuotes{}, err
	}
	texts, err := index.Ask(ctx, b.texts, q)
	if err != nil {
		return index.CheckedQuotes{}, err
	}
	for i := range checked.Quotes {
		checked.Quotes[i] = checked.Quotes[i].MoreInformative(texts.Quotes[i])
	}
	checked.Notes = mergeNotes(checked.Notes, texts.Notes, true)
	checked.Incomplete = checked.Incomplete || texts.Incomplete
	return checked, nil
}

// ofBoth returns the results of list for the documents and for the texts, sorted by their paths.
func ofBoth[T any](b *textsOverlay, list func(Library) ([]T, error), path func(T) string) ([]T, error) {
	documents, err := list(b.Library)
	texts, errOfTexts := list(b.texts)
	if err := cmp.Or(err, errOfTexts); err != nil {
		return nil, err
	}
	all := append(documents, texts...)
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(path(a), path(b)) })
	return all, nil
}

func pathOf(d index.Document) string { return d.Path }

// List lists the documents and texts that match a filter.
func (b *textsOverlay) List(ctx context.Context, f index.Filter) ([]index.Document, error) {
	return ofBoth(b, func(l Library) ([]index.Document, error) { return l.List(ctx, f) }, pathOf)
}

// BrokenLinks lists the broken links of the documents and texts.
func (b *textsOverlay) BrokenLinks(ctx context.Context, f index.Filter) ([]index.Links, error) {
	return ofBoth(b, func(l Library) ([]index.Links, error) { return l.BrokenLinks(ctx, f) }, func(l index.Links) string { return l.Path })
}

// ListAfter returns a page of the list of documents and texts.
func (b *textsOverlay) ListAfter(ctx context.Context, path string, limit int) ([]index.Document, error) {
	all, err := ofBoth(b, func(l Library) ([]index.Document, error) { return l.ListAfter(ctx, path, limit) }, pathOf)
	return all[:min(len(all), max(0, limit))], err
}

// ChangeNumber returns a number that changes whenever that of the documents or of the texts
// changes.
func (b *textsOverlay) ChangeNumber() uint64 {
	return b.Library.ChangeNumber() + b.texts.ChangeNumber()
}

// DocumentFingerprints returns the versions of the documents and texts.
func (b *textsOverlay) DocumentFingerprints(ctx context.Context) ([]index.DocumentFingerprint, error) {
	documents, err := b.Library.DocumentFingerprints(ctx)
	texts, errOfTexts := b.texts.DocumentFingerprints(ctx)
	return append(documents, texts...), cmp.Or(err, errOfTexts)
}

// Tags returns the tags of the documents and texts together.
func (b *textsOverlay) Tags(ctx context.Context, f index.Filter) ([]index.TagCount, error) {
	all, err := b.Library.Tags(ctx, f)
	texts, errOfTexts := b.texts.Tags(ctx, f)
	if err := cmp.Or(err, errOfTexts); err != nil {
		return nil, err
	}
	for _, c := range texts {
		if at := slices.IndexFunc(all, func(o index.TagCount) bool { return o.Tag == c.Tag }); at >= 0 {
			all[at].Documents += c.Documents
		} else {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b index.TagCount) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Tag, b.Tag))
	})
	return all, nil
}

// FrontMatterValues returns the values that occur in the documents or in the texts.
func (b *textsOverlay) FrontMatterValues(key string) []string {
	all := append(b.Library.FrontMatterValues(key), b.texts.FrontMatterValues(key)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// ExplainNoMatch explains why a filter matches neither documents nor texts.
func (b *textsOverlay) ExplainNoMatch(ctx context.Context, f index.Filter) ([]notice.Note, error) {
	documents, err := b.Library.ExplainNoMatch(ctx, f)
	texts, errOfTexts := b.texts.ExplainNoMatch(ctx, f)
	if elsewhere := noteOfKind(notice.Note{Kind: notice.PathMatchedDeeper}, documents); elsewhere.Kind != "" {
		return []notice.Note{elsewhere}, cmp.Or(err, errOfTexts)
	}
	return mergeWhyNone(documents, texts), cmp.Or(err, errOfTexts)
}

// CanonicalURI returns the canonical URI of a document or text.
func (b *textsOverlay) CanonicalURI(uri string) (canonical string, found bool) {
	if isTextURI(uri) {
		return b.texts.CanonicalURI(uri)
	}
	return b.Library.CanonicalURI(uri)
}

// AreDocumentTexts reports for each text whether a document or another text has exactly this content.
func (b *textsOverlay) AreDocumentTexts(ctx context.Context, texts []string) ([]bool, error) {
	said, err := b.Library.AreDocumentTexts(ctx, texts)
	also, errOfTexts := b.texts.AreDocumentTexts(ctx, texts)
	if err := cmp.Or(err, errOfTexts); err != nil {
		return nil, err
	}
	for i := range said {
		said[i] = said[i] || also[i]
	}
	return said, nil
}

// AddTexts adds the texts that do not equal a document.
func (b *textsOverlay) AddTexts(ctx context.Context, texts []string, progress chan<- int) (found, added int, err error) {
	said, err := b.Library.AreDocumentTexts(ctx, texts)
	if err != nil {
		return 0, 0, err
	}
	var fresh []string
	there := 0
	for i, text := range texts {
		switch {
		case index.IsEmptyText(text):
		case said[i]:
			there++
		default:
			fresh = append(fresh, text)
		}
	}
	if progress == nil {
		found, added, err = b.texts.AddTexts(ctx, fresh, nil)
		return there + found, added, err
	}
	more, told := make(chan int), make(chan struct{})
	go func() {
		defer close(told)
		for n := range more {
			select {
			case progress <- there + n:
			case <-ctx.Done():
			}
		}
	}()
	found, added, err = b.texts.AddTexts(ctx, fresh, more)
	close(more)
	<-told
	return there + found, added, err
}

// FreshnessNotes returns the notes on the documents and on the texts.
func (b *textsOverlay) FreshnessNotes() []notice.Note {
	return mergeNotes(b.Library.FreshnessNotes(), b.texts.FreshnessNotes(), true)
}

// Changes reports changes of the documents and of the texts.
func (b *textsOverlay) Changes(ctx context.Context) <-chan struct{} {
	documents, texts := b.Library.Changes(ctx), b.texts.Changes(ctx)
	either := make(chan struct{}, 1)
	go func() {
		for {
			select {
			case <-documents:
			case <-texts:
			case <-ctx.Done():
				return
			}
			select {
			case either <- struct{}{}:
			default: // a token is pending
			}
		}
	}()
	return either
}
