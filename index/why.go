package index

import (
	"cmp"
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
		part := func(score float64) float64 { return ranking.Share(score*cmp.Or(c.Parts.Left, 1), best) } // they come to the score
		why := say.Why{
			Words: part(c.Parts.Words), Vectors: part(c.Parts.Vectors), Name: part(c.Parts.Name), Heading: part(c.Parts.Heading),
			Folder: part(c.Parts.Folder), Document: part(c.Parts.Document), Company: part(c.Parts.Company), Phrase: part(c.Parts.Phrase),
			Original: c.Parts.Original / best,
		}
		if why.Left = c.Parts.Left; why.Left > 0 {
			why.Kind = c.Mark.Kind.String()
		}
		for _, w := range weights {
			why.Terms = append(why.Terms, say.Term(w))
		}
		passages[i].Why = why
	}
	return nil
}
