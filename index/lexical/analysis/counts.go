package analysis

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"vademecum/index/blob"
	"vademecum/internal/script"
)

// Counts is the terms of one chunk with how often each stands in it, in the form
// that is saved: for each term, sorted, its length, its bytes and its count,
// numbers as unsigned varints.
type Counts []byte

// Count analyses the texts of one chunk, its own and those above it, with the names
// by which it is found.
func Count(names Names, texts ...string) Counts { return CountIn(script.Unknown, names, texts...) }

// CountIn is Count of a chunk of a document in a language.
func CountIn(l script.Language, names Names, texts ...string) Counts {
	c := counters.Get().(*counter)
	defer c.recycle()
	row := languageRow(l)
	for _, text := range texts {
		text = normalize(text)
		c.add(text)
		if row != nil && row != &languages[0] {
			c.addStems(row, text)
		}
	}
	names.addToCounts(c.counts)
	return c.encode()
}

// counter counts the terms of one chunk after the other: to let a map of terms grow
// anew takes as long as to find them.
type counter struct {
	counts map[string]int
	terms  []string // those of a text, then all
}

var counters = sync.Pool{New: func() any { return &counter{counts: make(map[string]int)} }}

// mostCounted is how many terms a counter holds that is used again: chunks have some
// hundred.
const mostCounted = 1 << 14

func (c *counter) recycle() {
	if len(c.counts) > mostCounted {
		return
	}
	clear(c.counts)
	clear(c.terms[:cap(c.terms)]) // they hold their texts
	counters.Put(c)
}

// add counts the terms of a text that is normal.
func (c *counter) add(text string) {
	c.terms = appendTerms(c.terms[:0], text)
	for _, t := range c.terms {
		c.counts[t]++
	}
	for _, w := range specialTokens(text) {
		c.counts[w.term]++
		if w.begins {
			c.counts[w.lineStartTerm()]++
		}
	}
}

// addStems counts the stems of the words of a text that is normal.
func (c *counter) addStems(l *language, text string) {
	c.terms = l.appendStems(c.terms[:0], text)
	for _, t := range c.terms {
		c.counts[t]++
	}
}

func (c *counter) encode() Counts {
	c.terms = slices.AppendSeq(c.terms[:0], maps.Keys(c.counts))
	slices.Sort(c.terms)
	size := 0
	for _, t := range c.terms {
		size += len(t) + 2 // most numbers take a byte
	}
	out := make(Counts, 0, size)
	for _, t := range c.terms {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
		out = binary.AppendUvarint(out, uint64(c.counts[t]))
	}
	return out
}

// Each calls f with every term and its count.
func (c Counts) Each(f func(term []byte, n int)) error {
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
