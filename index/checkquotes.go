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
	"vademecum/index/notice"
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

// Verdict is the result of checking a quotation.
type Verdict string

const (
	QuoteExact      Verdict = "exact"
	QuoteStruckOut  Verdict = "struck out" // exact but for its words, or some of them, being struck out
	QuoteDiffers    Verdict = "differs"
	QuoteNotFound   Verdict = "nowhere"
	QuoteNotChecked Verdict = "not checked" // see CheckedQuote.Note
)

// CheckedQuotes holds the results, in the order of the quotations.
type CheckedQuotes struct {
	Quotes []CheckedQuote `json:"quotes"`
	Notes  []notice.Note  `json:"notes,omitempty"`

	// Incomplete means that not all documents were searched.
	Incomplete bool `json:"incomplete,omitempty"`
}

// CheckedQuote is the result for one quotation.
type CheckedQuote struct {
	Verdict Verdict `json:"verdict"`
	// Parts are the matching places in documents: one, unless the quotation has an ellipsis, or its
	// sentences are found in separate places.
	Parts     []CheckedPart `json:"parts,omitempty"`
	Documents int           `json:"documents,omitempty"` // number of documents with the exact quotation
	// paths of some of the other documents with the exact quotation
	OtherPaths []string        `json:"also,omitempty"`
	Note       message.Message `json:"note,omitempty"` // why it was not checked, or what else the reader should know

	// FirstPartIsAttributed means that the first part is the wording in the document that the quotation is
	// attributed to, and the other parts are the places where the quotation actually appears.
	FirstPartIsAttributed bool `json:"elsewhere,omitempty"`
}

// CheckedPart is the place and wording in a document that matches a part of a quotation.
type CheckedPart struct {
	Verdict  Verdict         `json:"verdict"`
	Path     string          `json:"path,omitempty"` // as shown; "" if the part appears nowhere
	URI      string          `json:"uri,omitempty"`  // URI of the document
	Place    message.Message `json:"place,omitempty"`
	Fragment string          `json:"fragment,omitempty"` // part of the document in the form of a URI fragment, without the #
	DiffRuns []quote.DiffRun `json:"runs,omitempty"`     // differences between the two wordings
	// text in the document between the previous part and this one
	OmittedText string `json:"left_out,omitempty"`
	// text of the document around the part, with the marks ~~ around struck-out words; "" if no words
	// of the part are struck out
	MarkedText string `json:"marked,omitempty"`
	// the same text without its struck-out words; may be empty
	ValidText      string  `json:"valid,omitempty"`
	SharedFraction float64 `json:"-"` // share of the quotation that the part of the document contains
	text.Span      `json:"-"`
}

// MoreInformative returns the more informative of two results for the same quotation, from different
// documents.
func (q CheckedQuote) MoreInformative(other CheckedQuote) CheckedQuote {
	if q.Verdict == QuoteExact && other.Verdict == QuoteExact {
		q.Documents += other.Documents
	}
	if other.rank() > q.rank() {
		other.Documents = max(other.Documents, q.Documents)
		return other
	}
	return q
}

