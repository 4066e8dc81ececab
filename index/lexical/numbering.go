package lexical

import (
	"math/bits"

	"vademecum/index/rank"
)

// SlotNumbering gives the slots of a question's postings numbers without gaps.
type SlotNumbering struct {
	end    uint32   // of the slots
	words  []uint64 // a bit for each slot
	before []uint32 // slots before those of each word
	slots  []uint32 // by number
}

// newSlotNumbering numbers slots up to an end, none of which is marked yet.
func newSlotNumbering(end uint32) *SlotNumbering {
	return &SlotNumbering{end: end, words: make([]uint64, end/64+1), before: make([]uint32, end/64+1)}
}

// markSlot has a slot get a number.
func (n *SlotNumbering) markSlot(slot uint32) { n.words[slot/64] |= 1 << (slot % 64) }

// has tells whether a slot is marked.
func (n *SlotNumbering) has(slot uint32) bool { return n.words[slot/64]&(1<<(slot%64)) != 0 }

// hasAnyBetween tells whether one from a first to a last slot is marked, once they are settled.
func (n *SlotNumbering) hasAnyBetween(first, last uint32) bool {
	return n.local(first) != n.local(last+1)
}

// assignNumbers gives the slots that are marked their numbers.
func (n *SlotNumbering) assignNumbers() {
	n.slots = nil
	for i, w := range n.words {
		n.before[i] = uint32(len(n.slots))
		for ; w != 0; w &= w - 1 {
			n.slots = append(n.slots, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
}

// local is the number of a slot that has one.
func (n *SlotNumbering) local(slot uint32) rank.Slot {
	return rank.Slot(n.before[slot/64] + uint32(bits.OnesCount64(n.words[slot/64]&(1<<(slot%64)-1))))
}

// LocalOrNone is the number of a slot, and else that of nothing.
func (n *SlotNumbering) LocalOrNone(slot uint32) rank.Slot {
	if int(slot/64) >= len(n.words) || n.words[slot/64]&(1<<(slot%64)) == 0 {
		return rank.Slot(len(n.slots))
	}
	return n.local(slot)
}

// Slots are those that have numbers, in their order.
func (n *SlotNumbering) Slots() []uint32 { return n.slots }
