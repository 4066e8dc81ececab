package ranking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"vademecum/index/search"
)

var (
	ofModel    = &Corpus{HasSemanticVectors: true, VectorWeight: 0.5}
	ofSpelling = &Corpus{VectorWeight: 0.1}
)

// fusedOf fuses the lists of chunks that are called by their numbers.
func fusedOf(t *testing.T, phrasings []Phrasing, lists []phrasingMatches, c *Corpus) []fusedChunk {
	t.Helper()
	r := &recallState{Corpus: c, phrasings: phrasings, lists: lists, chunks: make([]recalledChunk, 6)}
	if err := fuseLists(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r.fused
}

func TestFuse(t *testing.T) {
	vector := []float32{1}
	phrasings := []Phrasing{{Phrasing: search.Phrasing{Weight: 1, Vector: vector}}, {Phrasing: search.Phrasing{Weight: 0.5, Vector: vector}}, {Phrasing: search.Phrasing{Weight: 0.5, Vector: vector}}}
	lists := []phrasingMatches{
		{all: []phrasingMatch{{chunk: 1, lexical: 10, cosine: 0.8}, {chunk: 2, cosine: 0.4}, {chunk: 3, cosine: 0.01}, {chunk: 4, lexical: 0.1}}},
		{all: []phrasingMatch{{chunk: 5, cosine: 0.9}}},
		{},
	}
	got := make(map[int32]string)
	for _, f := range fusedOf(t, phrasings, lists, ofModel) {
		got[f.chunk] = fmt.Sprintf("%.3f", f.score)
	}
	// 3 is noise; 4 has a word; 5 is best for the phrasing that found it.
	want := map[int32]string{1: "0.500", 2: "0.125", 4: "0.003", 5: "0.125"}
	if !maps.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	if one := fusedOf(t, phrasings[:1], lists[:1], ofSpelling); len(one) != 2 {
		t.Errorf("vectors that know no meanings alone found something: %+v", one)
	}
}

// TestFuseWithAModel: cosines that lie close together tell as much as others,
// whoever has no vector yet loses nothing, and a stray word is not worth a meaning.
func TestFuseWithAModel(t *testing.T) {
	phrasings := []Phrasing{{Phrasing: search.Phrasing{Weight: 1, Vector: []float32{1}}}}
	score := func(list phrasingMatches) string {
		var out []string
		found := fusedOf(t, phrasings, []phrasingMatches{list}, ofModel)
		slices.SortFunc(found, func(a, b fusedChunk) int { return cmp.Compare(a.chunk, b.chunk) })
		for _, f := range found {
			out = append(out, fmt.Sprintf("%d:%.2f", f.chunk, f.score))
		}
		return strings.Join(out, " ")
	}
	narrow := []phrasingMatch{{chunk: 1, cosine: 0.90, vectorRank: 1}, {chunk: 2, cosine: 0.85, vectorRank: 2}, {chunk: 3, lexical: 8, cosine: 0.80, vectorRank: 3}}
	if got := score(phrasingMatches{all: narrow}); got != "1:0.50 2:0.25 3:0.50" {
		t.Errorf("cosines in a narrow range: %s", got)
	}
	if got := score(phrasingMatches{all: narrow, fair: 64}); got != "1:0.50 2:0.25 3:0.08" {
		t.Errorf("one of many words matches: %s", got)
	}
	if got := score(phrasingMatches{all: append(narrow, phrasingMatch{chunk: 4, lexical: 8, unembedded: true})}); got != "1:0.50 2:0.25 3:0.50 4:1.00" {
		t.Errorf("one has no vector yet: %s", got)
	}
}
