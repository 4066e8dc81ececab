package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/embed"
)

// Limits of a query.
const (
	MaxTopK       = 50
	DefaultTopK   = 5
	MaxAlso       = 8
	MaxQueryRunes = 8000
)

// Query is a question and how to answer it.
type Query struct {
	Text string   // the question, at most MaxQueryRunes
	Also []string // the same in other words or languages, at most MaxAlso
	TopK int      // passages wanted, 1 to MaxTopK; 0 means DefaultTopK
	Path string   // glob: only documents that it means; "" means all
}

// Passage is a part of a document that answers a query.
type Passage struct {
	Document
	docs.Span
	URI     string // of the passage: reads back exactly Text
	Text    string
	Heading []string // headings above it, outermost first; the title where there is none
	// Score is the weighted mean of the shares that the passage has of the best
	// score in the lexical and in the vector list: 1 is best in both.
	Score float64
	// LexicalRank and VectorRank count from 1; 0 is not among the best 200.
	LexicalRank, VectorRank int
}

// Answer is what a query found, best first.
type Answer struct {
	Passages []Passage
	Notes    []string // what the reader should know about the answer, a line each
}

// Search answers a query from what is in memory now. A mistake in the query is
// an error in one line that says what is accepted.
func (ix *Index) Search(ctx context.Context, q Query) (Answer, error) {
	if err := q.Check(); err != nil {
		return Answer{}, err
	}
	admit, err := ix.meant(q.Path)
	if err != nil {
		return Answer{}, err
	}
	phrasings, notes := ix.phrasings(ctx, q)
	if admit != nil && !ix.store.any(admit) {
		notes = append(notes, fmt.Sprintf("No document has a path like %s.", printable(q.Path)))
	}
	passages, err := ix.passages(ctx, phrasings, admit, q.TopK)
	if err != nil {
		return Answer{}, fmt.Errorf("search: %w", err)
	}
	return Answer{Passages: passages, Notes: append(notes, ix.Freshness()...)}, nil
}

// Check fills in what is not given and returns what is wrong with the query.
func (q *Query) Check() error {
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return errors.New("query is empty: ask a question or give some words to look for")
	}
	for _, text := range append([]string{q.Text}, q.Also...) {
		if n := len([]rune(text)); n > MaxQueryRunes {
			return fmt.Errorf("query is too long (%d characters, at most %d): ask in a sentence or two", n, MaxQueryRunes)
		}
	}
	if len(q.Also) > MaxAlso {
		return fmt.Errorf("also holds %d phrasings: at most %d", len(q.Also), MaxAlso)
	}
	if q.TopK == 0 {
		q.TopK = DefaultTopK
	}
	if q.TopK < 1 || q.TopK > MaxTopK {
		return fmt.Errorf("top_k must be a whole number from 1 to %d, got %d", MaxTopK, q.TopK)
	}
	return nil
}

// queryPatience is how long a query waits for the embedding model.
const queryPatience = 2 * time.Second

// phrasings analyses and embeds the query. When the model does not answer in
// time, the words alone must do, and a note says so.
func (ix *Index) phrasings(ctx context.Context, q Query) ([]phrasing, []string) {
	texts := []string{q.Text}
	for _, also := range q.Also {
		if also = strings.TrimSpace(also); also != "" {
			texts = append(texts, also)
		}
	}
	var notes []string
	patient, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	vectors, err := ix.embedder.Embed(patient, embed.Query, texts)
	if err != nil {
		notes = append(notes, fmt.Sprintf("Found by words only: the embedding model did not answer (%v).", err))
	}
	out := make([]phrasing, len(texts))
	for i, text := range texts {
		out[i] = phrasing{weight: 1, terms: queryTerms(text)}
		if i > 0 {
			out[i].weight = 1 / float64(len(texts)-1)
		}
		if err == nil {
			out[i].vector = vectors[i]
		}
	}
	return out, notes
}

// passages ranks and reads. A document that is replaced in between is looked
// for again.
func (ix *Index) passages(ctx context.Context, phrasings []phrasing, admit func(*document) bool, k int) ([]Passage, error) {
	for try := 1; ; try++ {
		candidates, err := ix.store.search(ctx, phrasings, admit)
		if err != nil {
			return nil, err
		}
		candidates = candidates[:min(k, len(candidates))]
		passages, missing, err := ix.present(ctx, candidates)
		if err != nil || missing == 0 || try == 3 {
			return passages, err
		}
		for i := range ix.folders {
			if _, err := ix.store.follow(ctx, i); err != nil {
				return nil, err
			}
		}
	}
}

// present reads the passages of candidates, and counts those whose document
// was replaced meanwhile.
func (ix *Index) present(ctx context.Context, candidates []candidate) (passages []Passage, missing int, err error) {
	passages = make([]Passage, 0, len(candidates))
	texts := make(map[*document]string)
	for _, c := range candidates {
		text, ok := texts[c.document]
		if !ok {
			if text, ok, err = ix.store.text(ctx, c.document); err != nil {
				return nil, 0, err
			}
			if !ok {
				missing++
				continue
			}
			texts[c.document] = text
		}
		d := ix.describe(c.document)
		if len(c.heading) == 0 {
			c.heading = []string{d.Title}
		}
		passages = append(passages, Passage{
			Document: d, Span: c.span, URI: d.URI + "#" + c.span.Fragment(text),
			Text: text[c.span.StartByte:c.span.EndByte], Heading: c.heading,
			Score: c.score, LexicalRank: c.lexicalRank, VectorRank: c.vectorRank,
		})
	}
	return passages, missing, nil
}

// Freshness tells what answers may miss now, a line each.
func (ix *Index) Freshness() []string {
	var notes []string
	s := ix.State()
	switch {
	case s.Failure != "":
		notes = append(notes, "The index may be out of date, the last run failed: "+s.Failure+".")
	case s.Phase == Indexing:
		notes = append(notes, fmt.Sprintf("The index is being built: %d of %d files done; ask again for a complete answer.", s.Done, s.Total))
	case s.Behind():
		notes = append(notes, "The folder is still being scanned; ask again for a complete answer.")
	}
	if _, chunks, bare := ix.store.totals(); bare > 0 && !s.Behind() {
		notes = append(notes, fmt.Sprintf("%d of %d passages have no vector yet and are found by their words only.", bare, chunks))
	}
	return notes
}
