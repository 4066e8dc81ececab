package vector

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/index/rank"
)

// TestRecall compares with all vectors. So many are few for a Quantized; the
// benchmark has more.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, and finds no races")
	}
	const n = 6000
	for _, dimensions := range []int{384, 768, 1024} {
		model, exact, x := newSpread(n, dimensions), newChromemIndex(), new(quantizedIndex)
		for s := range rank.Slot(n) {
			vec := model.next()
			if err := errors.Join(exact.Put(s, vec), x.Put(s, vec)); err != nil {
				t.Fatal(err)
			}
		}
		queries := make([][]float32, 20)
		for i := range queries {
			queries[i] = model.next()
		}
		for k, least := range map[int]float64{10: 1, 200: 0.99} {
			if r := recall(t, exact, x, queries, k); r < least {
				t.Errorf("of the %d best among vectors of %d dimensions it finds %.4f", k, dimensions, r)
			}
		}
	}
}

// TestSketchIsTheSame on all machines, and as those in snapshots.
func TestSketchIsTheSame(t *testing.T) {
	r, numbers, h := rand.New(rand.NewPCG(1, 2)), make([]int16, 700), fnv.New64a()
	for i := range numbers {
		numbers[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	s, sketch := newSketcher(len(numbers)), make([]uint64, sketchWords(len(numbers)))
	s.sketch(sketch, numbers)
	for _, w := range sketch {
		_ = binary.Write(h, binary.LittleEndian, w)
	}
	if got, want := h.Sum64(), uint64(0x27c966f44af99370); got != want {
		t.Errorf("it is %#x", got)
	}
}

// TestRotationKeepsAngles: the transform multiplies all lengths by the same number.
func TestRotationKeepsAngles(t *testing.T) {
	for _, dimensions := range []int{1, 64, 65, 384, 512, 1024} {
		s := newSketcher(dimensions)
		a, b := make([]int16, dimensions), make([]int16, dimensions)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range a {
			a[i], b[i] = int16(r.IntN(2000)-1000), int16(r.IntN(2000)-1000)
		}
		product := int64(0)
		for i, x := range s.rotated(a) {
			product += int64(x) * int64(s.rotated(b)[i])
		}
		if want := dotProductInt(a, b) * int64(s.words*wordBits); product != want {
			t.Errorf("of %d dimensions: %d, want %d", dimensions, product, want)
		}
	}
}

// TestDistance counts the bits one by one.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q, sketch, want := make(sketchedQuestion, 2), []uint64{r.Uint64(), r.Uint64()}, 0
	for i := range q {
		q[i].above, q[i].one, q[i].two = r.Uint64(), r.Uint64(), r.Uint64()
		for bit := range wordBits {
			if sketch[i]>>bit&1 != q[i].above>>bit&1 {
				want += int(q[i].one>>bit&1) + 2*int(q[i].two>>bit&1)
			}
		}
	}
	if got := q.distance(sketch); got != want {
		t.Errorf("it is %d, want %d", got, want)
	}
}

// TestQuestionWeighsWhatIsLarge, and never with more than there is room for.
func TestQuestionWeighsWhatIsLarge(t *testing.T) {
	numbers := make([]int16, 512)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range numbers {
		numbers[i] = int16(r.NormFloat64() * 5000)
	}
	s := newSketcher(len(numbers))
	counts := [heaviest + 1]int{}
	q, sketch := s.newQuestion(s.rotated(numbers)), make([]uint64, s.words)
	s.sketch(sketch, numbers)
	for i, w := range q {
		counts[0] += bits.OnesCount64(^w.one & ^w.two)
		counts[1] += bits.OnesCount64(w.one & ^w.two)
		counts[2] += bits.OnesCount64(^w.one & w.two)
		counts[3] += bits.OnesCount64(w.one & w.two)
		if sketch[i] != w.above {
			t.Error("the question is not on the side of its sketch")
		}
	}
	if !slices.IsSortedFunc(counts[1:], func(a, b int) int { return b - a }) || counts[0] == 0 || counts[heaviest] == 0 {
		t.Errorf("so many have each weight: %d", counts)
	}
}

// TestShortlist does not depend on the order.
func TestShortlist(t *testing.T) {
	r, all := rand.New(rand.NewPCG(1, 2)), make([]distantSlot, 5000)
	for i := range all {
		all[i] = distantSlot{rank.Slot(i), int32(r.IntN(300))}
	}
	sorted := func(list []distantSlot) []distantSlot {
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b distantSlot) int { return int(a.slot) - int(b.slot) })
		return list
	}
	for _, width := range []int{1, 10, 400, 4999, 6000} {
		want := slices.Clone(all)
		slices.SortFunc(want, func(a, b distantSlot) int { return int(a.distance - b.distance) })
		if width <= len(all) {
			last := want[width-1].distance
			want = slices.DeleteFunc(want, func(d distantSlot) bool { return d.distance > last })
		}
		for range 3 {
			l := newShortlist(width, 301)
			for _, i := range r.Perm(len(all)) {
				l.offer(all[i].slot, int(all[i].distance))
			}
			l.dropFarthest()
			if !slices.Equal(sorted(l.near), sorted(want)) {
				t.Errorf("the %d nearest are %d, want %d", width, len(l.near), len(want))
			}
			if l.isAll() != (width > len(all)) {
				t.Errorf("the %d nearest are all: %t", width, l.isAll())
			}
		}
	}
}

// TestFindsBehindCopies: many chunks that say the same do not hide the others.
func TestFindsBehindCopies(t *testing.T) {
	const copies = 3 * againLeast
	x := new(quantizedIndex)
	put := func(s rank.Slot, vec []float32) {
		if err := x.Put(s, vec); err != nil {
			t.Fatal(err)
		}
	}
	model := newSpread(copies, 384)
	query := model.next()
	for n := range copies {
		put(rank.Slot(7*n), query)
		if n < 2*againLeast {
			put(rank.Slot(7*n+1), model.next())
		}
	}
	said := saying(func(s rank.Slot) rank.Slot { return s * (s % 7) })
	hits, err := topOf(t, x, query, 10, nil, said)
	if err != nil || len(hits) != 10 || hits[0].Slot != 0 || hits[1].Slot%7 != 1 {
		t.Errorf("found %v (error %v)", hits, err)
	}
}

// saying is chunks of which those with the same number say the same.
type saying func(rank.Slot) rank.Slot

func (f saying) ContentHash(s rank.Slot) rank.ChunkTextHash { return distinct.ContentHash(f(s)) }

func (f saying) Compare(a, b rank.Slot) int { return distinct.Compare(a, b) }

// TestSketchesOfFewPages: memory is given back, and a filter may end before the slots.
func TestSketchesOfFewPages(t *testing.T) {
	x := new(quantizedIndex)
	for _, s := range []rank.Slot{3, 500} {
		if err := x.Put(s, at(s)); err != nil {
			t.Fatal(err)
		}
	}
	few := rank.NewFilter(64)
	few.Add(3)
	if hits, err := topOf(t, x, at(500), 5, few, distinct); err != nil || len(hits) != 1 || hits[0].Slot != 3 {
		t.Errorf("found %v (error %v)", hits, err)
	}
	x.Delete(500)
	if p := x.pages[500/wordBits]; p.all != nil || len(x.findInconsistencies()) > 0 {
		t.Errorf("after it has gone there is %v, and %q", p, x.findInconsistencies())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.TopK(ctx, [][]float32{at(1)}, 1, nil, distinct); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
