package index

import (
	"encoding/json"

	"vademecum/docs/text"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Answer is the result of a query: the passages, best first, and what the reader should know about them.
type Answer struct {
	Passages []Passage `json:"passages"`
	// what the reader should know about the answer; message texts in the JSON form
	Notes []notice.Note `json:"notes,omitempty"`
	// HasLowCoverage means that other wordings may find more: no passage covers half of the weight of the
	// query's words.
	HasLowCoverage bool `json:"-"`
	// share of the weight of the query's words that the best passage covers, see search.Result; 0 if
	// a model finds passages too
	BestCoverage float64 `json:"-"`

	// Incomplete means that documents may not have been searched: the folder was being compared
	// with the index, or the index was being built.
	Incomplete bool `json:"incomplete,omitempty"`

	HasMore     bool               `json:"-"` // there are passages on the next page
	ShownBefore int                `json:"-"` // number of passages on the previous pages
	Expansions  []search.Expansion `json:"-"` // words similar to words of the query, or compounds of them, which count too

	Facets Facets `json:"-"` // empty unless requested

	ScoreReference ScoreReference `json:"-"` // empty unless requested, or if nothing was found
}

// WithoutRelatedPlaces returns the passage without the fields that list places related to it: copies,
// similar places, translations and documents that link to it. Places of the same line, and of further lines
// of the document that answer, stay.
func (p Passage) WithoutRelatedPlaces() Passage {
	p.LinkedFrom, p.Copies, p.MoreCopies, p.SimilarPlaces, p.MoreSimilarPlaces, p.Translations, p.MoreTranslations = nil, nil, 0, nil, 0, nil, 0
	return p
}

// Passage is a part of a document that answers a query.
type Passage struct {
	Document
	text.Span
	URI     string          // URI of the passage: reading it returns exactly Text
	Text    string          // text of the span, with the marks of struck-out text that were cut off
	Place   message.Message // position in the document: "lines 12-40", "page 3", "sheet 1 (Budget), rows 5-9"
	Heading []string        // headings above the passage, outermost first; the title if there is none
	// Score is relative to the best passage of the first page, whose score is 1. It combines the
	// passage's shares of the best lexical and of the best vector score, for each wording of the
	// query, and how well the names of its document, heading and folders match.
	Score float64
	// LexicalRank and VectorRank count from 1, with copies counted once; 0 means that the passage
	// is not among the best 200.
	LexicalRank, VectorRank int
	// IsRelatedOnly means that the passage contains no whole word of the query, but only parts of some:
	// see notice.FoundByWordParts.
	IsRelatedOnly bool
	// Copies lists other places where the same text occurs, ignoring punctuation, spacing and
	// case: the first five, by path and position.
	Copies     []notice.Place
	MoreCopies int // number of copies beyond those in Copies
	// PageHasLittleText means that the page of the passage has little text, so that an image of the page may
	// show more: it is a scan or a figure.
	PageHasLittleText bool
	// LinkedFrom lists the documents that link to the document of the passage, if they are few. It
	// is set only for the first passage of a document.
	LinkedFrom []string
	// SimilarPlaces lists the places of similar texts that add nothing to this passage, in the form of
	// Copies.
	SimilarPlaces     []notice.Place
	MoreSimilarPlaces int
	// SameLinePlaces lists the other places of the line to which a brief answer reduces the passage, in the form
	// of Copies.
	SameLinePlaces     []notice.Place
	MoreSameLinePlaces int
	// Translations lists documents with the same content in another language, which this one
	// represents: the first five, shortest paths first.
	Translations     []notice.Place
	MoreTranslations int // number of documents beyond those in Translations
	// PlacesOfOmittedText lists the places in the document of text that belongs to the passage, but is left
	// out to keep the answer short.
	PlacesOfOmittedText []notice.Place
	// BestLine is the line, item or row of a long text that matches most of the query.
	BestLine    string
	Explanation notice.Explanation // why the passage has its rank; empty unless requested
}

// passageJSON is the JSON form of a passage.
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
	EqualLines   []notice.Place     `json:"same_line,omitempty"`
	MoreLines    int                `json:"more_same_line,omitempty"`
	Versions     []notice.Place     `json:"versions,omitempty"`
	MoreVersions int                `json:"more_versions,omitempty"`
	Rest         []notice.Place     `json:"rest,omitempty"`
	Tags         []string           `json:"tags,omitempty"`
	Date         string             `json:"date,omitempty"`
	LinkedFrom   []string           `json:"linked_from,omitempty"`
	Why          notice.Explanation `json:"why,omitzero"`
	Text         string             `json:"text"`
}

// MarshalJSON omits the fields that only this program uses.
func (p Passage) MarshalJSON() ([]byte, error) {
	return json.Marshal(passageJSON{
		Path: p.Path, URI: p.URI, Title: p.Title, Heading: p.Heading, Place: p.Place, StartLine: p.StartLine, EndLine: p.EndLine,
		Score: p.Score, LexicalRank: p.LexicalRank, VectorRank: p.VectorRank, Related: p.IsRelatedOnly,
		Copies: p.Copies, MoreCopies: p.MoreCopies, Near: p.SimilarPlaces, MoreNear: p.MoreSimilarPlaces, EqualLines: p.SameLinePlaces, MoreLines: p.MoreSameLinePlaces, Versions: p.Translations, MoreVersions: p.MoreTranslations, Rest: p.PlacesOfOmittedText,
		Tags: p.Tags, Date: p.Date.String(), LinkedFrom: p.LinkedFrom, Why: p.Explanation, Text: p.Text,
	})
}
