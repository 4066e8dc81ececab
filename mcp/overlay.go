package mcp

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/ranking"
)

// textsOverlay is a Library that combines the documents with the texts of one owner, which are in a
// Library of their own. What is known of the documents serves to score the texts, but not the other way
// round: otherwise other clients, which search only the documents, could notice that there are texts.
type textsOverlay struct {
	Library // the documents
	texts   Library
}

var _ Library = (*textsOverlay)(nil)

func isTextURI(uri string) bool { return strings.HasPrefix(uri, index.TextURIPrefix) }

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

// search searches the documents and the texts, and merges the results into one ranking. A page of it takes
// the best passages of the pages of both up to it that no earlier page has.
func (b *textsOverlay) search(ctx context.Context, q index.Query) (index.Answer, error) {
	q.WithScoreReference = true
	var documents, texts, a index.Answer
	last, shown := q.Page, make(map[string]bool) // by URI
	for q.Page = 0; ; q.Page++ {
		if err := appendPage(ctx, b.Library, q, &documents); err != nil {
			return index.Answer{}, err
		}
		ofTexts := q
		ofTexts.ScoreReference = documents.ScoreReference
		if err := appendPage(ctx, b.texts, ofTexts, &texts); err != nil {
			return index.Answer{}, err
		}
		a = mergeAnswers(documents, texts)
		a.Passages = slices.DeleteFunc(a.Passages, func(p index.Passage) bool { return shown[p.URI] })
		a.ShownBefore = len(shown)
		if size := cmp.Or(q.TopK, index.DefaultTopK); len(a.Passages) > size {
			a.Passages, a.HasMore = a.Passages[:size], true
		}
		if q.Page == last {
			return a, nil
		}
		for _, p := range a.Passages {
			shown[p.URI] = true
		}
	}
}

// appendPage appends the passages of a page of an answer to those of the pages before, if there are more.
// All else stays as on the first page.
func appendPage(ctx context.Context, l Library, q index.Query, a *index.Answer) error {
	if q.Page > 0 && !a.HasMore {
		return nil
	}
	page, err := index.Ask(ctx, l, q)
	switch {
	case err != nil:
		return err
	case q.Page == 0:
		*a = page
	default:
		a.Passages, a.HasMore = append(a.Passages, page.Passages...), page.HasMore
	}
	return nil
}

// mergeAnswers merges two answers into one. With a tenth of the documents of
// three collections given as texts, nDCG@10 is .706 (SciFact), .976 (Chinese articles) and .229 (medical
// Chinese); with all in one index it is .706, .978 and .229. Scored by their own statistics, texts had .225
// on the last, and a single text, in which most words of a question are missing, stood far below its file.
func mergeAnswers(documents, texts index.Answer) index.Answer {
	a := index.Answer{
		Incomplete: documents.Incomplete || texts.Incomplete, LowCoverage: documents.LowCoverage && texts.LowCoverage,
		BestCoverage: max(documents.BestCoverage, texts.BestCoverage), HasMore: documents.HasMore || texts.HasMore,
	}
	ofDocuments, ofTexts := weightsByReference(documents, texts)
	add := func(of index.Answer, weight float64) {
		for _, p := range of.Passages {
			p.Score *= weight
			a.Passages = append(a.Passages, p)
		}
	}
	add(documents, ofDocuments)
	texts.Passages = slices.DeleteFunc(slices.Clone(texts.Passages), func(p index.Passage) bool {
		at := slices.IndexFunc(a.Passages, func(o index.Passage) bool { return isSaidBy(p, o) })
		if at < 0 {
			return false
		}
		// the passage of the document takes the place of the text, lest neither be shown
		if o := &a.Passages[at]; !p.IsRelatedOnly {
			o.Score, o.IsRelatedOnly = max(o.Score, p.Score*ofTexts), false
		}
		return true
	})
	add(texts, ofTexts)
	slices.SortStableFunc(a.Passages, func(p, o index.Passage) int {
		return cmp.Or(compareBools(p.IsRelatedOnly, o.IsRelatedOnly), cmp.Compare(o.Score, p.Score))
	})
	a.Notes = settleNotes(mergeNotes(documents.Notes, texts.Notes, len(a.Passages) > 0), a.LowCoverage, a.LowCoverage && (lacksSubject(documents) || lacksSubject(texts)))
	return a
}

