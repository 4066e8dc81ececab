package lexical

import (
	"math/bits"

	"vademecum/index/rank"
)

// SlotRenumbering maps some slots to consecutive local numbers, in order.
type SlotRenumbering struct {
	end    uint32   // upper bound of the slots, exclusive
	words  []uint64 // bit set of the marked slots
	before []uint32 // for each element of words, the number of marked slots before it
	slots  []uint32 // marked slots, by number
}

// markSlot marks a slot, so that assignNumbers gives it a number.
func (n *SlotRenumbering) markSlot(slot uint32) { n.words[slot/64] |= 1 << (slot % 64) }

// has reports whether a slot is marked.
func (n *SlotRenumbering) has(slot uint32) bool { return n.words[slot/64]&(1<<(slot%64)) != 0 }

// hasAnyBetween reports whether any slot from first to last is marked. assignNumbers must have been
// called.
func (n *SlotRenumbering) hasAnyBetween(first, last uint32) bool {
	return n.local(first) != n.local(last+1)
}

// assignNumbers numbers the marked slots.
func (n *SlotRenumbering) assignNumbers() {
	n.slots = nil
	for i, w := range n.words {
		n.before[i] = uint32(len(n.slots))
		for ; w != 0; w &= w - 1 {
			n.slots = append(n.slots, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
}

// local returns the number of a slot, which must be marked.
func (n *SlotRenumbering) local(slot uint32) rank.Slot {
	return rank.Slot(n.before[slot/64] + uint32(bits.OnesCount64(n.words[slot/64]&(1<<(slot%64)-1))))
}

// LocalSlotOrNone returns the local number of a slot. For a slot that is not marked, it returns the count of
// marked slots, which is no local number.
func (n *SlotRenumbering) LocalSlotOrNone(slot uint32) rank.Slot {
	if int(slot/64) >= len(n.words) || n.words[slot/64]&(1<<(slot%64)) == 0 {
		return rank.Slot(len(n.slots))
	}
	return n.local(slot)
}

// Slots returns the marked slots in order.
func (n *SlotRenumbering) Slots() []uint32 { return n.slots }
