package analysis

import (
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"vademecum/index/blob"
	"vademecum/internal/base/script"
)

// TermCounts holds the terms of one chunk with their frequencies, encoded as stored: for each term,
// in sorted order, its length, its bytes and its count. Numbers are unsigned varints.
type TermCounts []byte

// CountTerms counts the terms of one chunk: those of its texts, which are its own text and the titles
// above it, and those of its names.
func CountTerms(names ChunkNames, texts ...string) TermCounts {
	return CountTermsInLanguage(script.UnknownLanguage, names, texts...)
}

// CountTermsInLanguage counts the terms of one chunk of a document in the given language: those of
// its texts, which are its own text and the titles above it, and those of its names.
func CountTermsInLanguage(language script.Language, names ChunkNames, texts ...string) TermCounts {
	c := counters.Get().(*termCounter)
	defer c.recycle()
	row := languageRow(language)
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

// termCounter counts the terms of one chunk after another. It is reused, because growing a new map
// of terms takes as long as finding them.
type termCounter struct {
	counts map[string]int
	terms  []string // terms of one text; in encode, all distinct terms
}

var counters = sync.Pool{New: func() any { return &termCounter{counts: make(map[string]int)} }}

// mostCounted is the maximum number of terms in a counter that is reused. A typical chunk has a few
// hundred.
const mostCounted = 1 << 14

func (c *termCounter) recycle() {
	if len(c.counts) > mostCounted {
		return
	}
	clear(c.counts)
	clear(c.terms[:cap(c.terms)]) // the strings would keep their texts in memory
	counters.Put(c)
}

// add counts the terms of a normalised text.
func (c *termCounter) add(text string) {
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

// addStems counts the stems in a language of the words of a normalised text.
func (c *termCounter) addStems(l *language, text string) {
	c.terms = l.appendStems(c.terms[:0], text)
	for _, t := range c.terms {
		c.counts[t]++
	}
}

func (c *termCounter) encode() TermCounts {
	c.terms = slices.AppendSeq(c.terms[:0], maps.Keys(c.counts))
	slices.Sort(c.terms)
	size := 0
	for _, t := range c.terms {
		size += len(t) + 2 // most numbers take one byte
	}
	out := make(TermCounts, 0, size)
	for _, t := range c.terms {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
		out = binary.AppendUvarint(out, uint64(c.counts[t]))
	}
	return out
}

// Each calls f with each term and its count.
func (c TermCounts) Each(f func(term []byte, n int)) error {
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
