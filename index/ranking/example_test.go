package ranking

import (
	"context"
	"fmt"

	"vademecum/index/search"
)

// A stage takes the ranking as the stage before has left it, changes the scores of
// candidates, and puts them in order again. Which part of a score is its own, is said in
// stages.go, with the stage's row.
func Example_stage() {
	shortFirst := func(_ context.Context, r *Ranking) error {
		for i := range r.candidates {
			c := &r.candidates[i]
			if c.Span.EndByte-c.Span.StartByte < 100 {
				c.AddScore(byKind, 0.5)
			}
		}
		search.SortCandidates(r.candidates)
		return nil
	}

	long, short := search.Candidate{Score: 1}, search.Candidate{Score: 0.8}
	long.Document, short.Document = &search.Document{Title: "long"}, &search.Document{Title: "short"}
	long.Span.EndByte, short.Span.EndByte = 900, 80
	r := &Ranking{candidates: []search.Candidate{long, short}}
	if err := shortFirst(context.Background(), r); err != nil {
		fmt.Println(err)
	}
	for _, c := range r.candidates {
		fmt.Printf("%s %.1f\n", c.Document.Title, c.Score)
	}
	// Output:
	// short 1.3
	// long 1.0
}
