package notice

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// ScorePart is how a part of a score is told: with others as a sum, or in a sentence of its
// own when it is raised or lowered by that.
type ScorePart struct {
	Key       string          // in JSON
	Name      message.Message // among others; none of what has sentences
	ReasonKey string          // of the reason in JSON
}

// PartScore is what a part adds to the score of a passage, or takes from it, as a share of
// that of the best passage.
type PartScore struct {
	ScorePart
	Score    float64
	Reason   message.Message // for this passage
	Sentence message.Message // that the score was raised or lowered by so much, of a part without a name
}

// leastTold is what would be 0.00.
const leastTold = 0.005

// IsTold reports whether the score is worth a word.
func (p PartScore) IsTold() bool { return math.Abs(p.Score) >= leastTold }

// IsSummand reports whether it is told among others.
func (p PartScore) IsSummand() bool { return p.Name != "" }

// Explanation is why a passage stands where it stands: the parts of its score, which come to it,
// and the terms that count for its words.
type Explanation struct {
	Parts []PartScore
	Terms []WeighedTerm
}

// WeighedTerm is a term of the question and its share of what a passage has for its words.
type WeighedTerm struct {
	Term  string  `json:"term"`
	Share float64 `json:"share"`
}

// MarshalJSON has each part that is not 0 by its key.
func (w Explanation) MarshalJSON() ([]byte, error) {
	all := make(map[string]any)
	for _, p := range w.Parts {
		if p.Score == 0 {
			continue
		}
		all[p.Key] = p.Score
		if p.Reason != "" {
			all[p.ReasonKey] = p.Reason
		}
	}
	if len(w.Terms) > 0 {
		all["terms"] = w.Terms
	}
	return json.Marshal(all)
}

// mostTerms is how many terms are named.
const mostTerms = 8

// Lines says why in words of a language: the parts that count, and the terms, the
// weightiest first.
func (w Explanation) Lines(l message.Language) []string {
	var sum, lines []string
	for _, p := range w.Parts {
		switch {
		case !p.IsTold():
		case p.IsSummand():
			sum = append(sum, fmt.Sprintf("%s %.2f", p.Name.In(l), p.Score))
		default:
			lines = append(lines, p.Sentence.In(l))
		}
	}
	if len(sum) > 0 {
		lines = append([]string{message.New("score: %s", strings.Join(sum, " + ")).In(l)}, lines...)
	}
	var terms []string
	for _, t := range w.Terms[:min(len(w.Terms), mostTerms)] {
		terms = append(terms, fmt.Sprintf("%s %.0f %%", present.CleanLine(t.Term), 100*t.Share))
	}
	if len(w.Terms) > mostTerms {
		terms = append(terms, "…")
	}
	if len(terms) > 0 {
		lines = append(lines, message.New("words: %s", strings.Join(terms, ", ")).In(l))
	}
	return lines
}