// rank orders results: exact ones before those that are struck out, these before those that differ, and
// results without a note before those with one.
func (q CheckedQuote) rank() float64 {
	n := 0.0
	switch q.Verdict {
	case QuoteExact:
		n = 6
	case QuoteStruckOut:
		n = 4
	case QuoteDiffers:
		for _, p := range q.Parts {
			n += p.SharedFraction / float64(len(q.Parts))
		}
	}
	if q.Note == "" {
		n++
	}
	return n
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
	// similar places, by index in readable and part, best first; and those in texts together with what is
	// struck out there
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
		found, err := scanner.Scan(ctx, body.Text)
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
		if f.Struck != nil {
			c.struck[f.QuoteIndex] = append(c.struck[f.QuoteIndex], exactPlace{d, f.Struck})
		}
		for i, l := range f.Parts {
			if l.SeedCount == 0 {
				continue
			}
			alike := c.alike
			if l.IncludesStruck {
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
	return cmp.Or(c.compareClaimed(n, a.Document, b.Document), cmp.Compare(b.SeedCount, a.SeedCount), compareLocations(a.Document, b.Document))
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

// alsoNamed is the maximum number of further documents named that contain a quotation.
const alsoNamed = 3

// showExact shows the first exact place of quotation n. The verdict is that the quotation differs
// if it omits text that may change its meaning, or if its sentences are not adjacent in the
// document.
func (c *quoteChecker) showExact(checked *CheckedQuote, n int, bodies map[*search.Document]text.Body) {
	places, first := c.exact[n], c.exact[n][0]
	body := bodies[first.Document]
	read, at := c.readable[n].Reading(body.Text, first.parts)
	leftOut, mayChange := quote.OmittedText(read, at)
	for i, r := range first.parts {
		part := c.checkedPart(QuoteExact, first.Document, body, r)
		if c.readable[n].MarksStruck() {
			part.MarkedText, part.ValidText = struckContext(body.Text, r)
		}
		if i > 0 {
			part.OmittedText = leftOut[i-1]
		}
		checked.Parts = append(checked.Parts, part)
	}
	if mayChange || c.isApart {
		checked.Verdict, checked.Note = QuoteDiffers, notice.QuoteOmitsText
		return
	}
	checked.Verdict, checked.Documents = QuoteExact, len(places)
	for _, p := range places[1:min(len(places), 1+alsoNamed)] {
		checked.OtherPaths = append(checked.OtherPaths, c.folders.ShownPath(p.Location()))
	}
	word := quote.NegationBefore(read, at[0].Start)
	switch {
	case checked.Note != "":
	case c.readable[n].MarksStruck() && slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.MarkedText != "" }):
		checked.Note = notice.QuoteMarksStruck
	case word != "":
		checked.Note = notice.QuoteOmitsWordBefore(word)
	case len(c.struck[n]) > 0:
		checked.Note = notice.QuoteIsStruckOutIn(c.folders.ShownPath(c.struck[n][0].Location()))
	}
}

// showStruck shows a place of a quotation whose words, or some of them, are struck out.
func (c *quoteChecker) showStruck(checked *CheckedQuote, place exactPlace, bodies map[*search.Document]text.Body) {
	checked.Verdict = QuoteStruckOut
	checked.Parts = c.struckParts(place, bodies)
	if checked.Note == "" {
		checked.Note = notice.QuoteIsStruckOut
	}
}

// struckParts describes the parts of a quotation at a place where words of it are struck out.
func (c *quoteChecker) struckParts(place exactPlace, bodies map[*search.Document]text.Body) (parts []CheckedPart) {
	body := bodies[place.Document]
	for _, r := range place.parts {
		part := c.checkedPart(QuoteExact, place.Document, body, r)
		if part.MarkedText, part.ValidText = struckContext(body.Text, r); part.MarkedText != "" {
			part.Verdict = QuoteStruckOut
		}
		parts = append(parts, part)
	}
	return parts
}

// checkedPart describes a part of a quotation at a place in a document.
func (c *quoteChecker) checkedPart(v Verdict, d *search.Document, body text.Body, r match.Range) CheckedPart {
	span := text.SpanOf(body.Text, r.Start, r.End)
	return CheckedPart{
		Verdict: v, Path: c.folders.ShownPath(d.Location()), URI: c.describe(d).URI,
		Span: span, Place: body.Location(span), Fragment: body.Fragment(span),
	}
}

// showNearest shows the nearest wording of each part of a quotation.
func (c *quoteChecker) showNearest(ctx context.Context, checked *CheckedQuote, n int, bodies map[*search.Document]text.Body) {
	found := false
	for i := range c.readable[n].PieceCount() {
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

// nearEnough is the share of a part that a place must cover for no further places to be compared.
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
	best := CheckedPart{Verdict: QuoteNotFound}
	for _, p := range places {
		if of != nil && p.Document != of {
			continue
		}
		w, err := c.readable[n].NearestWording(ctx, i, bodies[p.Document].Text, p.PartialMatch)
		if err != nil || w.SharedFraction < quote.MinSharedFraction || w.SharedFraction <= best.SharedFraction {
			continue
		}
		best = c.checkedPart(QuoteDiffers, p.Document, bodies[p.Document], w.Range)
		best.SharedFraction, best.DiffRuns = w.SharedFraction, w.Runs
		if w.IsStruckOut {
			best.MarkedText, best.ValidText = struckContext(bodies[p.Document].Text, w.Range)
		}
		switch {
		case p.Struck.End > 0:
			best.Verdict = QuoteStruckOut
		case !slices.ContainsFunc(w.Runs, func(r quote.DiffRun) bool { return r.Differs }):
			best.Verdict, best.DiffRuns = QuoteExact, nil
		}
		if best.SharedFraction > nearEnough {
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
		checked.Verdict, checked.FirstPartIsAttributed = instead.Verdict, true
	}
}
