package index

import (
	"vademecum/docs/text"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/internal/base/message"
)

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

	// FirstPartIsInClaimedDocument means that the first part is the wording in the document that the quotation is
	// attributed to, and the other parts are the places where the quotation actually appears.
	FirstPartIsInClaimedDocument bool `json:"elsewhere,omitempty"`
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
