package lexical

import "slices"

// lists holds a list of postings for each term, by its number. More than half of the
// terms of a folder stand in one chunk: a slice for each would take seven times what
// it holds.
type lists struct {
	only []posting   // that of a list of one, else 0
	long []uint32    // place in many of a longer list, counted from 1, else 0
	many [][]posting // longer lists; nil where there is none any more
	free []uint32    // places in many to give out again
}

// newLists makes so many, all empty.
func newLists(terms int) lists {
	return lists{only: make([]posting, terms), long: make([]uint32, terms)}
}

func (l *lists) count() int { return len(l.only) }

// of is the list of a term. It is not to be changed, nor kept.
func (l *lists) of(id int32) []posting {
	switch {
	case l.long[id] > 0:
		return l.many[l.long[id]-1]
	case l.only[id] != 0:
		return l.only[id : id+1 : id+1]
	}
	return nil
}

// add puts a posting, which is not 0, at the end of a list. The next term is new.
func (l *lists) add(id int32, p posting) {
	for int(id) >= l.count() {
		l.only, l.long = append(l.only, 0), append(l.long, 0)
	}
	switch {
	case l.long[id] > 0:
		m := l.long[id] - 1
		l.many[m] = append(l.many[m], p)
	case l.only[id] != 0:
		l.set(id, []posting{l.only[id], p})
	default:
		l.only[id] = p
	}
}

// set puts a list, which is not to be changed after that, in the place of another.
func (l *lists) set(id int32, list []posting) {
	if m := l.long[id]; m > 0 {
		l.many[m-1], l.long[id] = nil, 0
		l.free = append(l.free, m)
	}
	l.only[id] = 0
	switch last := len(l.free) - 1; {
	case len(list) == 0:
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

// clone copies what may change: lists are only added to, or replaced.
func (l *lists) clone() lists {
	return lists{only: slices.Clone(l.only), long: slices.Clone(l.long), many: slices.Clone(l.many)}
}
