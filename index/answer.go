package index

import (
	"encoding/json"

	"vademecum/docs/text"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Answer is what a query found, best first.
type Answer struct {
	Passages    []Passage     `json:"passages"`
	Notes       []notice.Note `json:"notes,omitempty"` // what the reader should know about the answer; in JSON in words
	LowCoverage bool          `json:"-"`               // other wordings may find more: no passage has half of what the words of the question weigh
	Covered     float64       `json:"-"`               // how much of the words of the question the best passage has, see search.Found; 0 where a model finds passages too

	// Incomplete says that there may be documents that were not searched: the
	// folder was being compared with the index, or that was being built.
	Incomplete bool `json:"incomplete,omitempty"`

	More       bool               `json:"-"` // passages follow, on the next page
	Expansions []search.Expansion `json:"-"` // words that count beside those of the question

	Facets Facets `json:"-"` // none when they were not asked for
}

// WithoutCopies is a passage without what is reported where else something stands.
func (p Passage) WithoutCopies() Passage {
	p.LinkedFrom, p.Rest, p.Copies, p.MoreCopies, p.Near, p.MoreNear, p.Versions, p.MoreVersions = nil, nil, nil, 0, nil, 0, nil, 0
	return p
}

// Passage is a part of a document that answers a query.
type Passage struct {
	Document
	text.Span
	URI     string // of the passage: reads back exactly Text
	Text    string
	Place   message.Message // where it stands: "lines 12-40", "page 3", "sheet 1 (Budget), rows 5-9"
	Heading []string        // headings above it, outermost first; the title where there is none
	// Score is relative to the best passage of the answer, which has 1. It is made
	// of the shares that the passage has of the best score in the lexical and in
	// the vector list, for each wording of the question, and of what its document,
	// heading and folders are called.
	Score float64
	// LexicalRank and VectorRank count from 1, copies once; 0 is not among the
	// best 200.
	LexicalRank, VectorRank int
	// Related says that the passage has no word of the question, but parts of some:
	// see notice.ByWordParts.
	Related bool
	// Copies says where the same text stands too, but for punctuation, spacing
	// and case, by path and place: the first five in the order of paths.
	Copies     []notice.Place
	MoreCopies int // places that are not in Copies
	// Sparse says that the page of the passage has little text, so that a look at it may say
	// more: it is a scan, or a figure.
	Sparse bool
	// LinkedFrom lists the documents that link to that of the passage, if they are
	// few, at the first passage of the document.
	LinkedFrom []string
	// Near says where a text stands that says nothing more, like Copies.
	Near     []notice.Place
	MoreNear int
	// Versions are documents that say the same in another language, for which this one
	// stands: the first five, those of the shortest paths first.
	Versions     []notice.Place
	MoreVersions int // documents that are not in Versions
	// Rest says where in the document stands what was joined to the passage and is not
	// shown, for the answer to be short.
	Rest []notice.Place
	// Best is the line, item or row of a long text that has most of the question.
	Best string
	Why  notice.Explanation // why it stands where it stands, empty when that was not asked
}

// passageJSON is the form in which a passage is printed.
type passageJSON struct {
	Path         string             `json:"path"`
	URI          string             `json:"uri"`
	Title        string             `json:"title"`
	Heading      []string           `json:"heading_path,omitempty"`
	Place        message.Message    `json:"place"`
	StartLine    int                `json:"start_line"`
	EndLine      int                `json:"end_line"`
	Score        float64            `json:"score"`
	LexicalRank  int                `json:"lexical_rank,omitempty"`
	VectorRank   int                `json:"vector_rank,omitempty"`
	Related      bool               `json:"related_by_word_parts,omitempty"`
	Copies       []notice.Place     `json:"copies,omitempty"`
	MoreCopies   int                `json:"more_copies,omitempty"`
	Near         []notice.Place     `json:"also_in_part,omitempty"`
	MoreNear     int                `json:"more_also_in_part,omitempty"`
	Versions     []notice.Place     `json:"versions,omitempty"`
	MoreVersions int                `json:"more_versions,omitempty"`
	Rest         []notice.Place     `json:"rest,omitempty"`
	Tags         []string           `json:"tags,omitempty"`
	Date         string             `json:"date,omitempty"`
	LinkedFrom   []string           `json:"linked_from,omitempty"`
	Why          notice.Explanation `json:"why,omitzero"`
	Text         string             `json:"text"`
}

// MarshalJSON leaves out what only this program uses.
func (p Passage) MarshalJSON() ([]byte, error) {
	return json.Marshal(passageJSON{
		Path: p.Path, URI: p.URI, Title: p.Title, Heading: p.Heading, Place: p.Place, StartLine: p.StartLine, EndLine: p.EndLine,
		Score: p.Score, LexicalRank: p.LexicalRank, VectorRank: p.VectorRank, Related: p.Related,
		Copies: p.Copies, MoreCopies: p.MoreCopies, Near: p.Near, MoreNear: p.MoreNear, Versions: p.Versions, MoreVersions: p.MoreVersions, Rest: p.Rest,
		Tags: p.Tags, Date: p.Date.String(), LinkedFrom: p.LinkedFrom, Why: p.Why, Text: p.Text,
	})
}
