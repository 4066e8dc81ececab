package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"vademecum/index/rank"
	"vademecum/index/search"
)

var (
	ofModel    = &Library{Semantic: true, Weight: 0.5}
	ofSpelling = &Library{Weight: 0.1}
)

func TestFuse(t *testing.T) {
	vector := []float32{1}
	phrasings := []Phrasing{{Phrasing: search.Phrasing{Weight: 1, Vector: vector}}, {Phrasing: search.Phrasing{Weight: 0.5, Vector: vector}}, {Phrasing: search.Phrasing{Weight: 0.5, Vector: vector}}}
	lists := []matches{
		{all: []match{{slot: 1, lexical: 10, cosine: 0.8}, {slot: 2, cosine: 0.4}, {slot: 3, cosine: 0.01}, {slot: 4, lexical: 0.1}}},
		{all: []match{{slot: 5, cosine: 0.9}}},
		{},
	}
	got := make(map[rank.Slot]string)
	for _, f := range ofModel.fuse(phrasings, lists) {
		got[f.slot] = fmt.Sprintf("%.3f", f.score)
	}
	// 3 is noise; 4 has a word; 5 is best for the phrasing that found it.
	want := map[rank.Slot]string{1: "0.500", 2: "0.125", 4: "0.003", 5: "0.125"}
	if !maps.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	if one := ofSpelling.fuse(phrasings[:1], lists[:1]); len(one) != 2 {
		t.Errorf("vectors that know no meanings alone found something: %+v", one)
	}
}

// TestFuseWithAModel: cosines that lie close together tell as much as others,
// who has no vector yet loses nothing, and a stray word is not worth a meaning.
func TestFuseWithAModel(t *testing.T) {
	phrasings := []Phrasing{{Phrasing: search.Phrasing{Weight: 1, Vector: []float32{1}}}}
	score := func(list matches) string {
		var out []string
		found := ofModel.fuse(phrasings, []matches{list})
		slices.SortFunc(found, func(a, b fused) int { return cmp.Compare(a.slot, b.slot) })
		for _, f := range found {
			out = append(out, fmt.Sprintf("%d:%.2f", f.slot, f.score))
		}
		return strings.Join(out, " ")
	}
	narrow := []match{{slot: 1, cosine: 0.90, vectorRank: 1}, {slot: 2, cosine: 0.85, vectorRank: 2}, {slot: 3, lexical: 8, cosine: 0.80, vectorRank: 3}}
	if got := score(matches{all: narrow}); got != "1:0.50 2:0.25 3:0.50" {
		t.Errorf("cosines in a narrow range: %s", got)
	}
	if got := score(matches{all: narrow, fair: 64}); got != "1:0.50 2:0.25 3:0.08" {
		t.Errorf("one of many words matches: %s", got)
	}
	if got := score(matches{all: append(narrow, match{slot: 4, lexical: 8, bare: true})}); got != "1:0.50 2:0.25 3:0.50 4:1.00" {
		t.Errorf("one has no vector yet: %s", got)
	}
}
