// Package lexical finds chunks by their terms. It is an inverted index in memory: it holds a
// postings list for each term, and ranks chunks for a question by BM25, with fuzzy expansion of
// misspelt words. It identifies chunks by their slots only. The caller maps slots to documents,
// locks, and keeps the snapshot: the package does no I/O.
package lexical

import (
	"slices"
	"sync"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// posting packs a slot (24 bits) and a term frequency (8 bits, capped).
type posting uint32

// MaxSlots is the number of slots that fit into a posting.
const MaxSlots = 1 << 24

func newPosting(s rank.Slot, tf int) posting { return posting(s)<<8 | posting(min(tf, 255)) }

// withSlot returns the posting with another slot.
func (p posting) withSlot(s rank.Slot) posting { return posting(s)<<8 | p&0xff }

func (p posting) slot() rank.Slot { return rank.Slot(p >> 8) }
func (p posting) tf() float64     { return float64(p & 0xff) }

// Index is an inverted index. The caller has to lock: methods that change nothing may be called
// concurrently, Put, Append, Delete, Compact and TrimCapacity only when no other method runs.
type Index struct {
	terms   *termTable
	lists   postingLists
	plain   [][]posting // lists used instead in an index that is made for a question; else nil
	words   *vocabulary
	lengths []uint32    // terms in the chunk at each slot; 0 when the slot is free
	live    int         // chunks
	total   uint64      // terms in all live chunks
	dead    []rank.Slot // removed, still in lists
	mixed   bool        // lists may not be sorted by slot, as slots were reused
	once    bool        // used for a few questions only
	counts  []int       // chunks that have each term, if lists hold only some of them; else nil
	scratch *sync.Pool  // reusable memory for scores

	frequent sync.Map // lists of frequent terms as *frequent, by the numbers of the terms
}

// New returns an empty index.
func New() *Index {
	terms := &termTable{}
	return &Index{terms: terms, words: newVocabulary(terms), scratch: new(sync.Pool)}
}

// Len returns the number of chunks.
func (x *Index) Len() int { return x.live }

// Slots returns the number of slots, including free ones.
func (x *Index) Slots() int { return len(x.lengths) }

// Put adds the terms of a chunk at s, which must be free. An empty term is left out: older
// versions took a free-standing accent for a term. The error matches blob.ErrDamaged.
func (x *Index) Put(s rank.Slot, counts analysis.TermCounts) error {
	x.mixed = x.mixed || int(s) < len(x.lengths)
	for int(s) >= len(x.lengths) {
		x.lengths = append(x.lengths, 0)
	}
	length := 0
	err := counts.Each(func(term []byte, n int) {
		if len(term) == 0 || n == 0 {
			return
		}
		id := findTerm(x.terms, term)
		if id == noTerm {
			id = x.newTerm(string(term))
		}
		x.lists.add(id, newPosting(s, n))
		if !analysis.IsFieldTerm(term) {
			length += n
		}
	})
	x.lengths[s] = uint32(max(length, 1))
	x.live++
	x.total += uint64(x.lengths[s])
	return err
}

// Append adds the chunks of another index, from a slot on that is beyond all slots in use.
func (x *Index) Append(others *Index, first rank.Slot) {
	x.mixed = x.mixed || others.mixed || int(first) < len(x.lengths)
	for int(first) > len(x.lengths) {
		x.lengths = append(x.lengths, 0)
	}
	x.lengths = append(x.lengths[:first], others.lengths...)
	x.live += others.live
	x.total += others.total
	var buffer [postingBlock]posting
	for other := range int32(others.lists.count()) {
		if others.lists.length(other) == 0 { // the number is free
			continue
		}
		id := findTerm(x.terms, others.terms.name(other))
		if id == noTerm {
			id = x.newTerm(others.terms.name(other))
		}
		r := others.lists.reader(other)
		for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
			for _, e := range some {
				x.lists.add(id, e.withSlot(first+e.slot()))
			}
		}
	}
}

func (x *Index) newTerm(term string) int32 {
	id := x.terms.add(term)
	x.words.add(id)
	return id
}

// Delete removes the chunk at s. Its postings stay until Compact drops them; the slot may be used
// again once Compact has returned it.
func (x *Index) Delete(s rank.Slot) {
	x.live--
	x.total -= uint64(x.lengths[s])
	x.lengths[s] = 0
	x.dead = append(x.dead, s)
}

// Compact drops dead entries when they are many and returns the slots that
// became free. The cost of a pass is spread over at least as many removals.
func (x *Index) Compact() []rank.Slot {
	if len(x.dead) < 256 || len(x.dead) < x.live/4 {
		return nil
	}
	gone := x.lists.compact(func(e posting) bool { return x.lengths[e.slot()] != 0 })
	x.frequent.Clear()
	x.terms.drop(gone)
	x.words = newVocabulary(x.terms)
	for id := range x.terms.numberCount() { // free ones too: each has its size
		x.words.add(id)
	}
	freed := x.dead
	x.dead = nil
	return freed
}

// TrimCapacity releases the spare capacity of lists, if many have grown.
func (x *Index) TrimCapacity() {
	if x.lists.isCompact() {
		return
	}
	x.lists.compact(func(posting) bool { return true })
	x.words.compact()
	x.lengths = slices.Clone(x.lengths)
}

// HasTerm reports whether any chunk has a term.
func (x *Index) HasTerm(term string) bool { return x.isLive(findTerm(x.terms, term)) }

// isLive reports whether a chunk that was not deleted has a term.
func (x *Index) isLive(id int32) bool {
	return x.listLength(id) > len(x.dead) || x.frequency(id) > 0
}

// frequency returns the document frequency of a term: how many chunks that were not deleted have
// it.
func (x *Index) frequency(id int32) int {
	n := x.listLength(id)
	if n == 0 || len(x.dead) == 0 {
		return n
	}
	if x.isFrequent(n) {
		return n - x.frequentOf(id, x.saturation()).count(x.dead)
	}
	r := x.reader(id)
	var buffer [postingBlock]posting
	for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
		for _, e := range some {
			if x.lengths[e.slot()] == 0 {
				n--
			}
		}
	}
	return n
}

// listLength returns the length of the postings list of a term, deleted chunks included.
func (x *Index) listLength(id int32) int {
	switch {
	case id == noTerm:
		return 0
	case x.counts != nil:
		return x.counts[id]
	}
	return x.lists.length(id)
}

// reader returns a reader of the list of a term, of an empty list for noTerm.
func (x *Index) reader(id int32) postingReader {
	switch {
	case id == noTerm:
		return postingReader{}
	case x.plain != nil:
		return postingReader{plain: x.plain[id]}
	}
	return x.lists.reader(id)
}

// postingsOf appends the list of a term.
func (x *Index) postingsOf(list []posting, id int32) []posting {
	r := x.reader(id)
	return r.appendTo(slices.Grow(list, x.listLength(id)))
}
