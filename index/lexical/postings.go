// Package lexical finds chunks by their terms. It implements an inverted index in memory, which
// holds a postings list for each term and ranks chunks for a query by BM25, with fuzzy expansion of
// misspelt words. It identifies chunks only by their slots. The caller maps slots to documents,
// locks the index and stores its snapshots: the package does no I/O.
package lexical

import (
	"slices"
	"sync"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// posting packs a slot (24 bits) and a term frequency (8 bits, capped at 255).
type posting uint32

// MaxSlots is the number of slots that fit into a posting.
const MaxSlots = 1 << 24

func newPosting(s rank.Slot, tf int) posting { return posting(s)<<8 | posting(min(tf, 255)) }

// withSlot returns the posting with another slot.
func (p posting) withSlot(s rank.Slot) posting { return posting(s)<<8 | p&0xff }

func (p posting) slot() rank.Slot { return rank.Slot(p >> 8) }
func (p posting) tf() float64     { return float64(p & 0xff) }

// Index is an inverted index. The caller must synchronise access: Put, Append, Delete, Compact and
// TrimCapacity require exclusive access, and all other methods may run concurrently.
type Index struct {
	terms   *termTable
	lists   postingLists
	plain   [][]posting // postings by term, for an index that was made for one query; else nil
	words   *vocabulary
	lengths []uint32    // number of terms in the chunk at each slot; 0 if the slot is free
	live    int         // number of live chunks
	total   uint64      // number of terms in all live chunks
	dead    []rank.Slot // slots of deleted chunks that still have postings
	mixed   bool        // whether lists may be unsorted because slots were reused
	once    bool        // whether the index is used for only a few queries
	counts  []int       // document frequency of each term, if the lists are incomplete; else nil
	scratch *sync.Pool  // *slotSums to reuse

	frequent sync.Map // *frequentList by term number
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

// Put adds the terms of a chunk at slot s, which must be free. It ignores an empty term, because
// older versions made a term of a free-standing accent. The error matches blob.ErrDamaged.
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

// Append adds the chunks of another index, at slots starting with firstSlot, which must be higher than all
// slots in use.
func (x *Index) Append(others *Index, firstSlot rank.Slot) {
	x.mixed = x.mixed || others.mixed || int(firstSlot) < len(x.lengths)
	for int(firstSlot) > len(x.lengths) {
		x.lengths = append(x.lengths, 0)
	}
	x.lengths = append(x.lengths[:firstSlot], others.lengths...)
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
				x.lists.add(id, e.withSlot(firstSlot+e.slot()))
			}
		}
	}
}

func (x *Index) newTerm(term string) int32 {
	id := x.terms.add(term)
	x.words.add(id)
	return id
}

// Delete removes the chunk at slot s. Its postings stay until Compact removes them; the slot may be
// reused once Compact has returned it.
func (x *Index) Delete(s rank.Slot) {
	x.live--
	x.total -= uint64(x.lengths[s])
	x.lengths[s] = 0
	x.dead = append(x.dead, s)
}

// Compact removes the postings of deleted chunks if there are many, and returns the slots that
// became free. The cost of a pass is amortised over the deletions.
func (x *Index) Compact() (freed []rank.Slot) {
	if len(x.dead) < 256 || len(x.dead) < x.live/4 {
		return nil
	}
	gone := x.lists.compact(func(e posting) bool { return x.lengths[e.slot()] != 0 })
	x.frequent.Clear()
	x.terms.drop(gone)
	x.words = newVocabulary(x.terms)
	for id := range x.terms.numberCount() { // including free numbers, which need an entry too
		x.words.add(id)
	}
	freed = x.dead
	x.dead = nil
	return freed
}

// TrimCapacity releases the spare capacity of lists, if many postings were added.
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

// isLive reports whether any live chunk contains a term.
func (x *Index) isLive(id int32) bool {
	return x.listLength(id) > len(x.dead) || x.frequency(id) > 0
}

// frequency returns the document frequency of a term: the number of live chunks that contain it.
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

// listLength returns the length of the postings list of a term, including deleted chunks.
func (x *Index) listLength(id int32) int {
	switch {
	case id == noTerm:
		return 0
	case x.counts != nil:
		return x.counts[id]
	}
	return x.lists.length(id)
}

// reader returns a reader of the list of a term, or of an empty list for noTerm.
func (x *Index) reader(id int32) postingReader {
	switch {
	case id == noTerm:
		return postingReader{}
	case x.plain != nil:
		return postingReader{plain: x.plain[id]}
	}
	return x.lists.reader(id)
}

// postingsOf returns all postings of a term.
func (x *Index) postingsOf(id int32) []posting {
	r := x.reader(id)
	return r.appendTo(make([]posting, 0, x.listLength(id)))
}
