package lexical

import (
	"encoding/binary"
	"maps"
	"slices"

	"vademecum/index/blob"
)

// Counts is the terms of one chunk with how often each stands in it, in the form
// that is saved: for each term, sorted, its length, its bytes and its count,
// numbers as unsigned varints.
type Counts []byte

// Count analyses the texts of one chunk: its own, and those above it.
func Count(texts ...string) Counts { return CountNamed(Names{}, texts...) }

// CountNamed analyses the texts of one chunk with the names by which it is found.
func CountNamed(names Names, texts ...string) Counts {
	counts := make(map[string]int)
	for _, text := range texts {
		for _, t := range Analyse(text) {
			counts[t]++
		}
		for _, w := range wholes(normal(text)) {
			counts[w.term]++
			if w.begins {
				counts[w.placed()]++
			}
		}
	}
	names.count(counts)
	var out Counts
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
		out = binary.AppendUvarint(out, uint64(counts[t]))
	}
	return out
}

// each calls f with every term and its count.
func (c Counts) each(f func(term []byte, n int)) error {
	r := blob.Reader{Rest: c}
	for len(r.Rest) > 0 && r.Err == nil {
		term := r.Bytes()
		n := r.Number()
		if r.Err == nil {
			f(term, n)
		}
	}
	return r.Err
}
