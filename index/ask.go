package index

import "context"

// Question is what a library answers from its texts: a Query, FindQuery, QuoteQuery, ReadQuery or
// PageImageQuery. All of them pass through one method, Ask, so that limits and logs around a library
// apply to all of them.
type Question interface {
	// Cost returns what answering takes, by which servers limit how many are answered at once.
	Cost() Cost

	// QueryTexts returns the texts of the question for logs; nil for a document to be read.
	QueryTexts() []string

	ask(ctx context.Context, ix *Index) (Reply, error)
}

// Reply is what answers a Question.
type Reply interface {
	// LoggedHitCount returns how many passages, documents or quotations were found; 0 if a document was read.
	LoggedHitCount() int
}

// Cost is what answering a Question takes.
type Cost string

const (
	CostReading Cost = "reading" // a document
	CostSearch  Cost = "search"  // the index, and possibly a model
	CostScan    Cost = "scan"    // the texts of all documents, for one question at a time
	CostPattern Cost = "pattern" // the texts of all documents for a regular expression, in a queue of its own
)

// Answerer answers questions, as an Index does.
type Answerer interface {
	Ask(ctx context.Context, q Question) (Reply, error)
}

// Ask has a library answer a question, which determines the type of the answer.
func Ask[R Reply](ctx context.Context, library Answerer, q QuestionWithReply[R]) (R, error) {
	reply, err := library.Ask(ctx, q)
	r, _ := reply.(R)
	return r, err
}

// QuestionWithReply is a Question that is answered by an R.
type QuestionWithReply[R Reply] interface {
	Question
	reply() R // never called: it ties the question to the type of its answer
}

// Ask implements Answerer.
func (ix *Index) Ask(ctx context.Context, q Question) (Reply, error) { return q.ask(ctx, ix) }

func (q Query) Cost() Cost                                        { return CostSearch }
func (q Query) QueryTexts() []string                              { return append([]string{q.Text}, q.OtherWordings...) }
func (q Query) reply() (a Answer)                                 { return a }
func (q Query) ask(ctx context.Context, ix *Index) (Reply, error) { return ix.Search(ctx, q) }

func (q FindQuery) Cost() Cost {
	if q.IsRegexp {
		return CostPattern
	}
	return CostScan
}
func (q FindQuery) QueryTexts() []string                              { return []string{q.Text} }
func (q FindQuery) reply() (f Findings)                               { return f }
func (q FindQuery) ask(ctx context.Context, ix *Index) (Reply, error) { return ix.Find(ctx, q) }

func (q QuoteQuery) Cost() Cost { return CostScan }
func (q QuoteQuery) QueryTexts() (texts []string) {
	for _, one := range q.Quotes {
		texts = append(texts, one.Text)
	}
	return texts
}
func (q QuoteQuery) reply() (c CheckedQuotes)                          { return c }
func (q QuoteQuery) ask(ctx context.Context, ix *Index) (Reply, error) { return ix.checkQuotes(ctx, q) }

func (r ReadQuery) Cost() Cost                                        { return CostReading }
func (r ReadQuery) QueryTexts() []string                              { return nil }
func (r ReadQuery) reply() (p DocumentPart)                           { return p }
func (r ReadQuery) ask(ctx context.Context, ix *Index) (Reply, error) { return ix.Read(ctx, r) }

func (q PageImageQuery) Cost() Cost           { return CostReading }
func (q PageImageQuery) QueryTexts() []string { return nil }
func (q PageImageQuery) reply() (p PageImage) { return p }
func (q PageImageQuery) ask(ctx context.Context, ix *Index) (Reply, error) {
	return ix.pageImage(ctx, q)
}

func (a Answer) LoggedHitCount() int        { return len(a.Passages) }
func (f Findings) LoggedHitCount() int      { return f.Documents }
func (c CheckedQuotes) LoggedHitCount() int { return len(c.Quotes) - c.CountVerdict(QuoteNotFound) }
func (p DocumentPart) LoggedHitCount() int  { return 0 }
func (p PageImage) LoggedHitCount() int     { return 0 }

// CountVerdict returns how many quotations have the given verdict.
func (c CheckedQuotes) CountVerdict(v Verdict) (n int) {
	for _, q := range c.Quotes {
		if q.Verdict == v {
			n++
		}
	}
	return n
}
