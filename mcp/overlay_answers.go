package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/ranking"
)

// search searches the documents and the texts, and merges the results into one ranking. Page n of it has the
// best passages of the first n pages of both results that are not on an earlier page.
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
		Incomplete: documents.Incomplete || texts.Incomplete, HasLowCoverage: documents.HasLowCoverage && texts.HasLowCoverage,
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
	a.Notes = settleNotes(mergeNotes(documents.Notes, texts.Notes, len(a.Passages) > 0), a.HasLowCoverage, a.HasLowCoverage && (lacksSubject(documents) || lacksSubject(texts)))
	return a
}

// weightsByReference returns factors that convert the scores of two answers, each relative to the best
// passage of its own answer, to scores relative to the best passage of both. The texts were scored by the
// statistics of the documents. If a text has a higher score for words than every document, that score
// became the unit of the scores of the texts, so those of the documents are converted to it.
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
