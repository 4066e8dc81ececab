package index

import (
	"cmp"
	"slices"
)

// hit is a chunk and its score in one ranked list.
type hit struct {
	slot  slot
	score float64
}

// order settles which of two chunks with equal scores comes first. It must not
// depend on the order of indexing, or two processes would answer differently.
type order func(a, b slot) int

// compare orders hits best first.
func (o order) compare(a, b hit) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c // most scores differ; looking up places costs more
	}
	return o(a.slot, b.slot)
}

// topK keeps the best k hits offered to it, in a heap whose root is the worst.
type topK struct {
	k     int
	order order
	heap  []hit
}

func newTopK(k int, o order) *topK { return &topK{k: k, order: o} }

func (t *topK) offer(h hit) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
		return
	}
	if t.k > 0 && t.order.compare(h, t.heap[0]) < 0 {
		t.heap[0] = h
		t.down(0)
	}
}

func (t *topK) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.order.compare(t.heap[i], t.heap[parent]) < 0 {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *topK) down(i int) {
	for {
		worst := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(t.heap) && t.order.compare(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

func (t *topK) sorted() []hit {
	slices.SortFunc(t.heap, t.order.compare)
	return t.heap
}
