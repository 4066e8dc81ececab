package live

import (
	"vademecum/index/facet"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// contiguousSlots is the slots of a document, if they are consecutive: otherwise a filter of many
// documents would look into each, which takes longer than the rest of a question.
type contiguousSlots struct {
	first  rank.Slot
	count  uint32 // how many slots follow from the first
	others bool   // the document has others elsewhere
}

func contiguousSlotsOf(d *search.Document) (r contiguousSlots) {
	for i, s := range d.Slots {
		if i == 0 {
			r.first = s
		}
		if s != r.first+rank.Slot(i) {
			r.others = true
			break
		}
		r.count++
	}
	return r
}

// admitSlots adds the slots of a document to a filter.
func (m *documentNumbers) admitSlots(f rank.Filter, n facet.DocumentNumber) {
	if int(n) >= len(m.runs) {
		return
	}
	r := m.runs[n]
	for s := range r.count {
		f.Add(r.first + rank.Slot(s))
	}
	if r.others {
		for _, s := range m.numbered[n].Slots[r.count:] {
			f.Add(s)
		}
	}
}

// SlotFilter returns the slots of the selected documents among a number of slots; nil when all
// are selected.
func (m *Documents) SlotFilter(meant search.Filter, slots int) rank.Filter {
	if meant.AdmitsAll() {
		return nil
	}
	f := rank.NewFilter(slots)
	for _, n := range m.matchingNumbers(meant) {
		m.admitSlots(f, n)
	}
	return f
}
