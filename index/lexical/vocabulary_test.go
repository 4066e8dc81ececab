package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

func TestSlips(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"ab", "abc", 1}, {"abc", "axc", 1}, {"ashtma", "asthma", 1}, {"kitten", "sitting", 3}, {"心脏病", "心病", 1},
	} {
		if got := editDistance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("slips(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestLikeIsOfAll: the words that are kept are the first of all in their order.
func TestLikeIsOfAll(t *testing.T) {
	x := New()
	random := rand.New(rand.NewPCG(9, 10))
	word := func() string {
		w := []byte("heart")
		for range 2 + random.IntN(4) {
			w[random.IntN(len(w))] = "abeh"[random.IntN(4)]
			w = append(w, "rt"[random.IntN(2)])
		}
		return string(w)
	}
	for s := range rank.Slot(400) {
		if err := x.Put(s, analysis.CountTerms(analysis.ChunkNames{}, word())); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 {
		asked := term(word())
		var all []similarTerm
		grams := trigramsOf(asked)
		for id := range x.terms.numberCount() {
			name, shared := x.terms.name(id), 0
			for _, g := range trigramsOf(name) {
				if slices.Contains(grams, g) {
					shared++
				}
			}
			if similarity := 2 * float64(shared) / float64(len(grams)+len(trigramsOf(name))); similarity >= leastKin && similarity < 1 {
				all = append(all, similarTerm{id, similarity})
			}
		}
		slices.SortFunc(all, x.words.compareSimilar)
		if got, want := x.words.similarTo(nil, asked), all[:min(len(all), mostSimilar)]; !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v of %d", asked, got, want, len(all))
		}
	}
}
