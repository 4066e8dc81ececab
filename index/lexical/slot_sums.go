package lexical

import "vademecum/index/rank"

// slotSums holds a sum for each slot. Most slots have none.
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

// add adds a positive number to the sum of a slot.
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

// top returns the best k of the slots that a filter keeps, best first, by the positive values of
// a function, one of the chunks with the same wording.
func (t *slotSums) top(k int, keep rank.Filter, chunks rank.Chunks, of func(rank.Slot) float64) []rank.Hit {
	best := rank.NewTopHits(k, chunks)
	for _, s := range t.touched {
		if score := of(s); score > 0 && keep.Has(s) {
			best.Offer(rank.Hit{Slot: s, Score: score})
		}
	}
	return best.Hits()
}

// newSlotSums returns empty sums.
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

// mostTouched is the share of all slots, one in so many, from which on clearing all takes less
// time than clearing those that were touched.
const mostTouched = 16

// recycleSums returns sums to a pool: they must not be used afterwards.
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
