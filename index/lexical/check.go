package lexical

import (
	"fmt"
	"hash/maphash"

	"vademecum/index/blob"
	"vademecum/index/lexical/analysis"
)

// PostingsCheck verifies all postings lists of a library against its chunks and words. Lists have
// no checksums; instead, the postings of a chunk in all lists must add up to its terms, and those
// of a word in the trigram lists to the word.
type PostingsCheck struct {
	whole  *CorpusStats
	gone   *slotSet
	seed   maphash.Seed
	chunks []uint64 // by slot: sum of the postings of the chunk
	words  []uint64 // by word number: sum of the postings of the word
	met    slotSet  // slots of the checked chunks
	found  int      // number of checked chunks
	terms  uint64   // number of terms in the checked chunks
	known  int      // number of checked words
}

// NewPostingsCheck returns a check of the lists of a library.
func NewPostingsCheck(w *CorpusStats) *PostingsCheck {
	return &PostingsCheck{
		whole: w, gone: newSlotSet(w.DeletedSlots), seed: maphash.MakeSeed(),
		chunks: make([]uint64, w.AssignedSlots), words: make([]uint64, w.AssignedWordNumbers), met: slotSet{words: make([]uint64, (uint64(w.AssignedSlots)+63)/64)},
	}
}

// AddList adds the postings of a list to the sums. The list belongs to a segment whose chunks have the
// given slots. The error matches blob.ErrDamaged.
func (c *PostingsCheck) AddList(term string, list StoredList, slots SlotRange) error {
	all, err := list.parse(nil, nil)
	if err != nil {
		return fmt.Errorf("the list of %q: %w", term, err)
	}
	of, sums := maphash.String(c.seed, term), c.chunks
	isGram := len(term) > 0 && term[:1] == trigramMark
	if isGram {
		sums = c.words
	}
	for _, p := range all {
		if uint64(p.slot()) >= uint64(len(sums)) || !isGram && (p.slot() < slots.First || p.slot()-slots.First >= slots.Count) {
			return fmt.Errorf("the list of %q, at %d: %w", term, p.slot(), blob.ErrDamaged)
		}
		sums[p.slot()] += sumOf(of, p.tf(), int(p.length()))
	}
	return nil
}

// sumOf returns the contribution of a posting to the sum of its chunk or word.
func sumOf(term uint64, tf, length int) uint64 {
	const odd = 0x9e3779b97f4a7c15 // from the golden ratio, see Knuth's multiplicative hashing
	x := (term ^ uint64(tf)<<32 ^ uint64(length)) * odd
	return x ^ x>>29
}

// CheckChunk compares the sum of a chunk with its terms, after all lists were added. It returns the
// number of terms of the chunk. The error matches blob.ErrDamaged.
func (c *PostingsCheck) CheckChunk(slot uint32, counts analysis.TermCounts) (length int, err error) {
	if uint64(slot) >= uint64(len(c.chunks)) || c.gone != nil && c.gone.has(slot) || c.met.has(slot) {
		return 0, fmt.Errorf("the passage at %d: %w", slot, blob.ErrDamaged)
	}
	c.met.words[slot/64] |= 1 << (slot % 64)
	c.found++
	err = counts.Each(func(term []byte, n int) {
		if !analysis.IsFieldTerm(term) {
			length += n
		}
	})
	length = max(length, 1)
	sum := uint64(0)
	if err == nil {
		err = counts.Each(func(term []byte, n int) {
			if len(term) > 0 && n > 0 {
				sum += sumOf(maphash.Bytes(c.seed, term), min(n, mostTF), min(length, 0xffffff))
			}
		})
	}
	c.terms += uint64(length)
	if err == nil && sum != c.chunks[slot] {
		err = fmt.Errorf("the lists of the terms of the passage at %d: %w", slot, blob.ErrDamaged)
	}
	return length, err
}

// AssumeChunksIntact counts the chunks at the given slots, which have a number of terms in all, as
// checked, without checking their content.
func (c *PostingsCheck) AssumeChunksIntact(slots SlotRange, terms int64) {
	for slot := slots.First; slot < slots.First+slots.Count; slot++ {
		if uint64(slot) < uint64(len(c.chunks)) {
			c.met.words[slot/64] |= 1 << (slot % 64)
		}
	}
	c.found += int(slots.Count)
	c.terms += uint64(terms)
}

// CheckWord compares a word, given with its number, with the postings for that number in the lists of its
// trigrams. The error matches blob.ErrDamaged.
func (c *PostingsCheck) CheckWord(number uint32, word string) error {
	c.known++
	sum, grams := uint64(0), trigramsOf(word)
	for _, g := range grams {
		sum += sumOf(maphash.String(c.seed, g.listName()), min(len(grams), mostTF), 0)
	}
	if uint64(number) >= uint64(len(c.words)) || sum == 0 || sum != c.words[number] {
		return fmt.Errorf("the lists of the parts of %q: %w", word, blob.ErrDamaged)
	}
	return nil
}

// Finish checks that the numbers of chunks, terms and words are those recorded in the library, and
// that no list has other postings. The error matches blob.ErrDamaged.
func (c *PostingsCheck) Finish() error {
	if c.found != c.whole.Chunks {
		return fmt.Errorf("there are %d passages of %d: %w", c.found, c.whole.Chunks, blob.ErrDamaged)
	}
	if c.terms != c.whole.Terms {
		return fmt.Errorf("the passages have %d terms of %d: %w", c.terms, c.whole.Terms, blob.ErrDamaged)
	}
	if c.known != len(c.words) {
		return fmt.Errorf("there are %d words of %d: %w", c.known, len(c.words), blob.ErrDamaged)
	}
	for slot, sum := range c.chunks {
		if sum != 0 && !c.met.has(uint32(slot)) && (c.gone == nil || !c.gone.has(uint32(slot))) {
			return fmt.Errorf("the lists have a passage at %d that is not there: %w", slot, blob.ErrDamaged)
		}
	}
	return nil
}
