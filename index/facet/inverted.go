package facet

import "slices"

// invertedLists holds the documents of each term, such as a tag, in order. Most terms have only one
// document, and need no list.
type invertedLists struct {
	one   map[string]uint32 // by term: a document number, or isList plus an index into lists
	lists [][]DocumentNumber
	free  []uint32 // indices of unused lists
}

const (
	isList    = 1 << 31
	placeMask = isList - 1
)

func newInvertedLists() *invertedLists { return &invertedLists{one: make(map[string]uint32)} }

// documentsOf lists the documents of a term. The list is valid until the next change, and must not
// be modified.
func (v *invertedLists) documentsOf(term string) []DocumentNumber {
	if v == nil {
		return nil
	}
	entry, ok := v.one[term]
	switch {
	case !ok:
		return nil
	case entry&isList != 0:
		return v.lists[entry&placeMask]
	}
	return []DocumentNumber{DocumentNumber(entry)}
}

func (v *invertedLists) each(yield func(term string, documents int) bool) {
	if v == nil {
		return
	}
	for term, entry := range v.one {
		count := 1
		if entry&isList != 0 {
			count = len(v.lists[entry&placeMask])
		}
		if !yield(term, count) {
			return
		}
	}
}

func (v *invertedLists) add(term string, n DocumentNumber) {
	entry, ok := v.one[term]
	switch {
	case !ok:
		v.one[term] = uint32(n)
	case entry&isList != 0:
		list := &v.lists[entry&placeMask]
		if at, found := slices.BinarySearch(*list, n); !found {
			*list = slices.Insert(*list, at, n)
		}
	case DocumentNumber(entry) != n:
		v.one[term] = isList | v.storeList([]DocumentNumber{min(n, DocumentNumber(entry)), max(n, DocumentNumber(entry))})
	}
}

// storeList stores a list and returns its index.
func (v *invertedLists) storeList(list []DocumentNumber) uint32 {
	if last := len(v.free) - 1; last >= 0 {
		at := v.free[last]
		v.free, v.lists[at] = v.free[:last], list
		return at
	}
	v.lists = append(v.lists, list)
	return uint32(len(v.lists) - 1)
}

func (v *invertedLists) remove(term string, n DocumentNumber) {
	entry, ok := v.one[term]
	switch {
	case !ok:
		return
	case entry&isList == 0:
		if DocumentNumber(entry) == n {
			delete(v.one, term)
		}
		return
	}
	at := entry & placeMask
	i, found := slices.BinarySearch(v.lists[at], n)
	if !found {
		return
	}
	if v.lists[at] = slices.Delete(v.lists[at], i, i+1); len(v.lists[at]) == 1 {
		v.one[term] = uint32(v.lists[at][0])
		v.lists[at], v.free = nil, append(v.free, at)
	}
}
