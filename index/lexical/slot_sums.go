package lexical

import "vademecum/index/rank"

// slotSums holds a number for each slot, 0 for most.
type slotSums struct {
	value   []float32
	touched []rank.Slot
}

func (t *slotSums) at(s rank.Slot) float64 {
	if t == nil || int(s) >= len(t.value) {
		return 0
	}
	return float64(t.value[s])
}

// add adds a positive number to the number of a slot.
func (t *slotSums) add(s rank.Slot, n float32) {
	if t.value[s] == 0 {
		t.touched = append(t.touched, s)
	}
	t.value[s] += n
}

// raiseTo raises the number of a slot to at least n.
func (t *slotSums) raiseTo(s rank.Slot, n float32) {
	if t.value[s] == 0 {
		t.touched = append(t.touched, s)
	}
	t.value[s] = max(t.value[s], n)
}

// top returns the best k of the slots that a filter keeps, best first, scored by a function; slots
// with a score of 0 are left out. Only one of several chunks with the same content is returned.
func (t *slotSums) top(k int, keep rank.Filter, chunks rank.ChunkProperties, of func(rank.Slot) float64) []rank.Hit {
	best := rank.NewTopHits(k, chunks)
	for _, s := range t.touched {
		if score := of(s); score > 0 && keep.Has(s) {
			best.Add(rank.Hit{Slot: s, Score: score})
		}
	}
	return best.Hits()
}

// newSlotSums returns sums that are all 0.
func (x *Index) newSlotSums() *slotSums {
	t, ok := x.scratch.Get().(*slotSums)
	if !ok {
		t = &slotSums{}
	}
	if len(t.value) < len(x.lengths) {
		t.value = make([]float32, len(x.lengths)+len(x.lengths)/8)
	}
	return t
}

// mostTouched is the divisor of the number of slots that gives the number of touched slots from
// which clearing all slots is faster than clearing the touched ones.
const mostTouched = 16

// recycleSums returns sums to a pool. They must not be used afterwards.
func (x *Index) recycleSums(t *slotSums) {
	if len(t.touched) > len(t.value)/mostTouched {
		clear(t.value)
	} else {
		for _, s := range t.touched {
			t.value[s] = 0
		}
	}
	t.touched = t.touched[:0]
	x.scratch.Put(t)
}
