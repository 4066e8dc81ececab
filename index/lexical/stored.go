package lexical

import (
	"encoding/binary"
	"iter"
	"maps"
	"math"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/lexical/analysis"
)

// StoredPostings builds postings lists, by term, in the form in which they are stored outside of
// memory. For each chunk with the term, in the order of slots, a list contains the distance of its
// slot from the preceding one, the frequency of the term, and the length of the chunk in terms.
// Slots are assigned by the storage, and never reused.
//
// The trigrams of words have lists too, with word numbers instead of slots, and the number of
// trigrams of the word instead of the frequency.
type StoredPostings struct {
	lists map[string]*listWriter
}

type listWriter struct {
	last  uint32
	count int
	bytes []byte
}

// NewStoredPostings returns an empty StoredPostings.
func NewStoredPostings() *StoredPostings { return &StoredPostings{make(map[string]*listWriter)} }

// Put adds the chunk at a slot, which must be higher than those added before, and returns the length of
// the chunk in terms. The error matches blob.ErrDamaged.
func (st *StoredPostings) Put(slot uint32, counts analysis.TermCounts) (length int, err error) {
	err = counts.Each(func(term []byte, n int) {
		if !analysis.IsFieldTerm(term) {
			length += n
		}
	})
	length = max(length, 1)
	if err != nil {
		return length, err
	}
	return length, counts.Each(func(term []byte, n int) {
		if len(term) == 0 || n == 0 {
			return
		}
		of := st.lists[string(term)]
		if of == nil {
			of = &listWriter{}
			st.lists[string(term)] = of
		}
		of.add(slot, n, length)
	})
}

func (l *listWriter) add(slot uint32, tf, length int) {
	l.bytes = appendPosting(l.bytes, slot-l.last, min(tf, mostTF), length)
	l.last = slot
	l.count++
}

// mostTF is the maximum stored frequency of a term in a chunk.
const mostTF = 255

// appendPosting appends a posting. A bit of the distance is set if the frequency follows; most
// frequencies are 1 and omitted.
func appendPosting(b []byte, distance uint32, tf, length int) []byte {
	if tf == 1 {
		b = binary.AppendUvarint(b, uint64(distance)<<1)
	} else {
		b = append(binary.AppendUvarint(b, uint64(distance)<<1|1), byte(tf))
	}
	return binary.AppendUvarint(b, uint64(length))
}

// Words returns those terms of the lists that are words which searches for similar words can find, in no
// particular order.
func (st *StoredPostings) Words() []string {
	var all []string
	for term := range st.lists {
		if mayHaveSimilar(term) {
			all = append(all, term)
		}
	}
	return all
}

// AddWords adds words with their numbers to the lists of their trigrams. The numbers must be higher than
// those added before.
func (st *StoredPostings) AddWords(words map[uint32]string) {
	for _, number := range slices.Sorted(maps.Keys(words)) {
		grams := trigramsOf(words[number])
		for _, g := range grams {
			term := g.listName()
			of := st.lists[term]
			if of == nil {
				of = &listWriter{}
				st.lists[term] = of
			}
			of.add(number, len(grams), 0)
		}
	}
}

// trigramMark begins the name of a trigram's list. The byte does not occur in valid UTF-8, so no
// term begins with it.
const trigramMark = "\xff"

// listName returns the name of a trigram's list.
func (g trigram) listName() string { return trigramMark + string(g[:]) }

// Lists yields each list with its term, or with the name of a trigram's list, sorted by these.
func (st *StoredPostings) Lists() iter.Seq2[string, StoredList] {
	return func(yield func(string, StoredList) bool) {
		for _, term := range slices.Sorted(maps.Keys(st.lists)) {
			if of := st.lists[term]; !yield(term, StoredList{of.count, of.bytes}) {
				return
			}
		}
	}
}

// StoredList is the encoded list of one term.
type StoredList struct {
	PostingCount int // number of postings
	Bytes        []byte
}

// slotPosting is a decoded posting of a StoredList: slot, length of the chunk and frequency.
type slotPosting uint64

func (p slotPosting) slot() uint32   { return uint32(p >> 32) }
func (p slotPosting) length() uint32 { return uint32(p>>8) & 0xffffff }
func (p slotPosting) tf() int        { return int(p & 0xff) }

// parse appends the postings of a list to a slice, without those of deleted chunks. The error
// matches blob.ErrDamaged.
func (l StoredList) parse(to []slotPosting, gone *slotSet) ([]slotPosting, error) {
	r, err := l.readerWithout(gone)
	if err != nil {
		return to, err
	}
	to = slices.Grow(to, l.PostingCount)
	some, err := r.readNext(to[len(to) : len(to)+l.PostingCount])
	return to[:len(to)+len(some)], err
}

// Each calls f with each posting of a list, including those of deleted chunks: the slot of the
// chunk, the frequency of the term in it, and the length of the chunk in terms. The error matches
// blob.ErrDamaged.
func (l StoredList) Each(f func(slot uint32, frequency, length int)) error {
	all, err := l.parse(nil, nil)
	for _, p := range all {
		f(p.slot(), p.tf(), int(p.length()))
	}
	return err
}

