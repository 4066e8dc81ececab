package searcher

import (
	"slices"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// admittedSlots is the set of slots of the documents that a filter admits, in the numbering of all
// libraries.
type admittedSlots struct {
	all  bool
	runs []lexical.SlotRange // ascending
}

func (v *view) admitted(only search.Filter) admittedSlots {
	if only.MatchesAll() {
		return admittedSlots{all: true}
	}
	var of admittedSlots
	for _, d := range v.store.Matching(only) {
		if first, ok := v.firstSlotOf(d); ok {
			for _, r := range d.SlotRangesWithin(only.Conditions.Period()) {
				of.runs = append(of.runs, lexical.SlotRange{First: first + r.First - d.SlotRange.First, Count: r.Count})
			}
		}
	}
	slices.SortFunc(of.runs, func(a, b lexical.SlotRange) int { return compareSlots(a.First, b.First) })
	return of
}

// firstRunFrom returns the index of the first run that does not end before slot.
func (of admittedSlots) firstRunFrom(slot uint32) int {
	n, _ := slices.BinarySearchFunc(of.runs, slot, func(r lexical.SlotRange, slot uint32) int { return compareSlots(r.First+r.Count, slot+1) })
	return n
}

// has reports whether the slot is in the set.
func (of admittedSlots) has(slot uint32) bool {
	n := of.firstRunFrom(slot)
	return of.all || n < len(of.runs) && of.runs[n].First <= slot
}

// filter returns the filter for an index of slots slots that begin with first; nil admits all.
func (of admittedSlots) filter(first uint32, slots int) rank.Filter {
	if of.all {
		return nil
	}
	f, end := rank.NewFilter(slots), first+uint32(slots)
	for _, r := range of.runs[of.firstRunFrom(first):] {
		if r.First >= end {
			break
		}
		for s := max(first, r.First); s < min(end, r.First+r.Count); s++ {
			f.Add(rank.Slot(s - first))
		}
	}
	return f
}
