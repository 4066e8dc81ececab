package index

import (
	"cmp"
	"slices"
	"strings"

	"vademecum/docs/text"
	"vademecum/index/match"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/index/search"
)

// alsoNamed is the maximum number of further documents named that contain a quotation.
const alsoNamed = 3

// showExact shows the first exact place of quotation n. The verdict is that the quotation differs
// if it omits text that may change its meaning, or if its sentences are not adjacent in the
// document.
func (c *quoteChecker) showExact(checked *CheckedQuote, n int, bodies map[*search.Document]text.Body) {
	places, first := c.exact[n], c.exact[n][0]
	body := bodies[first.Document]
	read, at := c.readable[n].ComparedText(body.Text, first.parts)
	leftOut, mayChange := quote.OmittedTexts(read, at)
	for i, r := range first.parts {
		part := c.checkedPart(QuoteExact, first.Document, body, r)
		if c.readable[n].HasStruckMarks() {
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
	word := cmp.Or(quote.NegationBefore(read, at[0].Start), quote.ConditionBefore(read, at[0].Start))
	switch {
	case checked.Note != "":
	case c.readable[n].HasStruckMarks() && slices.ContainsFunc(checked.Parts, func(p CheckedPart) bool { return p.MarkedText != "" }):
		checked.Note = notice.QuoteHasStruckMarks
	case len(c.struck[n]) > 0:
		checked.Note = notice.QuoteIsStruckOutIn(c.folders.ShownPath(c.struck[n][0].Location()))
	case word != "":
		checked.Note = notice.QuoteOmitsWordBefore(word)
	case slices.ContainsFunc(first.parts, func(r match.Range) bool {
		isRows := first.TextMIME == "text/csv" && strings.Contains(body.Text[r.Start:r.End], "\n")
		return isRows || c.readable[n].JoinsBlocks(body.Text, r.Start, r.End)
	}):
		checked.Note = notice.QuoteJoinsBlocks
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
		Span: span, Place: body.Location(span), Fragment: body.URIFragment(span),
	}
}
