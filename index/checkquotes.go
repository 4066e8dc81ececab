package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/index/quote"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// MaxQuotes is the maximum number of quotations per check.
const MaxQuotes = 30

// QuoteQuery is a list of quotations to check.
type QuoteQuery struct {
	Quotes  []Quote       // at most MaxQuotes
	Timeout time.Duration // limit for searching the texts; 0 means the default, literalTime
}

// Quote is a text that is claimed to appear in the documents.
type Quote struct {
	Text string // at most quote.MaxRunes
	// path of the document that the quotation is attributed to, as in ReadQuery.Ref; "" if none
	Path string
}

// checkQuotes reports for each quotation where it appears, or else the nearest wording. An error
// means that the query as a whole is invalid: a quotation that cannot be checked does not affect
// the others.
func (ix *Index) checkQuotes(ctx context.Context, q QuoteQuery) (CheckedQuotes, error) {
	if err := q.Check(); err != nil {
		return CheckedQuotes{}, err
	}
	var c *quoteChecker
	since, err := ix.scanTexts(ctx, ix.literals, cmp.Or(q.Timeout, literalTime), func(ctx context.Context, scan *textScan) error {
		c = newQuoteChecker(ctx, scan, q)
		return c.check(ctx)
	})
	if err != nil {
		return CheckedQuotes{}, fmt.Errorf("check quotations: %w", err)
	}
	missed := c.missedNotes()
	notes := append(slices.Clip(missed), scanNotes(since)...)
	if slices.ContainsFunc(c.quotes, func(q CheckedQuote) bool { return q.Verdict == QuoteNotFound }) {
		notes = append(notes, ix.hiddenPartNotes(search.Filter{})...)
	}
	return CheckedQuotes{
		Quotes: c.quotes, Notes: notes,
		Incomplete: len(missed) > 0 || since.MayHaveMissed,
	}, nil
}

// Check returns an error if the query as a whole is invalid.
func (q QuoteQuery) Check() error {
	switch n := len(q.Quotes); {
	case n == 0:
		return message.Errorf("quotes is empty: give the quotations to check")
	case n > MaxQuotes:
		return message.Errorf("quotes has %d quotations, at most %d are checked at once: give the others in another call", n, MaxQuotes)
	}
	return nil
}

// quoteChecker checks the quotations of one query.
type quoteChecker struct {
	*textScan
	quotes  []CheckedQuote
	claimed []*search.Document // document that each quotation is attributed to; nil if none

	given    []int             // indexes of the quotations that are searched
	readable []quote.Quotation // the parsed quotations, parallel to given
	isApart  bool              // the parts are sentences that were claimed to be adjacent

	mu     sync.Mutex
	exact  map[int][]exactPlace // exact matches, by index in readable
	struck map[int][]exactPlace // those with words that are struck out
	// similar places, by index in readable and part, best first, in the valid text; and those in the text with
	// its struck-out words
	alike, alikeStruck map[[2]int][]similarPlace
}

// exactPlace is a place where a document contains a quotation exactly, with or without words that are struck
// out.
type exactPlace struct {
	*search.Document
	parts []match.Range
}

// similarPlace is a place where a document has text similar to a part of a quotation.
type similarPlace struct {
	*search.Document
	quote.PartialMatch
}

func newQuoteChecker(ctx context.Context, scan *textScan, q QuoteQuery) *quoteChecker {
	c := &quoteChecker{textScan: scan, quotes: make([]CheckedQuote, len(q.Quotes)), claimed: make([]*search.Document, len(q.Quotes))}
	for i, given := range q.Quotes {
		readable, err := quote.New(given.Text)
		if err != nil {
			c.quotes[i] = CheckedQuote{Verdict: QuoteNotChecked, Note: message.FromError(err)}
			continue
		}
		if given.Path != "" {
			c.claimed[i], c.quotes[i].Note = c.claimedDocument(ctx, given.Path)
		}
		c.given, c.readable = append(c.given, i), append(c.readable, readable)
	}
	return c
}

// claimedDocument returns the document that a quotation is attributed to, or why there is none.
func (c *quoteChecker) claimedDocument(ctx context.Context, ref string) (*search.Document, message.Message) {
	d, _, err := c.findIndexed(ctx, ref)
	if err != nil {
		return nil, message.FromError(err)
	}
	return d, ""
}

// muchShared is the share of a quotation that a single place must cover for the quotation not to be
// searched again sentence by sentence.
const muchShared = 0.8

