package vector

import "vademecum/index/rank"

// MergeIndexes moves the vectors of one index to another, to slots beginning with first. other must
// not be used afterwards. It returns the slots of vectors with a different number of dimensions.
func MergeIndexes(x, other Index, first rank.Slot, slots int) (unfit []rank.Slot, err error) {
	for s := range rank.Slot(slots) {
		if copyCodes(x, first+s, other, s) {
			continue
		}
		vec := other.VectorAt(s)
		if vec == nil {
			continue
		}
		if !SameDimensions(x, vec) {
			unfit = append(unfit, first+s)
			continue
		}
		if err := x.Put(first+s, vec); err != nil {
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

// asFourBit returns the FourBitIndex that an index has grown to; nil if it has not.
func asFourBit(x Index) *FourBitIndex {
	grown, ok := x.(*GrowingIndex)
	if !ok {
		return nil
	}
	c, _ := grown.Index.(*FourBitIndex)
	return c
}
