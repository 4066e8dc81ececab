package ranking

import (
	"cmp"
	"context"
	"slices"

	"vademecum/index/notice"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// PartScores returns the parts of the score of a candidate, with descriptions and reasons, as shares of the
// best score.
func PartScores(c *search.Candidate, bestScore float64) []notice.ScoreContribution {
	var all []notice.ScoreContribution
	for i, score := range c.Parts[:parts] {
		if score == 0 || bestScore <= 0 {
			continue
		}
		var reason message.Message
		if search.ScorePart(i) == byKind {
			reason = c.Traits.Kind.Message()
		}
		all = append(all, labels[i].partScore(score/bestScore, reason))
	}
	return all
}

// Explain lists the terms that match the chunk at a slot over all phrasings, heaviest first.
func (c *Corpus) Explain(ctx context.Context, phrasings []Phrasing, slot rank.Slot) ([]search.TermWeight, error) {
	total := 0.0
	scores := make(map[string]float64)
	for _, p := range phrasings {
		weights, err := c.Postings.Explain(ctx, p.Terms, slot)
		if err != nil {
			return nil, err
		}
		for _, w := range weights {
			scores[w.Term] += p.Weight * w.Score
			total += p.Weight * w.Score
		}
	}
	all := make([]search.TermWeight, 0, len(scores))
	for t, score := range scores {
		all = append(all, search.TermWeight{Term: t, WordScoreShare: ShareOfBest(score, total)})
	}
	slices.SortFunc(all, func(a, b search.TermWeight) int {
		return cmp.Or(cmp.Compare(b.WordScoreShare, a.WordScoreShare), cmp.Compare(a.Term, b.Term))
	})
	return all, nil
}