// weightsByReference returns factors that make the scores of two answers, each relative to the best passage
// of its own answer, relative to the best passage of both. The texts were scored by the statistics of the
// documents. If a text has a higher score for words than every document, that score became the unit of the
// scores of the texts, so those of the documents are converted to it.
func weightsByReference(documents, texts index.Answer) (ofDocuments, ofTexts float64) {
	d, t := documents.ScoreReference, texts.ScoreReference
	if d.BestWordScore <= 0 || t.BestWordScore <= 0 || documents.Passages[0].IsRelatedOnly || texts.Passages[0].IsRelatedOnly {
		return weightsByCoverage(documents, texts)
	}
	ofDocuments, ofTexts = d.BestScore*d.BestWordScore/t.BestWordScore, t.BestScore
	whole := max(ofDocuments, ofTexts)
	if !lacksSubject(documents) || !lacksSubject(texts) { // otherwise the scores are weighted by coverage
		whole = max(ofDocuments*bestShare(documents), ofTexts*bestShare(texts))
	}
	if whole <= 0 {
		return 1, 1
	}
	return ofDocuments / whole, ofTexts / whole
}

// bestShare returns the score of the best passage of the first page of an answer.
func bestShare(a index.Answer) float64 {
	if lacksSubject(a) && a.BestCoverage > 0 {
		return a.BestCoverage
	}
	return 1
}

// weightsByCoverage returns the factors for two answers that cannot be compared otherwise: how much of the
// question the best passage of each covers.
func weightsByCoverage(documents, texts index.Answer) (ofDocuments, ofTexts float64) {
	whole := max(documents.BestCoverage, texts.BestCoverage)
	if lacksSubject(documents) && lacksSubject(texts) {
		whole = 1
	}
	weight := func(of index.Answer) float64 {
		switch {
		case documents.BestCoverage <= 0 || texts.BestCoverage <= 0:
			return 1
		case lacksSubject(of): // the scores of this answer are weighted by coverage already
			return 1 / whole
		}
		return of.BestCoverage / whole
	}
	return weight(documents), weight(texts)
}

// lacksSubject reports whether an answer notes that the subject of the question occurs nowhere.
func lacksSubject(a index.Answer) bool {
	return slices.ContainsFunc(a.Notes, func(n notice.Note) bool { return n.Kind == notice.QuestionSubjectNotFound })
}

// settleNotes adapts the notes of two answers to the answer merged from them. little reports
// whether the merged answer covers little of the question, and lacks whether the subject of the
// question occurs nowhere.
func settleNotes(notes []notice.Note, little, lacks bool) []notice.Note {
	for i, n := range notes {
		switch {
		case isOfUnknown(n) && lacks:
			notes[i].Kind = notice.QuestionSubjectNotFound
		case isOfUnknown(n):
			notes[i].Kind = notice.UnknownWords
		}
	}
	return slices.DeleteFunc(notes, func(n notice.Note) bool { return n.Kind == notice.OtherLanguage && !little })
}

// isOfUnknown reports whether a note is about words that occur nowhere.
func isOfUnknown(n notice.Note) bool {
	return n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound
}

