package lexical

import (
	"slices"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// The lists of a snapshot are stored in the order of their terms, packed as in memory, in sections
// with about equal numbers of postings, so that several sections can be read concurrently.

// postingSections is the number of sections with lists.
const postingSections = 16

// postingShares divides the terms into sections with about equal numbers of postings: the lists of a
// section are those of the terms from first[section] to first[section+1], exclusive. ends has, for each
// term, the number of postings up to the end of its list.
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

// appendPostings appends the lists of terms, given by their numbers in the index.
func (s *Snapshot) appendPostings(out []byte, ids []int32) []byte {
	var list []posting
	var buffer [postingBlock]posting
	for _, id := range ids {
		list = list[:0]
		r := s.lists.reader(id)
		for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
			for _, e := range some {
				if place := s.places[e.slot()]; place != noPlace {
					list = append(list, e.withSlot(rank.Slot(place)))
				}
			}
		}
		if !slices.IsSorted(list) { // the slots of an edited document are higher
			slices.Sort(list)
		}
		out = appendList(out, list)
	}
	return out
}

// emptyLists allocates the lists, to be filled by loadLists.
func (l *IndexLoader) emptyLists() (packedLists, error) {
	counts, err := readEnds(l.from, listLengthSection, l.size.Terms)
	if err != nil {
		return packedLists{}, err
	}
	all := packedLists{ends: make([]uint32, len(counts)), counts: counts}
	shares := postingShares(counts)
	for section := range postingSections {
		if first := shares[section]; first < shares[section+1] {
			all.first = append(all.first, int32(first))
		}
	}
	all.sections = make([][]byte, len(all.first))
	return all, nil
}

// loadLists decodes the lists of a section of the snapshot.
func (l *IndexLoader) loadLists(section int) error {
	all, err := l.lists()
	if err != nil {
		return err
	}
	b, err := blob.ReadBytes(l.from, firstPostingSection+section)
	if err != nil {
		return err
	}
	shares, end := postingShares(all.counts), 0
	for id := shares[section]; id < shares[section+1]; id++ {
		size, err := checkList(b[end:], all.length(int32(id)), l.size.Chunks)
		if err != nil {
			return err
		}
		end += size
		all.ends[id] = uint32(end)
	}
	if end < len(b) {
		return blob.ErrDamaged
	}
	if at, has := slices.BinarySearch(all.first, int32(shares[section])); has && len(b) > 0 {
		all.sections[at] = b
	}
	return nil
}
