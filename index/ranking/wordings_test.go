package ranking

import (
	"slices"
	"testing"

	"vademecum/index/search"
)

// TestGroupByLanguage: wordings in one language are together, and one that has no word that
// tells its language is with the first in its writing.
func TestGroupByLanguage(t *testing.T) {
	for _, tt := range []struct {
		wordings []string
		want     []int
	}{
		{[]string{"sleep and blood pressure", "hypertension sleep duration"}, []int{0, 0}},
		{[]string{"sleep and blood pressure", "hypertension", "睡眠 血压"}, []int{0, 0, 1}},
		{[]string{"iLO2 挂载远程 ISO", "mount a remote ISO", "HP iLO 虚拟光驱"}, []int{0, 1, 0}},
		{[]string{"Was hilft bei Bluthochdruck?", "what helps with hypertension", "Blutdruck senken"}, []int{0, 1, 0}},
		{[]string{"давление", "blood pressure"}, []int{0, 1}},
		{[]string{"E11.65", "diabetes", "糖尿病"}, []int{0, 0, 1}},
		{[]string{"2024", "12"}, []int{0, 0}},
	} {
		var asked []search.Phrasing
		for _, w := range tt.wordings {
			asked = append(asked, search.Phrasing{Text: w, Weight: 1})
		}
		phrasings := AnalysePhrasings(asked)
		groupByLanguage(phrasings)
		var got []int
		for _, p := range phrasings {
			got = append(got, p.group)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q are in groups %v, want %v", tt.wordings, got, tt.want)
		}
	}
}

// TestLanguageOfChunk: a chunk has the more of its score and what a language gives, and a part
// of the less, in each part of the score.
func TestLanguageOfChunk(t *testing.T) {
	own := languageScore{score: 0.8}
	own.parts[byWords], own.parts[byName] = 0.6, 0.2
	for _, tt := range []struct{ before, after float64 }{{0.2, 0.9}, {1, 1.4}} {
		f := fusedChunk{score: tt.before}
		f.parts[byWords] = tt.before
		f.addLanguage(own)
		sum := 0.0
		for _, part := range f.parts {
			sum += part
		}
		if !isNear(f.score, tt.after) || !isNear(sum, tt.after) {
			t.Errorf("%v becomes %v, whose parts are %v; want %v", tt.before, f.score, sum, tt.after)
		}
	}
}

func isNear(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
