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

// before orders hits best first; equal scores keep the order of indexing.
func (h hit) before(o hit) int {
	return cmp.Or(cmp.Compare(o.score, h.score), cmp.Compare(h.slot, o.slot))
}

// topK keeps the best k hits offered to it, in a heap whose root is the worst.
type topK struct {
	k    int
	heap []hit
}

func newTopK(k int) *topK { return &topK{k: k} }

func (t *topK) offer(h hit) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
		return
	}
	if t.k > 0 && h.before(t.heap[0]) < 0 {
		t.heap[0] = h
		t.down(0)
	}
}

func (t *topK) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.heap[i].before(t.heap[parent]) < 0 {
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
			if child < len(t.heap) && t.heap[child].before(t.heap[worst]) > 0 {
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
	slices.SortFunc(t.heap, hit.before)
	return t.heap
}