// listReader reads a list in blocks.
type listReader struct {
	rest  []byte
	left  int // number of postings left
	slot  uint64
	gone  *slotSet
	slots uint32 // upper bound of the slots, to detect damage
	until uint64 // slot before which reading stops for now
}

// readPosition says how far a StoredList has been read.
type readPosition struct {
	slot        uint32 // slot of the previous posting
	left, bytes uint32 // postings and bytes still to be read
}

func (r *listReader) position() readPosition {
	return readPosition{uint32(r.slot), uint32(r.left), uint32(len(r.rest))}
}

func (l StoredList) readerWithout(gone *slotSet) (*listReader, error) {
	if l.PostingCount > len(l.Bytes) { // each posting takes at least two bytes
		return nil, blob.ErrDamaged
	}
	return &listReader{rest: l.Bytes, left: l.PostingCount, gone: gone, slots: math.MaxUint32, until: math.MaxUint64}, nil
}

// readNext fills a buffer with the next postings, without those of deleted chunks. At the end of
// the list, or before r.until, it returns fewer than fit. The error matches blob.ErrDamaged.
func (r *listReader) readNext(buffer []slotPosting) (some []slotPosting, err error) {
	n, left, rest, slot := 0, r.left, r.rest, r.slot
	until, slots, gone := r.until, uint64(r.slots), r.gone
	for ; n < len(buffer) && left > 0; left-- {
		var head, tf, length uint64
		var size int
		if len(rest) >= 5 && rest[0] < 0x80 { // usual: a distance of one byte, a length of at most two
			head, tf, size = uint64(rest[0]), 1, 1
			if head&1 != 0 {
				tf, size = uint64(rest[1]), 2
			}
			if length = uint64(rest[size]); length >= 0x80 {
				size++
				length = length&0x7f | uint64(rest[size])<<7
			}
			size++
		}
		if size == 0 || length >= 1<<14 {
			if head, tf, length, size = parsePosting(rest); size <= 0 {
				return nil, blob.ErrDamaged
			}
		}
		at := slot + head>>1
		if at >= until {
			break
		}
		if at >= slots || tf == 0 {
			return nil, blob.ErrDamaged
		}
		rest, slot = rest[size:], at
		if gone == nil || !gone.has(uint32(at)) {
			buffer[n] = slotPosting(at<<32 | min(length, 0xffffff)<<8 | tf)
			n++
		}
	}
	if r.rest, r.slot, r.left = rest, slot, left; left == 0 && len(rest) > 0 {
		return nil, blob.ErrDamaged
	}
	return buffer[:n], nil
}

// parsePosting decodes a posting written by appendPosting. size is 0 or less if it is invalid.
func parsePosting(b []byte) (head, tf, length uint64, size int) {
	head, size = binary.Uvarint(b)
	if tf = 1; size > 0 && head&1 != 0 {
		if size == len(b) {
			return 0, 0, 0, 0
		}
		tf, size = uint64(b[size]), size+1
	}
	if size <= 0 {
		return 0, 0, 0, 0
	}
	length, more := binary.Uvarint(b[size:])
	if more <= 0 {
		return 0, 0, 0, 0
	}
	return head, tf, length, size + more
}

// MergeLists merges lists of a term, without deleted chunks. The slots of each list must be higher
// than those of the preceding one.
func MergeLists(term string, lists []StoredList, deleted []SlotRange) (StoredList, error) {
	without := newSlotSet(deleted)
	if len(term) > 0 && term[:1] == trigramMark {
		without = nil // these lists contain word numbers
	}
	var merged listWriter
	var all []slotPosting
	for _, l := range lists {
		var err error
		if all, err = l.parse(all[:0], without); err != nil {
			return StoredList{}, err
		}
		for _, p := range all {
			merged.add(p.slot(), p.tf(), int(p.length()))
		}
	}
	return StoredList{merged.count, merged.bytes}, nil
}

// SlotRange is a range of consecutive slots.
type SlotRange struct {
	First uint32
	Count uint32
}

// slotSet is a bit set of slots, starting with first.
type slotSet struct {
	first uint32
	words []uint64
}

// newSlotSet returns the set of slots in ranges, or nil if there are none.
func newSlotSet(runs []SlotRange) *slotSet {
	if len(runs) == 0 {
		return nil
	}
	first, end := runs[0].First, runs[0].First+runs[0].Count
	for _, r := range runs {
		first, end = min(first, r.First), max(end, r.First+r.Count)
	}
	s := &slotSet{first, make([]uint64, (end-first+63)/64)}
	for _, r := range runs {
		for slot := r.First; slot < r.First+r.Count; slot++ {
			s.words[(slot-first)/64] |= 1 << ((slot - first) % 64)
		}
	}
	return s
}

func (s *slotSet) has(slot uint32) bool {
	at := slot - s.first // a slot before first wraps around to a large number
	return int(at/64) < len(s.words) && s.words[at/64]&(1<<(at%64)) != 0
}
