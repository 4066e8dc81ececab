package lexical

import (
	"maps"
	"slices"
)

// TermsOfUnknown lists the terms of which Index.Unknown asks whether they occur.
func TermsOfUnknown(question string) []string {
	all := make(map[string]bool)
	text := normal(question)
	for _, t := range appendTerms(nil, text) {
		all[t], all[string(folderField)+t] = true, true
	}
	for _, w := range wholes(text) {
		all[w.term] = true
	}
	before := run{}
	for r := range runsOf(text) {
		if joined := joinedTerm(text, before, r); joined != "" {
			all[joined] = true
		}
		before = r
	}
	return slices.Sorted(maps.Keys(all))
}

// Knowing makes an Index of one chunk that has some terms: it tells which words of a
// question are not among them.
func Knowing(terms []string) *Index {
	x := New()
	x.lengths, x.live, x.total = []uint32{1}, 1, 1
	for _, t := range terms {
		if findTerm(x.terms, t) == noTerm {
			x.lists.set(x.terms.add(t), []posting{newPosting(0, 1)})
		}
	}
	return x
}
