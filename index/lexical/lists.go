package lexical

import "slices"

// postingLists holds a list of postings for each term, by its number. Those of a snapshot
// stay as they were read, one after the other. Of the others more than half stand in
// one chunk: a slice for each would take seven times what it holds.
type postingLists struct {
	loaded []posting // lists of the first terms, as far as they have not changed
	ends   []uint32  // where that of each of these terms ends

	// Of all terms, or of none as long as all are as they were loaded.
	only []posting   // that of a list of one, else 0
	long []uint32    // place in many of another list, counted from 1, else 0
	many [][]posting // other lists; empty where there is none any more
	free []uint32    // places in many to give out again
}

func (l *postingLists) count() int { return max(len(l.only), len(l.ends)) }

// postingsOf is the list of a term. It is not to be changed, nor kept.
func (l *postingLists) postingsOf(id int32) []posting {
	switch {
	case len(l.only) == 0:
		return l.asLoaded(id)
	case l.long[id] > 0:
		return l.many[l.long[id]-1]
	case l.only[id] != 0:
		return l.only[id : id+1 : id+1]
	case l.isLoaded(id):
		return l.asLoaded(id)
	}
	return nil
}

// isLoaded tells whether a term is one of those that were loaded.
func (l *postingLists) isLoaded(id int32) bool { return int(id) < len(l.ends) }

// asLoaded is the list that such a term had.
func (l *postingLists) asLoaded(id int32) []posting {
	first, end := uint32(0), l.ends[id]
	if id > 0 {
		first = l.ends[id-1]
	}
	return l.loaded[first:end:end]
}

// grow makes room for the lists of so many terms that are not as they were loaded.
func (l *postingLists) grow(terms int) {
	if more := max(terms, len(l.ends)) - len(l.only); more > 0 {
		l.only, l.long = append(l.only, make([]posting, more)...), append(l.long, make([]uint32, more)...)
	}
}

// add puts a posting, which is not 0, at the end of a list. The next term is new.
func (l *postingLists) add(id int32, p posting) {
	l.grow(int(id) + 1)
	switch list := l.postingsOf(id); {
	case l.long[id] > 0:
		l.many[l.long[id]-1] = append(list, p)
	case len(list) > 0:
		l.replace(id, append(list, p)) // a copy: each list ends where it has no room
	default:
		l.only[id] = p
	}
}

// replace puts a list, which is not to be changed after that, in the place of another.
func (l *postingLists) replace(id int32, list []posting) {
	l.grow(int(id) + 1)
	if m := l.long[id]; m > 0 {
		l.many[m-1], l.long[id] = nil, 0
		l.free = append(l.free, m)
	}
	l.only[id] = 0
	switch last := len(l.free) - 1; {
	case len(list) == 0 && !l.isLoaded(id):
	case len(list) == 1:
		l.only[id] = list[0]
	case last >= 0:
		l.long[id], l.free = l.free[last], l.free[:last]
		l.many[l.long[id]-1] = list
	default:
		l.many = append(l.many, list)
		l.long[id] = uint32(len(l.many))
	}
}

// isCompact tells whether few lists are not as they were loaded, or compacted.
func (l *postingLists) isCompact() bool { return 4*len(l.many) <= len(l.ends) }

// compact puts all lists one after the other, as those of a snapshot are: each that has
// grown by itself has room for up to as much again.
func (l *postingLists) compact() {
	total := 0
	for id := range l.count() {
		total += len(l.postingsOf(int32(id)))
	}
	settled := postingLists{loaded: make([]posting, 0, total), ends: make([]uint32, l.count())}
	for id := range settled.ends {
		settled.loaded = append(settled.loaded, l.postingsOf(int32(id))...)
		settled.ends[id] = uint32(len(settled.loaded))
	}
	*l = settled
}

// clone copies what may change: lists are only added to, or replaced.
func (l *postingLists) clone() postingLists {
	return postingLists{loaded: l.loaded, ends: l.ends, only: slices.Clone(l.only), long: slices.Clone(l.long), many: slices.Clone(l.many)}
}
