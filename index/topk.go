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

// topK keeps the best k hits offered to it, of copies the best one, in a heap
// whose root is the worst.
type topK struct {
	k       int
	order   order
	wording func(slot) wording
	heap    []hit
	at      map[wording]int // where in the heap each is
}

func newTopK(k int, o order, w func(slot) wording) *topK {
	return &topK{k: k, order: o, wording: w, at: make(map[wording]int, k)}
}

func (t *topK) offer(h hit) {
	full := len(t.heap) == t.k
	if full && (t.k == 0 || t.order.compare(h, t.heap[0]) >= 0) {
		return // as most are, before anything is looked up
	}
	w := t.wording(h.slot)
	copied, isCopy := t.at[w]
	switch {
	case isCopy:
		if t.order.compare(h, t.heap[copied]) < 0 {
			t.heap[copied] = h
			t.down(copied)
		}
	case full:
		delete(t.at, t.wording(t.heap[0].slot))
		t.put(0, h)
		t.down(0)
	default:
		t.heap = append(t.heap, hit{})
		t.put(len(t.heap)-1, h)
		t.up(len(t.heap) - 1)
	}
}

func (t *topK) put(i int, h hit) {
	t.heap[i] = h
	t.at[t.wording(h.slot)] = i
}

func (t *topK) swap(i, j int) {
	h := t.heap[i]
	t.put(i, t.heap[j])
	t.put(j, h)
}

func (t *topK) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.order.compare(t.heap[i], t.heap[parent]) < 0 {
			return
		}
		t.swap(i, parent)
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
		t.swap(i, worst)
		i = worst
	}
}

func (t *topK) sorted() []hit {
	slices.SortFunc(t.heap, t.order.compare)
	return t.heap
}
