package vector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"vademecum/index/rank"
)

// Faults lists what in the index contradicts itself. It looks at everything: it is
// for tests.
func (x *Growing) Faults() []string {
	if c, ok := x.Index.(*Chromem); ok {
		return c.Faults()
	}
	return x.Index.(*Quantized).Faults()
}

// Faults is that of Growing.
func (x *Quantized) Faults() (faults []string) {
	if x.sketches == nil {
		return nil
	}
	n, sketch := 0, make([]uint64, x.sketches.words)
	for s, c := range x.bySlot {
		if c.numbers == nil {
			continue
		}
		n++
		if c.length != codesOf(c.numbers).length {
			faults = append(faults, fmt.Sprintf("the vector at slot %d is not of the length %v", s, c.length))
		}
		if x.sketches.sketch(sketch, c.numbers); !slices.Equal(sketch, x.sketches.at(rank.Slot(s))) {
			faults = append(faults, fmt.Sprintf("the vector at slot %d has the sketch of another", s))
		}
	}
	if sketches := x.sketches.count(); n != x.count || n != sketches {
		faults = append(faults, fmt.Sprintf("%d vectors are counted, there are %d and %d sketches", x.count, n, sketches))
	}
	return faults
}

// Faults is that of Growing: chunks may have one vector to search and another to
// compare.
func (x *Chromem) Faults() (faults []string) {
	n := 0
	for i, vec := range x.bySlot {
		if vec == nil {
			continue
		}
		n++
		held, err := x.collection.GetByID(context.Background(), id(rank.Slot(i)))
		if err != nil || !slices.EqualFunc(held.Embedding, vec, isNear) {
			faults = append(faults, fmt.Sprintf("the chunk at slot %d has one vector to search and another to compare (error %v)", i, err))
		}
	}
	if n != x.Len() {
		faults = append(faults, fmt.Sprintf("%d chunks have a vector to search, and %d one to compare", x.Len(), n))
	}
	return faults
}

func isNear(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }
