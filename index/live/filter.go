package live

import (
	"vademecum/docs/meta"
	"vademecum/index/facet"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// contiguousSlots describes the slots of a document that are consecutive, usually all of them.
// Without it, a filter of many documents would have to access each document, which takes longer
// than the rest of a query.
type contiguousSlots struct {
	first  rank.Slot
	count  uint32 // number of consecutive slots
	others bool   // whether the document has further slots
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

// SlotFilter returns the slots of the selected documents, as a filter for slotCount slots; nil if
// all documents are selected.
func (m *Documents) SlotFilter(selected search.Filter, slotCount int) rank.Filter {
	if selected.MatchesAll() {
		return nil
	}
	f := rank.NewFilter(slotCount)
	period := selected.Conditions.Period()
	for _, n := range m.matchingNumbers(selected) {
		if !period.IsUnlimited() && m.facts().HasChunkDates(n) {
			m.admitDatedSlots(f, m.numbered[n], period)
			continue
		}
		m.admitSlots(f, n)
	}
	return f
}

// admitDatedSlots adds those slots of a document to a filter whose chunks are dated in a period.
func (m *documentNumbers) admitDatedSlots(f rank.Filter, d *search.Document, period meta.Period) {
	for i, s := range d.Slots {
		if d.IsChunkWithin(i, period) {
			f.Add(s)
		}
	}
}
