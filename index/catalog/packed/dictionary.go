package packed

import (
	"encoding/binary"
	"maps"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/catalog"
	"vademecum/index/lexical/analysis"
)

// A term stands in many chunks of a document, which name it by its number among the terms
// of the document in their order: chunks take 239 MB so where they took 569.

// dictionary numbers the terms of a document.
type dictionary struct {
	terms   []string
	numbers map[string]uint64 // from 1
}

func dictionaryOf(chunks []catalog.Chunk) dictionary {
	d := dictionary{numbers: make(map[string]uint64)}
	for _, c := range chunks {
		_ = c.Terms.Each(func(term []byte, _ int) {
			if _, known := d.numbers[string(term)]; !known {
				d.numbers[string(term)] = 0
			}
		})
	}
	d.terms = slices.Sorted(maps.Keys(d.numbers))
	for i, t := range d.terms {
		d.numbers[t] = uint64(i + 1)
	}
	return d
}

// mostShared bounds, in bytes, how much of a term is left out: what is read is not much
// larger than what it is read from, whatever that is.
const mostShared = 63

// appendTo appends the terms, each with how much of it is as in the one before.
func (d dictionary) appendTo(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(d.terms)))
	before := ""
	for _, t := range d.terms {
		shared := 0
		for shared < min(len(t), len(before), mostShared) && t[shared] == before[shared] {
			shared++
		}
		out = binary.AppendUvarint(out, uint64(shared))
		out = blob.AppendBytes(out, t[shared:])
		before = t
	}
	return out
}

// appendCounts appends how many terms a chunk has, and for each how far its number is from
// the one before, with a bit that says whether its count follows: most are 1.
func (d dictionary) appendCounts(out []byte, c analysis.TermCounts) []byte {
	terms, before := 0, uint64(0)
	_ = c.Each(func([]byte, int) { terms++ })
	out = binary.AppendUvarint(out, uint64(terms))
	_ = c.Each(func(term []byte, n int) {
		number := d.numbers[string(term)]
		if n == 1 {
			out = binary.AppendUvarint(out, (number-before)<<1)
		} else {
			out = binary.AppendUvarint(binary.AppendUvarint(out, (number-before)<<1|1), uint64(n))
		}
		before = number
	})
	return out
}

// term is a term as it begins in Counts: its length, and itself.
type term []byte

// readTerms reads what appendTo wrote.
func readTerms(r *blob.Reader) []term {
	terms := make([]term, 0, min(r.Number(), len(r.Rest)))
	var name []byte
	for range cap(terms) {
		shared := r.Number()
		rest := r.Bytes()
		if shared > min(len(name), mostShared) {
			r.Err = catalog.ErrDamaged
		}
		if r.Err != nil {
			break
		}
		name = append(name[:shared], rest...)
		terms = append(terms, blob.AppendBytes(nil, name))
	}
	return terms
}

// readCounts reads what appendCounts wrote, unless it is damaged.
func readCounts(r *blob.Reader, terms []term) (counts analysis.TermCounts, ok bool) {
	n := min(r.Number(), len(r.Rest))
	counts = make(analysis.TermCounts, 0, 8*n)
	number := 0
	for range n {
		distance := r.Number()
		times := 1
		if distance&1 == 1 {
			times = r.Number()
		}
		number += distance >> 1
		if r.Err != nil || distance < 2 || number > len(terms) {
			return nil, false
		}
		counts = binary.AppendUvarint(append(counts, terms[number-1]...), uint64(times))
	}
	return counts, true
}
