package lexical

import (
	"encoding/binary"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// The lists of a snapshot follow each other in the order of their terms. Of a posting
// stands how far its slot is from the one before in its list, or from -1, with a bit
// that says whether the frequency follows: most are 1. That is a third of what they
// take in memory. They are in sections of about as many postings each, so that several
// can be read at once and none needs much memory.

// postingSections is how many sections have lists.
const postingSections = 16

// postingShares returns the terms whose lists each section has, which begin at its number
// and end where those of the next one begin. Lists are where ends says.
func postingShares(ends []uint32) (first [postingSections + 1]int) {
	total := uint64(0)
	if n := len(ends); n > 0 {
		total = uint64(ends[n-1])
	}
	for section := range first {
		least := uint32(total * uint64(section) / postingSections)
		first[section], _ = slices.BinarySearch(ends, least+1)
	}
	first[0], first[postingSections] = 0, len(ends)
	return first
}

// appendPostings appends the lists of some terms, which are numbered as in the index.
func (s *Snapshot) appendPostings(out []byte, ids []int32) []byte {
	var list []posting
	for _, id := range ids {
		list = list[:0]
		for _, e := range s.lists.postingsOf(id) {
			if place := s.places[e.slot()]; place != noPlace {
				list = append(list, e.withSlot(rank.Slot(place)))
			}
		}
		if !slices.IsSorted(list) { // a document that was edited has later slots
			slices.Sort(list)
		}
		out = appendList(out, list)
	}
	return out
}

func appendList(out []byte, list []posting) []byte {
	before := uint64(0)
	for _, e := range list {
		slot, tf := uint64(e>>8)+1, byte(e)
		if tf == 1 {
			out = binary.AppendUvarint(out, (slot-before)<<1)
		} else {
			out = append(binary.AppendUvarint(out, (slot-before)<<1|1), tf)
		}
		before = slot
	}
	return out
}

// parseList fills list with the postings that appendList wrote, of slots below some
// number, and returns what follows them. The error matches blob.ErrDamaged.
func parseList(b []byte, list []posting, slots int) (rest []byte, err error) {
	slot := uint64(0)
	for i := range list {
		if len(b) == 0 {
			return nil, blob.ErrDamaged
		}
		distance, n := uint64(b[0]), 1
		if distance >= 0x80 {
			if distance, n = binary.Uvarint(b); n <= 0 {
				return nil, blob.ErrDamaged
			}
		}
		b = b[n:]
		tf := byte(1)
		if distance&1 == 1 {
			if len(b) == 0 {
				return nil, blob.ErrDamaged
			}
			tf, b = b[0], b[1:]
		}
		distance >>= 1
		if slot += distance; distance == 0 || slot > uint64(slots) || tf == 0 {
			return nil, blob.ErrDamaged
		}
		list[i] = posting(slot-1)<<8 | posting(tf)
	}
	return b, nil
}

// newBuffer has room for the bytes of the lists of any section.
func (l *IndexLoading) newBuffer() any {
	longest := 0
	for section := range postingSections {
		longest = max(longest, l.from.Length(firstPostingSection+section))
	}
	b := make([]byte, longest)
	return &b
}

// emptyLists makes room for the lists, which loadLists fills.
func (l *IndexLoading) emptyLists() (postingLists, error) {
	ends, err := blob.ReadNumbers[uint32](l.from, listEndSection)
	if err != nil {
		return postingLists{}, err
	}
	total, most := 0, 0 // each posting has a byte at least
	if n := len(ends); n > 0 {
		total = int(ends[n-1])
	}
	for section := range postingSections {
		most += l.from.Length(firstPostingSection + section)
	}
	if total > most || !arePartEnds(ends, l.size.Terms, total) {
		return postingLists{}, blob.ErrDamaged
	}
	return postingLists{loaded: make([]posting, total), ends: ends}, nil
}

// loadLists fills in the lists of a section.
func (l *IndexLoading) loadLists(section int) error {
	of, err := l.lists()
	if err != nil {
		return err
	}
	buffer := l.buffers.Get().(*[]byte)
	defer l.buffers.Put(buffer)
	b := (*buffer)[:l.from.Length(firstPostingSection+section)]
	if err := l.from.Read(firstPostingSection+section, b); err != nil {
		return err
	}
	first := postingShares(of.ends)
	for id := first[section]; id < first[section+1]; id++ {
		if b, err = parseList(b, of.asLoaded(int32(id)), l.size.Chunks); err != nil {
			return err
		}
	}
	if len(b) > 0 {
		return blob.ErrDamaged
	}
	return nil
}
