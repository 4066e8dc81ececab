package index

import (
	"context"

	"vademecum/index/ranking"
	"vademecum/index/say"
	"vademecum/index/search"
)

// explain says of each passage, in the order of what was chosen, why it stands
// where it stands.
func (s *selection) explain(ctx context.Context, phrasings []search.Phrasing, passages []Passage) error {
	if len(s.chosen) == 0 {
		return nil
	}
	best := s.chosen[0].Score
	for i, c := range s.chosen {
		weights, err := s.ix.searcher.Explain(ctx, phrasings, c.Chunk)
		if err != nil {
			return err
		}
		why := say.Why{Parts: ranking.Parts(c.Candidate, best)}
		for _, w := range weights {
			why.Terms = append(why.Terms, say.Term(w))
		}
		passages[i].Why = why
	}
	return nil
}
