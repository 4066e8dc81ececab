package vector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"vademecum/index/rank"
)

// FindInconsistencies describes contradictions in the content of the index, for tests. It reads all of
// the index.
func (x *GrowingIndex) FindInconsistencies() []string {
	switch x := x.Index.(type) {
	case *chromemIndex:
		return x.findInconsistencies()
	case *quantizedIndex:
		return x.findInconsistencies()
	}
	return nil // any content of a fourBitIndex is valid
}

// findInconsistencies lists the inconsistencies of the index, see GrowingIndex.FindInconsistencies.
func (x *quantizedIndex) findInconsistencies() (faults []string) {
	n, sketch := 0, make([]uint64, x.words)
	for i, c := range x.bySlot {
		s := rank.Slot(i)
		if c.numbers == nil {
			continue
		}
		n++
		if c.length != quantizedVectorOf(c.numbers).length {
			faults = append(faults, fmt.Sprintf("the vector at slot %d is not of the length %v", s, c.length))
		}
		if x.sketch(sketch, c.numbers); !x.hasSketch(s) || !slices.Equal(sketch, x.plane(s, 0)) {
			faults = append(faults, fmt.Sprintf("the vector at slot %d has the sketch of another", s))
		}
	}
	if n != x.Len() {
		faults = append(faults, fmt.Sprintf("%d vectors are held, and %d sketches", n, x.Len()))
	}
	return faults
}

// findInconsistencies lists the inconsistencies of the index, see GrowingIndex.FindInconsistencies: a
// chunk may have one vector for searching and a different one for comparing.
func (x *chromemIndex) findInconsistencies() (faults []string) {
	n := 0
	for i, vec := range x.bySlot {
		if vec == nil {
			continue
		}
		n++
		held, err := x.collection.GetByID(context.Background(), documentID(rank.Slot(i)))
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
