package vector

import "vademecum/index/rank"

// JoinIndexes gives chunks from a slot on the vectors that those at the first slots of another
// index have, which is not to be used after that. It lists the slots of those whose
// vectors do not fit.
func JoinIndexes(x, other Index, first rank.Slot, slots int) (unfit []rank.Slot, err error) {
	for s := range rank.Slot(slots) {
		if copyCodes(x, first+s, other, s) {
			continue
		}
		vec := other.At(s)
		if vec == nil {
			continue
		}
		if !HasDimensionsOf(x, vec) {
			unfit = append(unfit, first+s)
			continue
		}
		if err := x.Put(first+s, vec); err != nil {
			return nil, err
		}
	}
	return unfit, nil
}

// copyCodes gives a chunk a vector as it is kept, if that is in 4 bits in both indexes: to
// make it anew takes a hundred times as long.
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

// asFourBit is the FourBitIndex that an index has become, nil when it has not.
func asFourBit(x Index) *FourBitIndex {
	grown, ok := x.(*GrowingIndex)
	if !ok {
		return nil
	}
	c, _ := grown.Index.(*FourBitIndex)
	return c
}
