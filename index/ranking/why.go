package ranking

import (
	"vademecum/index/say"
	"vademecum/index/search"
)

// Parts are those of the score of a candidate, as shares of the best score.
func Parts(c search.Candidate, best float64) []say.PartScore {
	var all []say.PartScore
	for i, score := range c.Parts[:parts] {
		if score == 0 || best <= 0 {
			continue
		}
		p := say.PartScore{Part: &said[i], Score: score / best}
		if search.Part(i) == byKind {
			p.Reason = c.Mark.Kind.String()
		}
		all = append(all, p)
	}
	return all
}
