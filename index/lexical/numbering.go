package lexical

import (
	"math/bits"

	"vademecum/index/rank"
)

// SlotNumbering maps the slots of a question's postings to consecutive local numbers.
type SlotNumbering struct {
	end    uint32   // of the slots
	words  []uint64 // a bit for each slot
	before []uint32 // slots before those of each word
	slots  []uint32 // by number
}

// newSlotNumbering returns a numbering for slots below an end. None is marked yet.
func newSlotNumbering(end uint32) *SlotNumbering {
	return &SlotNumbering{end: end, words: make([]uint64, end/64+1), before: make([]uint32, end/64+1)}
}

// markSlot marks a slot, so that assignNumbers gives it a number.
func (n *SlotNumbering) markSlot(slot uint32) { n.words[slot/64] |= 1 << (slot % 64) }

// has reports whether a slot is marked.
func (n *SlotNumbering) has(slot uint32) bool { return n.words[slot/64]&(1<<(slot%64)) != 0 }

// hasAnyBetween reports whether a slot from a first to a last one is marked. assignNumbers must
// have been called.
func (n *SlotNumbering) hasAnyBetween(first, last uint32) bool {
	return n.local(first) != n.local(last+1)
}

// assignNumbers numbers the marked slots.
func (n *SlotNumbering) assignNumbers() {
	n.slots = nil
	for i, w := range n.words {
		n.before[i] = uint32(len(n.slots))
		for ; w != 0; w &= w - 1 {
			n.slots = append(n.slots, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
}

// local returns the number of a slot, which must have one.
func (n *SlotNumbering) local(slot uint32) rank.Slot {
	return rank.Slot(n.before[slot/64] + uint32(bits.OnesCount64(n.words[slot/64]&(1<<(slot%64)-1))))
}

// LocalOrNone returns the number of a slot, or the number that stands for none.
func (n *SlotNumbering) LocalOrNone(slot uint32) rank.Slot {
	if int(slot/64) >= len(n.words) || n.words[slot/64]&(1<<(slot%64)) == 0 {
		return rank.Slot(len(n.slots))
	}
	return n.local(slot)
}

// Slots returns the numbered slots in order.
func (n *SlotNumbering) Slots() []uint32 { return n.slots }