// isSaidBy reports whether o has the text of p, whole and in the same order.
func isSaidBy(p, o index.Passage) bool {
	return strings.TrimSpace(o.Text) == strings.TrimSpace(p.Text) || ranking.ComparableTextOf(o.Text).Contains(ranking.ComparableTextOf(p.Text))
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// ofNone are the kinds of notes that explain why nothing was found, or why no document matches a
// filter.
var ofNone = []notice.Kind{notice.NoDocumentAtPath, notice.NoDocumentWithTag, notice.NoDocumentWithKey, notice.NoDocumentWithValue, notice.NoDocumentInPeriod, notice.NoDocumentWithLink, notice.NoDocumentMeetsAll, notice.NothingSearchable, notice.NoMatchInFilter}

func isWhyNone(n notice.Note) bool { return slices.Contains(ofNone, n.Kind) }

// mergeNotes returns the notes that hold for the documents and the texts together: a word that
// occurs in one of them, for example, is not unknown. found reports whether any passage was found.
func mergeNotes(documents, texts []notice.Note, found bool) []notice.Note {
	var all []notice.Note
	for _, n := range documents {
		o := noteOfKind(n, texts)
		switch {
		case isOfUnknown(n):
			n.Words = slices.DeleteFunc(slices.Clone(n.Words), func(w string) bool { return !isUnknown(w, texts) })
			if len(n.Words) > 0 {
				all = append(all, n)
			}
		case isWhyNone(n):
		case n.Kind == notice.PassagesWithoutVector || n.Kind == notice.PassagesRefusedByModel:
			n.Count, n.Total, n.Duration = n.Count+o.Count, n.Total+o.Total, max(n.Duration, o.Duration)
			all = append(all, n)
		default:
			all = append(all, n)
		}
	}
	for _, n := range texts {
		if !isOfUnknown(n) && !isWhyNone(n) && noteOfKind(n, documents).Kind == "" {
			all = append(all, n)
		}
	}
	if found {
		return all
	}
	return append(all, mergeWhyNone(documents, texts)...)
}

// isUnknown reports whether one of the notes states that a word occurs nowhere.
func isUnknown(word string, notes []notice.Note) bool {
	return slices.ContainsFunc(notes, func(n notice.Note) bool { return isOfUnknown(n) && slices.Contains(n.Words, word) })
}

// mergeWhyNone returns the notes that explain why neither the documents nor the texts contain a
// match; it returns none if one of the two does not explain it.
func mergeWhyNone(documents, texts []notice.Note) []notice.Note {
	one, other := slices.Clone(documents), slices.Clone(texts)
	one = slices.DeleteFunc(one, func(n notice.Note) bool { return !isWhyNone(n) })
	other = slices.DeleteFunc(other, func(n notice.Note) bool { return !isWhyNone(n) })
	if len(one) == 0 || len(other) == 0 {
		return nil
	}
	isIn := func(n notice.Note) bool { return n.Kind == notice.NoMatchInFilter }
	in, alsoIn := slices.IndexFunc(one, isIn), slices.IndexFunc(other, isIn)
	switch {
	case alsoIn < 0:
		return one
	case in >= 0:
		one[in].Count += other[alsoIn].Count
		return one
	}
	return other
}

// noteOfKind returns the note of the same kind as n; the zero value if there is none.
func noteOfKind(n notice.Note, among []notice.Note) notice.Note {
	if at := slices.IndexFunc(among, func(o notice.Note) bool { return o.Kind == n.Kind }); at >= 0 {
		return among[at]
	}
	return notice.Note{}
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
	ofTexts.Offset = max(0, q.Offset-found.Lines)
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
		} else if q.Offset < found.Lines { // no earlier page has shown any of its lines
			found.OtherDocuments = append(found.OtherDocuments, index.FoundDocument{Path: d.Path, Occurrences: d.Occurrences})
		}
	}
	found.OtherDocuments = append(found.OtherDocuments, texts.OtherDocuments...)
	found.Notes = mergeNotes(found.Notes, texts.Notes, found.Occurrences+texts.Occurrences > 0)
	found.Occurrences, found.Documents, found.Lines = found.Occurrences+texts.Occurrences, found.Documents+texts.Documents, found.Lines+texts.Lines
	found.Incomplete = found.Incomplete || texts.Incomplete
	if found.NextOffset = 0; q.Offset+q.MaxLines < found.Lines {
		found.NextOffset = q.Offset + q.MaxLines
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
