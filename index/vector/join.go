package vector

import "vademecum/index/rank"

// MergeIndexes moves the vectors at the first slotCount slots of the index from to the index to, where their
// slots begin with firstSlot. from must not be used afterwards. unfit are the slots, in the index to, of
// vectors with another number of dimensions, which are left out.
func MergeIndexes(to, from Index, firstSlot rank.Slot, slotCount int) (unfit []rank.Slot, err error) {
	for s := range rank.Slot(slotCount) {
		if copyCodes(to, firstSlot+s, from, s) {
			continue
		}
		vec := from.VectorAt(s)
		if vec == nil {
			continue
		}
		if !CanCompare(to, vec) {
			unfit = append(unfit, firstSlot+s)
			continue
		}
		if err := to.Put(firstSlot+s, vec); err != nil {
			return nil, err
		}
	}
	return unfit, nil
}

// copyCodes copies a quantized vector if both indexes store 4 bits: quantizing it again takes a
// hundred times as long.
func copyCodes(x Index, to rank.Slot, other Index, from rank.Slot) bool {
	into, of := asFourBit(x), asFourBit(other)
	if into == nil || of == nil || into.Dimensions() != of.Dimensions() || !of.hasSketch(from) {
		return false
	}
	into.reserve(int(to) + 1)
	into.sketchRoom(to)
	for n := range coarseBits {
		copy(into.plane(to, n), of.plane(from, n))
	}
	return true
}

// asFourBit returns the fourBitIndex that an index has grown to; nil if it has not.
func asFourBit(x Index) *fourBitIndex {
	grown, ok := x.(*GrowingIndex)
	if !ok {
		return nil
	}
	c, _ := grown.Index.(*fourBitIndex)
	return c
}
