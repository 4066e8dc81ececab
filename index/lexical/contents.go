package lexical

import (
	"fmt"
	"slices"

	"vademecum/index/rank"
)

// Contents returns the terms of every chunk with their frequencies, capped at 255, and describes
// contradictions in the index (faults). It reads the whole index, and is meant for tests.
func (x *Index) Contents() (terms map[rank.Slot]map[string]int, faults []string) {
	terms = make(map[rank.Slot]map[string]int)
	for s, n := range x.lengths {
		if n > 0 {
			terms[rank.Slot(s)] = make(map[string]int)
		}
	}
	for id := range x.terms.numberCount() {
		term := x.terms.name(id)
		if term == "" {
			continue
		}
		if found := findTerm(x.terms, term); found != id {
			faults = append(faults, fmt.Sprintf("term %d, %q, is found as %d", id, term, found))
		}
		for _, e := range x.postingsOf(id) {
			of := terms[e.slot()] // nil if the chunk was deleted and is still in lists
			switch {
			case of == nil:
			case of[term] != 0:
				faults = append(faults, fmt.Sprintf("%q is posted twice for the chunk at slot %d", term, e.slot()))
			default:
				of[term] = int(e.tf())
			}
		}
	}
	length := uint64(0)
	for _, n := range x.lengths {
		length += uint64(n)
	}
	if x.live != len(terms) || x.total != length {
		faults = append(faults, fmt.Sprintf("%d chunks of %d terms are counted, there are %d of %d", x.live, x.total, len(terms), length))
	}
	return terms, append(faults, x.strayTrigrams()...)
}

// strayTrigrams describes the trigrams whose lists do not match the words that contain them.
func (x *Index) strayTrigrams() (faults []string) {
	want := newVocabulary(x.terms)
	for id := range x.terms.numberCount() {
		if x.terms.name(id) != "" {
			want.add(id)
		}
	}
	if n := len(x.words.trigrams); n != len(want.trigrams) {
		faults = append(faults, fmt.Sprintf("%d trigrams, the terms have %d", n, len(want.trigrams)))
	}
	for g, ids := range want.trigrams {
		if got := slices.Sorted(slices.Values(x.words.trigrams[g])); !slices.Equal(got, ids) {
			faults = append(faults, fmt.Sprintf("the trigram %q leads to the terms %v, want %v", string(g[:]), got, ids))
		}
	}
	for id, size := range want.sizes {
		if x.words.sizes[id] != size && x.terms.name(int32(id)) != "" {
			faults = append(faults, fmt.Sprintf("%q has %d trigrams, want %d", x.terms.name(int32(id)), x.words.sizes[id], size))
		}
	}
	return faults
}
