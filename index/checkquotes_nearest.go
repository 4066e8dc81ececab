package index

import (
	"cmp"
	"context"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/index/search"
)

// showNearest shows the nearest wording of each part of a quotation.
func (c *quoteChecker) showNearest(ctx context.Context, checked *CheckedQuote, n int, bodies map[*search.Document]text.Body) {
	found := false
	for i := range c.readable[n].PartCount() {
		best := CheckedPart{Verdict: QuoteNotFound}
		if said := c.claimed[c.given[n]]; said != nil {
			best = c.nearestWording(ctx, n, i, bodies, said)
		}
		if best.Verdict == QuoteNotFound {
			best = c.nearestWording(ctx, n, i, bodies, nil)
		}
		found = found || best.Verdict != QuoteNotFound
		checked.Parts = append(checked.Parts, best)
	}
	checked.Verdict = QuoteDiffers
	if c.isApart && !c.isMostlyFound(n, checked.Parts) {
		found = false
	}
	isWhole := !slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.Verdict != QuoteExact })
	switch {
	case !found:
		checked.Verdict, checked.Parts = QuoteNotFound, nil
	case slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.Verdict == QuoteStruckOut }) &&
		!slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.Verdict == QuoteDiffers || p.Verdict == QuoteNotFound }):
		checked.Verdict, checked.Note = QuoteStruckOut, cmp.Or(checked.Note, notice.QuoteIsStruckOut)
	case isWhole && len(checked.Parts) > 1:
		checked.Note = notice.QuotePartsNotConsecutive
	case isWhole:
		checked.Verdict, checked.Documents = QuoteExact, 1
	}
}

// If the sentences of a quotation are found in separate places, each sentence must have at least
// the weight leastSentence and share leastOfSentence with its place, and all sentences found must
// make up at least leastFound of the quotation: shorter sentences occur in many texts.
const (
	leastSentence   = 20
	leastOfSentence = 0.85
	leastFound      = 0.35
)

// isMostlyFound reports whether enough of a quotation was found as separate sentences.
func (c *quoteChecker) isMostlyFound(n int, parts []CheckedPart) bool {
	all, found := 0, 0
	for i, p := range parts {
		weight := c.readable[n].PartWeight(i)
		all += weight
		if weight >= leastSentence && (p.Verdict == QuoteExact || p.SharedFraction >= leastOfSentence) {
			found += weight
		}
	}
	return float64(found) >= leastFound*float64(all)
}

// nearEnough is how close to a part a place must be for no further places to be compared.
const nearEnough = 0.95

// nearestWording returns the wording in the documents that is nearest to part i of quotation n. If of
// is not nil, it searches only that document. What is struck out counts only if it has the whole part, or if
// nothing else has anything like it.
func (c *quoteChecker) nearestWording(ctx context.Context, n, i int, bodies map[*search.Document]text.Body, of *search.Document) CheckedPart {
	best := c.nearestAmong(ctx, c.alike[[2]int{n, i}], n, i, bodies, of)
	if best.Verdict == QuoteExact || best.Verdict == QuoteStruckOut {
		return best
	}
	if out := c.nearestAmong(ctx, c.alikeStruck[[2]int{n, i}], n, i, bodies, of); out.Verdict == QuoteStruckOut || best.Verdict == QuoteNotFound {
		return out
	}
	return best
}

// nearestAmong returns the wording that is nearest to part i of quotation n at some similar places.
func (c *quoteChecker) nearestAmong(ctx context.Context, places []similarPlace, n, i int, bodies map[*search.Document]text.Body, of *search.Document) CheckedPart {
	best, closest := CheckedPart{Verdict: QuoteNotFound}, 0.0
	for _, p := range places {
		if of != nil && p.Document != of {
			continue
		}
		w, err := c.readable[n].NearestWording(ctx, i, bodies[p.Document].Text, p.PartialMatch)
		if err != nil || w.SharedFraction < quote.MinSharedFraction || w.Closeness <= closest {
			continue
		}
		closest = w.Closeness
		best = c.checkedPart(QuoteDiffers, p.Document, bodies[p.Document], w.Range)
		best.SharedFraction, best.DiffRuns = w.SharedFraction, w.Runs
		if w.IsStruckOut {
			best.MarkedText, best.ValidText = struckContext(bodies[p.Document].Text, w.Range)
		}
		switch {
		case p.StruckOut.End > 0:
			best.Verdict = QuoteStruckOut
		case !slices.ContainsFunc(w.Runs, func(r quote.DiffRun) bool { return r.Differs }):
			best.Verdict, best.DiffRuns = QuoteExact, nil
		}
		if closest > nearEnough {
			break
		}
	}
	return best
}

// recordOtherSource notes that a quotation does not appear in the document that it is attributed
// to, and what that document says instead.
func (c *quoteChecker) recordOtherSource(ctx context.Context, checked *CheckedQuote, n int, bodies map[*search.Document]text.Body) {
	said := c.claimed[c.given[n]]
	if said == nil || checked.Verdict == QuoteNotFound || slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.Path == c.folders.ShownPath(said.Location()) }) {
		return
	}
	checked.Note = notice.QuoteNotFromDocument(c.folders.ShownPath(said.Location()))
	if checked.Verdict != QuoteExact && checked.Verdict != QuoteStruckOut {
		return
	}
	instead := c.nearestWording(ctx, n, 0, bodies, said)
	if places := c.struck[n]; len(places) > 0 && places[0].Document == said { // it comes first: see wantedDocuments
		parts := c.struckParts(places[0], bodies)
		instead = parts[max(0, slices.IndexFunc(parts, func(p CheckedPart) bool { return p.Verdict == QuoteStruckOut }))]
		checked.Note = notice.QuoteIsStruckOut
	}
	if instead.Verdict == QuoteDiffers || instead.Verdict == QuoteStruckOut {
		checked.Parts = append([]CheckedPart{instead}, checked.Parts...)
		checked.Verdict, checked.FirstPartIsInClaimedDocument = instead.Verdict, true
	}
}