// check searches all texts for the quotations, and then for the sentences of those quotations that
// no single place covers for the most part.
func (c *quoteChecker) check(ctx context.Context) error {
	if err := c.scanDocuments(ctx); err != nil {
		return err
	}
	var given []int
	var apart []quote.Quotation
	for n, i := range c.given {
		isLittle := c.quotes[i].Verdict == QuoteNotFound || c.quotes[i].Verdict == QuoteDiffers && len(c.quotes[i].Parts) == 1 && c.quotes[i].Parts[0].SharedFraction < muchShared
		if sentences, ok := c.readable[n].SplitIntoSentences(); ok && isLittle {
			given, apart = append(given, i), append(apart, sentences)
		}
	}
	c.given, c.readable, c.isApart = given, apart, true
	return c.scanDocuments(ctx)
}

// scanDocuments searches all texts, and compares the places found with the quotations.
func (c *quoteChecker) scanDocuments(ctx context.Context) error {
	if len(c.readable) == 0 {
		return nil
	}
	c.exact, c.struck = make(map[int][]exactPlace), make(map[int][]exactPlace)
	c.alike, c.alikeStruck = make(map[[2]int][]similarPlace), make(map[[2]int][]similarPlace)
	scanner := quote.NewScanner(c.readable)
	err := c.eachDocument(ctx, search.Filter{}, func(ctx context.Context, d *search.Document, body text.Body) error {
		scan := scanner.Scan
		if d.TextMIME == "text/csv" {
			scan = scanner.ScanTable
		}
		found, err := scan(ctx, body.Text)
		c.addFound(d, found)
		return err
	})
	if err != nil {
		return err
	}
	bodies, err := c.view.LoadBodies(ctx, c.wantedDocuments())
	if err != nil {
		return err
	}
	for n, i := range c.given {
		checked := CheckedQuote{Note: c.quotes[i].Note}
		switch {
		case len(c.exact[n]) > 0:
			c.showExact(&checked, n, bodies)
		case len(c.struck[n]) > 0:
			c.showStruck(&checked, c.struck[n][0], bodies)
		default:
			c.showNearest(ctx, &checked, n, bodies)
		}
		c.recordOtherSource(ctx, &checked, n, bodies)
		if checked.Verdict != QuoteNotFound || !c.isApart {
			c.quotes[i] = checked
		}
	}
	return ctx.Err()
}

// mostAlike is the maximum number of similar places that are compared with a part of a quotation.
const mostAlike = 4

// addFound adds the quotations found in a document.
func (c *quoteChecker) addFound(d *search.Document, found []quote.Match) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range found {
		if f.Exact != nil {
			c.exact[f.QuoteIndex] = append(c.exact[f.QuoteIndex], exactPlace{d, f.Exact})
		}
		if f.StruckOut != nil {
			c.struck[f.QuoteIndex] = append(c.struck[f.QuoteIndex], exactPlace{d, f.StruckOut})
		}
		for i, l := range f.Parts {
			if l.SeedCount == 0 {
				continue
			}
			alike := c.alike
			if l.ComparesStruckText {
				alike = c.alikeStruck
			}
			key := [2]int{f.QuoteIndex, i}
			all := append(alike[key], similarPlace{d, l})
			slices.SortFunc(all, func(a, b similarPlace) int { return c.compareSimilar(f.QuoteIndex, a, b) })
			alike[key] = all[:min(mostAlike, len(all))]
		}
	}
}

// compareSimilar orders places: the document that the quotation is attributed to first, then by how
// much they share with the quotation, then by path.
func (c *quoteChecker) compareSimilar(n int, a, b similarPlace) int {
	return cmp.Or(c.compareClaimed(n, a.Document, b.Document), a.PartialMatch.Compare(b.PartialMatch), compareLocations(a.Document, b.Document))
}

// compareClaimed orders the document that a quotation is attributed to first.
func (c *quoteChecker) compareClaimed(n int, a, b *search.Document) int {
	said := c.claimed[c.given[n]]
	switch {
	case said == nil || a.Location() == b.Location():
		return 0
	case a.Location() == said.Location():
		return -1
	case b.Location() == said.Location():
		return 1
	}
	return 0
}

func compareLocations(a, b *search.Document) int {
	return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
}

// wantedDocuments returns the documents whose text is to be shown or compared. It sorts the places.
func (c *quoteChecker) wantedDocuments() (all []*search.Document) {
	for _, found := range []map[int][]exactPlace{c.exact, c.struck} {
		for n, places := range found {
			slices.SortFunc(places, func(a, b exactPlace) int {
				return cmp.Or(c.compareClaimed(n, a.Document, b.Document), compareLocations(a.Document, b.Document))
			})
			all = append(all, places[0].Document)
		}
	}
	for _, found := range []map[[2]int][]similarPlace{c.alike, c.alikeStruck} {
		for _, places := range found {
			for _, p := range places {
				all = append(all, p.Document)
			}
		}
	}
	slices.SortFunc(all, compareLocations)
	return slices.Compact(all)
}
