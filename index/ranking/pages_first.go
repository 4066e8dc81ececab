package ranking

import (
	"context"
	"path"
	"slices"
	"strings"

	"vademecum/index/search"
)

// raisePages moves the best passage of a page before a passage of its draft or copy that answers in the
// same way, and gives it the same score: the page is valid, even if the draft has more words of the
// question. A draft is recognised by its path and by having most of its text in common with the page. A
// draft that the question names, or that alone says what is asked, stays first.
func raisePages(ctx context.Context, r *Ranking) error {
	pages := &draftPages{of: r, isSimilar: make(map[[2]*search.Document]bool)}
	raised := false
	for i := range r.candidates[:min(len(r.candidates), nearDepth, 2*r.places()*(r.Page+1))] {
		if d := r.candidates[i].Document; countMarks(d, parseMarkedName(nameOf(d))) == 0 {
			continue // no draft, as most
		}
		page, err := pages.answeringLike(ctx, i)
		if err != nil {
			return err
		}
		if page == nil {
			continue
		}
		page.SetScore(byCopy, r.candidates[i].Score)
		page.SortsBeforeEqualScores, raised = true, true
	}
	if raised {
		search.SortCandidates(r.candidates)
	}
	return nil
}

// draftPages finds passages of the pages of drafts among the candidates of a ranking.
type draftPages struct {
	of        *Ranking
	asked     map[string]float64 // terms of the question, as names are compared with them; nil until needed
	words     *questionWords     // nil until needed
	isSimilar map[[2]*search.Document]bool
}

// answeringLike returns the candidate that is to precede the i-th one, which is from a draft: a candidate
// from the page of the draft that answers too, by the same section or else as the best of the page. It
// returns nil if there is none, or if it already precedes.
func (p *draftPages) answeringLike(ctx context.Context, i int) (*search.Candidate, error) {
	all := p.of.candidates[:min(len(p.of.candidates), nearDepth)]
	draft := &all[i]
	name := strings.ToLower(nameOf(draft.Document))
	var best *search.Candidate
	for j := range all {
		c := &all[j]
		if c.Document == draft.Document || !strings.Contains(name, strings.ToLower(nameOf(c.Document))) { // spares parsing most names
			continue
		}
		if c.IsRelatedOnly != draft.IsRelatedOnly || !isPageOfDraft(c.Document, draft.Document) || p.isMeant(draft, c) {
			continue
		}
		switch like, err := p.compare(ctx, c, draft); {
		case err != nil:
			return nil, err
		case like == sameSection:
			return unlessBefore(c, draft), nil
		case like == sameWords && best == nil:
			best = c
		}
	}
	return unlessBefore(best, draft), nil
}

// unlessBefore returns a candidate that may be nil, or nil if it precedes the other.
func unlessBefore(c, other *search.Candidate) *search.Candidate {
	if c == nil || c.Compare(other) < 0 {
		return nil
	}
	return c
}

// isMeant reports whether the question means a draft, and not its page.
func (p *draftPages) isMeant(draft, page *search.Candidate) bool {
	if p.asked == nil {
		p.asked = nameTerms(p.of.wordings()...)
	}
	return isNamedAsDraft(p.asked, draft.Document, page.Document)
}

// likeness says in what a candidate of a page answers like one of its draft.
type likeness int

const (
	nothingAlike likeness = iota
	sameWords             // it has nearly all of the words of the question that the other has
	sameSection           // it is the same section of the text, and does not score much less
)

// compare returns in what a candidate of a page answers like one of its draft.
func (p *draftPages) compare(ctx context.Context, page, draft *search.Candidate) (likeness, error) {
	if similar, err := p.areSimilar(ctx, page.Document, draft.Document); err != nil || !similar {
		return nothingAlike, err
	}
	own, err := p.of.chunkText(ctx, &page.Chunk)
	if err != nil {
		return nothingAlike, err
	}
	other, err := p.of.chunkText(ctx, &draft.Chunk)
	if err != nil || own == "" || other == "" {
		return nothingAlike, err
	}
	if contentScore(page) >= leastOfDraft*contentScore(draft) && isSameSection(page, draft, own, other) {
		return sameSection, nil
	}
	if p.words == nil {
		p.words = newQuestionWords(p.of.found.Words)
	}
	if p.words.weight(p.words.in(page, own)) >= aboutAsGood*p.words.weight(p.words.in(draft, other)) {
		return sameWords, nil
	}
	return nothingAlike, nil
}

// in returns the words of the question in a candidate, in its headings and in the title of its document.
func (q *questionWords) in(c *search.Candidate, text string) wordSet {
	return q.inText(c.Traits.Language, strings.Join(append([]string{c.Document.Title, text}, c.Heading...), "\n"))
}

// isSameSection reports whether two passages with the given texts are the same section of a page and of its
// draft, by their heading or by what they say.
func isSameSection(page, draft *search.Candidate, own, other string) bool {
	if len(page.Heading) > 0 && slices.Equal(page.Heading, draft.Heading) {
		return true
	}
	return shareInCommon(ComparableTextOf(own), ComparableTextOf(other)) >= leastOfSection
}

// areSimilar reports whether two documents, of which one is a draft of the other by their paths, have most
// of the text of the shorter one in common.
func (p *draftPages) areSimilar(ctx context.Context, a, b *search.Document) (bool, error) {
	key := [2]*search.Document{a, b}
	if similar, known := p.isSimilar[key]; known {
		return similar, nil
	}
	p.of.wantText(a)
	own, err := p.of.documentText(ctx, b)
	if err != nil {
		return false, err
	}
	other, err := p.of.documentText(ctx, a)
	if err != nil {
		return false, err
	}
	beginning := func(text string) ComparableText { return ComparableTextOf(text[:min(len(text), mostCompared)]) }
	p.isSimilar[key] = shareInCommon(beginning(own), beginning(other)) >= leastOfPage
	return p.isSimilar[key], nil
}

// shareInCommon returns the share of the words of the shorter of two texts that stand in common stretches.
func shareInCommon(a, b ComparableText) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	common := 0
	for _, s := range a.commonStretches(b) {
		common += s.length
	}
	return float64(common) / float64(max(1, len(a)))
}

// isPageOfDraft reports whether a document may be the page of which another is a draft or copy, judged by
// their paths alone: they are the same except for what marks the draft in the names of its file and folders.
// That does not suffice: in an encyclopaedia, other texts have such paths too.
func isPageOfDraft(d, draft *search.Document) bool {
	if d == draft || d.Folder != draft.Folder {
		return false
	}
	return compareMarks(draft, d) > 0 && slices.Equal(unmarkedFolders(d), unmarkedFolders(draft))
}

// unmarkedFolders returns the names of the folders of a document that do not mark drafts.
func unmarkedFolders(d *search.Document) (names []string) {
	for name := range strings.SplitSeq(path.Dir(d.Path), "/") {
		if m := parseMarkedName(name); name != "." && len(m.words) > 0 {
			names = append(names, name)
		}
	}
	return names
}
