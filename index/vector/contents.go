package vector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"vademecum/index/rank"
)

// Faults lists the chunks that have one vector to search and another to compare.
// It looks at everything: it is for tests.
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
