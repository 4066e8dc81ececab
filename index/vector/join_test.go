package vector

import (
	"slices"
	"testing"

	"vademecum/index/rank"
)

// TestJoin of indexes that have grown and others: the vectors are those of before, and
// what does not fit is reported.
func TestJoin(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	large, small := many(Precision4Bits), 7
	for _, sizes := range [][2]int{{large, large}, {large, small}, {small, large}, {small, small}} {
		x, other := grown(t, Precision4Bits, sizes[0]), grown(t, Precision4Bits, sizes[1])
		other.Delete(3)
		first := rank.Slot(sizes[0] + 5)
		unfit, err := MergeIndexes(x, other, first, sizes[1])
		if err != nil || len(unfit) > 0 || x.Len() != sizes[0]+sizes[1]-1 || x.VectorAt(first+3) != nil {
			t.Fatalf("%d: %d vectors, at %d none fits (error %v)", sizes, x.Len(), unfit, err)
		}
		for s := range rank.Slot(sizes[1]) {
			if s != 3 && dotProduct(x.VectorAt(first+s), other.VectorAt(s)) < 0.98 {
				t.Errorf("%d: slot %d has another vector", sizes, s)
			}
		}
		if sizes[0] == sizes[1] && !slices.Equal(x.VectorAt(first+5), other.VectorAt(5)) {
			t.Errorf("%d: a vector has lost something", sizes)
		}
	}
	x, other := New(Precision4Bits), New(Precision4Bits)
	for _, s := range []rank.Slot{1, 4} {
		if err := other.Put(s, at(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Put(0, []float32{1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if unfit, err := MergeIndexes(x, other, 10, 5); err != nil || !slices.Equal(unfit, []rank.Slot{11, 14}) || x.Len() != 1 {
		t.Errorf("at %d none fits, there are %d (error %v)", unfit, x.Len(), err)
	}
}
