package lexical

import (
	"fmt"

	"vademecum/index/blob"
)

// Check compares all lists of a library with each other and with its chunks. A list has
// no checksum of its own: what is written in all of them about a chunk has to agree.
type Check struct {
	whole   *Whole
	gone    *slotSet
	lengths []uint32 // by slot, as its postings say; 0 where there are none
	counted []uint32 // how many terms they come to
	found   int      // chunks
	terms   uint64   // in all of these
}

// NewCheck begins to compare the lists of a library.
func NewCheck(w *Whole) *Check {
	return &Check{whole: w, gone: newSlotSet(w.Gone), lengths: make([]uint32, w.Slots), counted: make([]uint32, w.Slots)}
}

// List looks at a list of a segment, which has the chunks at some slots. The error
// matches blob.ErrDamaged.
func (c *Check) List(term string, list StoredList, in Run) error {
	all, err := list.parse(nil, nil)
	if err != nil {
		return fmt.Errorf("the list of %q: %w", term, err)
	}
	isGram := len(term) > 0 && term[:1] == trigramMark
	for _, p := range all {
		fits := p.slot() >= in.First && p.slot()-in.First < in.Count && p.slot() < c.whole.Slots
		if isGram {
			fits = p.slot() < c.whole.Words
		}
		if !fits || !isGram && !c.agrees(p, !isMarked(term)) {
			return fmt.Errorf("the list of %q, at %d: %w", term, p.slot(), blob.ErrDamaged)
		}
	}
	return nil
}

// agrees tells whether a posting says of its chunk what others do, and counts its term
// if it is a word.
func (c *Check) agrees(p placed, isWord bool) bool {
	s := p.slot()
	if c.lengths[s] == 0 {
		c.lengths[s] = p.length()
	}
	if isWord {
		c.counted[s] += uint32(p.tf())
	}
	return c.lengths[s] == p.length()
}

// Chunk looks at the postings of a chunk that is there, when all lists have been. One
// that has a term very often has more of them than are counted.
func (c *Check) Chunk(slot uint32) error {
	c.found++
	if slot >= c.whole.Slots || c.gone != nil && c.gone.has(slot) {
		return fmt.Errorf("the passage at %d: %w", slot, blob.ErrDamaged)
	}
	length, counted := c.lengths[slot], c.counted[slot]
	c.terms += uint64(max(length, 1))
	if length > 1 && counted != length && counted < mostTF || counted > length {
		return fmt.Errorf("the lists have %d of %d terms of the passage at %d: %w", counted, length, slot, blob.ErrDamaged)
	}
	return nil
}

// End tells whether the chunks and their terms are as many as the library says.
func (c *Check) End() error {
	if c.found != c.whole.Chunks {
		return fmt.Errorf("there are %d passages of %d: %w", c.found, c.whole.Chunks, blob.ErrDamaged)
	}
	if c.terms != c.whole.Terms {
		return fmt.Errorf("the passages have %d terms of %d: %w", c.terms, c.whole.Terms, blob.ErrDamaged)
	}
	return nil
}
