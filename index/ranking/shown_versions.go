package ranking

import (
	"context"
	"slices"
	"strings"

	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// foldIntoShown folds a candidate into a chosen passage if it is from a version of the passage's
// document and adds nothing to it. The final version of a passage from a draft is put before the
// passage instead. To tell whether it adds anything, the candidate's words are searched in and around
// the passage: comparing sketches of chunks would not do, because the HTML, Markdown and PDF of one
// text are split into different chunks.
func (r *Ranking) foldIntoShown(ctx context.Context, c *search.Candidate, versions map[*search.Document]*search.Document) (bool, error) {
	for _, shown := range [][]*Passage{r.chosen, r.shown} {
		for _, p := range shown {
			if !mayBeShownBy(c, p, versions) {
				continue
			}
			isSaid, err := r.isShownBy(ctx, c, p)
			switch {
			case err != nil:
				return false, err
			case isSaid && isFinalVersionOf(c, &p.Candidate):
				c.SetScore(byCopy, max(c.Score, p.Score))
				c.SortsBeforeEqualScores = true
			case isSaid:
				r.recordNear(p, c)
				return true, nil
			}
		}
	}
	return false, nil
}

// mayBeShownBy reports whether a candidate may be from a version of the document of a passage, so that the
// passage can represent it: not if the question names the document of the candidate more.
func mayBeShownBy(c *search.Candidate, p *Passage, versions map[*search.Document]*search.Document) bool {
	if c.Document == p.Document || c.IsBestInLanguage || isNamedMoreThan(c, &p.Candidate) {
		return false
	}
	return areFormats(c.Document, p.Document) || firstOf(c.Document, versions) == firstOf(p.Document, versions)
}

func firstOf(d *search.Document, versions map[*search.Document]*search.Document) *search.Document {
	if first := versions[d]; first != nil {
		return first
	}
	return d
}

// isShownBy reports whether the passage p contains the text of the candidate c, which is from another
// document. The text around the passage counts too, because one of the two may begin earlier.
func (r *Ranking) isShownBy(ctx context.Context, c *search.Candidate, p *Passage) (bool, error) {
	own, err := r.chunkText(ctx, &c.Chunk)
	if err != nil || own == "" {
		return false, err
	}
	document, err := r.documentText(ctx, p.Document)
	if err != nil || document == "" {
		return false, err
	}
	said := wordsOf(r.bodies[c.Document], c.Span.StartByte, c.Span.EndByte)
	body := r.bodies[p.Document]
	whole := wordsOf(body, lineAt(document, p.Span.StartByte-2*len(own)), p.Span.StartByte)
	first := len(whole)
	whole = append(whole, wordsOf(body, p.Span.StartByte, p.Span.EndByte)...)
	last := len(whole)
	whole = append(whole, wordsOf(body, p.Span.EndByte, max(p.Span.EndByte, lineAt(document, p.Span.EndByte+2*len(own))))...)
	return said.isSaidBy(whole, first, last), nil
}

// linkTarget matches the target of a Markdown link, which is not visible in other formats.
var linkTarget = lazyregexp.New(`\]\([^()\s]*\)`)

// wordsOf returns the words of a part of a document, without those that other formats of the document do
// not have: page headers, targets of links and marks.
func wordsOf(body text.Body, start, end int) ComparableText {
	part := withoutRunningLines(body, start, end)
	if strings.Contains(part, "](") {
		part = linkTarget.ReplaceAllString(part, "]")
	}
	return ComparableTextOf(part).withoutMarks()
}

// lineAt returns the beginning of the line at a position, or the first or last position.
func lineAt(document string, at int) int {
	at = min(max(at, 0), len(document))
	for at > 0 && at < len(document) && document[at-1] != '\n' {
		at--
	}
	return at
}

// recordNear records that a candidate was folded into a passage, and so were the near duplicates that
// had been folded into the candidate. Those of them that are from the document of the passage, and not
// in any passage yet, become candidates again: a long passage of a PDF may contain several sections of
// the page of which one is shown.
func (r *Ranking) recordNear(p *Passage, c *search.Candidate) {
	to, from := chunkAt{p.Document, p.Number}, chunkAt{c.Document, c.Number}
	r.near[to] = append(r.near[to], c.Chunk)
	for _, n := range r.near[from] {
		if n.Document != p.Document {
			r.near[to] = append(r.near[to], n)
		} else if i := slices.IndexFunc(r.candidates, func(o search.Candidate) bool { return o.Document == n.Document && o.Number == n.Number }); i >= 0 && !r.isShown(&r.candidates[i]) {
			r.returned = append(r.returned, &r.candidates[i])
		}
	}
	slices.SortStableFunc(r.returned, (*search.Candidate).Compare)
	delete(r.near, from)
}

// nextReturned returns the best of the next candidate and those that became candidates again; nil
// if there is none.
func (r *Ranking) nextReturned(ctx context.Context) (c *search.Candidate, err error) {
	if r.ahead == nil {
		if r.ahead, err = r.distinct.nextDistinct(ctx); err != nil {
			return nil, err
		}
	}
	if len(r.returned) > 0 && (r.ahead == nil || r.returned[0].Compare(r.ahead) < 0) {
		c, r.returned = r.returned[0], r.returned[1:]
		return c, nil
	}
	c, r.ahead = r.ahead, nil
	return c, nil
}

// dropShown removes candidates whose content is in chosen passages.
func (r *Ranking) dropShown(ctx context.Context, left []*search.Candidate, versions map[*search.Document]*search.Document) ([]*search.Candidate, error) {
	kept := left[:0]
	for _, c := range left {
		isFolded, err := r.foldIntoShown(ctx, c, versions)
		if err != nil {
			return nil, err
		}
		if !isFolded {
			kept = append(kept, c)
		}
	}
	return kept, nil
}
