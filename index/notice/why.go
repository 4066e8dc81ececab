package notice

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// ScorePart describes a part of a score, such as the one for words. It is shown as a term of a sum, or
// in a sentence of its own, which says why it raises or lowers the score.
type ScorePart struct {
	Key       string          // key in JSON
	Name      message.Message // name in a sum; "" if the part has a sentence of its own
	ReasonKey string          // key of the reason in JSON; "" if no reason is given
}

// ScoreContribution is how much a part raises or lowers the score of a passage, relative to the score of
// the best passage.
type ScoreContribution struct {
	ScorePart
	Score  float64
	Reason message.Message // why the part has this score, for this passage
	// says by how much the score was raised or lowered; for a part without a name
	Sentence message.Message
}

// leastTold is the smallest value that is not displayed as 0.00.
const leastTold = 0.005

// IsShown reports whether the score is worth showing.
func (p ScoreContribution) IsShown() bool { return math.Abs(p.Score) >= leastTold }

// IsSummand reports whether the part is shown as a term of a sum.
func (p ScoreContribution) IsSummand() bool { return p.Name != "" }

// Explanation explains the rank of a passage: the parts that its score is the sum of, and the terms
// that contribute to the score for words.
type Explanation struct {
	Parts []ScoreContribution
	Terms []WeightedTerm
}

// WeightedTerm is a term of the question and its share of a passage's score for words.
type WeightedTerm struct {
	Term           string  `json:"term"`
	WordScoreShare float64 `json:"share"`
}

// MarshalJSON writes each part that is not 0 under its key.
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

// mostTerms is the maximum number of terms shown.
const mostTerms = 8

// Lines returns the explanation in the given language: the parts that matter, and the terms,
// heaviest first.
func (w Explanation) Lines(language message.Language) []string {
	var sum, lines []string
	for _, p := range w.Parts {
		switch {
		case !p.IsShown():
		case p.IsSummand():
			sum = append(sum, fmt.Sprintf("%s %.2f", p.Name.InLanguage(language), p.Score))
		default:
			lines = append(lines, p.Sentence.InLanguage(language))
		}
	}
	if len(sum) > 0 {
		lines = append([]string{message.New("score: %s", strings.Join(sum, " + ")).InLanguage(language)}, lines...)
	}
	var terms []string
	for _, t := range w.Terms[:min(len(w.Terms), mostTerms)] {
		terms = append(terms, fmt.Sprintf("%s %.0f %%", present.CleanLine(t.Term), 100*t.WordScoreShare))
	}
	if len(w.Terms) > mostTerms {
		terms = append(terms, "…")
	}
	if len(terms) > 0 {
		lines = append(lines, message.New("words: %s", strings.Join(terms, ", ")).InLanguage(language))
	}
	return lines
}
