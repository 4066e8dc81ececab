package say

import (
	"fmt"
	"strings"

	"vademecum/internal/present"
)

// Why is why a passage stands where it stands: the parts of its score, as shares of
// that of the best passage, and the terms that count for its words.
type Why struct {
	Words    float64 `json:"words"`              // what its words have of the best
	Vectors  float64 `json:"vectors,omitempty"`  // what its vector has
	Name     float64 `json:"name,omitempty"`     // the document is called so
	Heading  float64 `json:"heading,omitempty"`  // so is the heading above it
	Folder   float64 `json:"folder,omitempty"`   // so is a folder of the document
	Document float64 `json:"document,omitempty"` // the words that its document has in one passage or another
	Company  float64 `json:"company,omitempty"`  // other documents in the directory answer too
	Phrase   float64 `json:"phrase,omitempty"`   // it holds words of the question one after the other
	// Original is what it has gained as the original of what nearly says the same, or
	// lost to it.
	Original float64 `json:"original,omitempty"`
	Left     float64 `json:"left,omitempty"` // what it keeps of all that because of its kind; 0: all
	Kind     string  `json:"kind,omitempty"` // which that is
	Terms    []Term  `json:"terms,omitempty"`
}

// Term is a term of the question and its share of what a passage has for its words.
type Term struct {
	Term  string  `json:"term"`
	Share float64 `json:"share"`
}

// mostTerms is how many terms are named.
const mostTerms = 8

// Lines says why in words: the parts that count, and the terms, the weightiest
// first.
func (w Why) Lines() []string {
	var parts []string
	for _, p := range []struct {
		of    string
		score float64
	}{
		{"words", w.Words}, {"vectors", w.Vectors}, {"name of the document", w.Name}, {"heading", w.Heading},
		{"folder", w.Folder}, {"words in the document", w.Document}, {"others in the directory", w.Company}, {"words in a row", w.Phrase},
	} {
		if p.score >= 0.005 { // what would be 0.00
			parts = append(parts, fmt.Sprintf("%s %.2f", p.of, p.score))
		}
	}
	lines := []string{"score: " + strings.Join(parts, " + ")}
	switch {
	case w.Original >= 0.005:
		lines = append(lines, fmt.Sprintf("raised by %.2f: it is the original of a passage that nearly says the same", w.Original))
	case w.Original <= -0.005:
		lines = append(lines, fmt.Sprintf("lowered by %.2f: the original of what it nearly says stands in its place", -w.Original))
	}
	if w.Left > 0 {
		lines = append(lines, fmt.Sprintf("weighed down: it keeps %.0f %% of what it had, as it is %s", 100*w.Left, w.Kind))
	}
	if len(parts) == 0 {
		lines = nil
	}
	var terms []string
	for _, t := range w.Terms[:min(len(w.Terms), mostTerms)] {
		terms = append(terms, fmt.Sprintf("%s %.0f %%", present.Line(t.Term), 100*t.Share))
	}
	if len(w.Terms) > mostTerms {
		terms = append(terms, "…")
	}
	if len(terms) > 0 {
		lines = append(lines, "words: "+strings.Join(terms, ", "))
	}
	return lines
}
