package vector

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"vademecum/index/rank"
)

const wide = 2048

// many is one more than the vectors that a Chromem is to hold.
func many(p Precision) int { return p.mostInChromem()/wide + 1 }

// grown is a Growing of so many vectors.
func grown(t *testing.T, p Precision, vectors int) *GrowingIndex {
	t.Helper()
	model, x := newSpread(vectors, wide), New(p)
	for s := range rank.Slot(vectors) {
		if err := x.Put(s, model.next()); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// TestGrowingFindsTheSame on both sides of the change.
func TestGrowingFindsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	t.Run("16 bits", func(t *testing.T) { testChange(t, Precision16Bits, new(quantizedIndex), 1e-5) })
	t.Run("4 bits", func(t *testing.T) { testChange(t, Precision4Bits, new(fourBitIndex), 0.01) })
}

func testChange(t *testing.T, p Precision, into Index, off float64) {
	x, last := grown(t, p, many(p)-1), rank.Slot(many(p)-1)
	if _, ok := x.Index.(*chromemIndex); !ok {
		t.Fatalf("of %d vectors it is a %T", x.Len(), x.Index)
	}
	query := newSpread(many(p), wide).next()
	top := func() []rank.Hit {
		hits, err := topOf(t, x, query, 20, nil, distinct)
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	before, vec := top(), x.VectorAt(7)
	if err := x.Put(last, negative(query)); err != nil {
		t.Fatal(err)
	}
	if reflect.TypeOf(x.Index) != reflect.TypeOf(into) || x.Len() != many(p) {
		t.Fatalf("of %d vectors it is a %T", x.Len(), x.Index)
	}
	for i, h := range top() {
		if math.Abs(h.Score-before[i].Score) > off {
			t.Errorf("the %d. is %+v, before %+v", i+1, h, before[i])
		}
		if cosine, ok := x.Compare(query)(h.Slot); !ok || math.Abs(cosine-h.Score) > 1e-5 {
			t.Errorf("slot %d has the cosine %v, and the score %v", h.Slot, cosine, h.Score)
		}
	}
	if math.Abs(float64(dotProduct(x.VectorAt(7), vec)-1)) > off || !IsUnitVector(x.VectorAt(7)) {
		t.Error("a vector is another than before")
	}
	for _, fault := range x.FindInconsistencies() {
		t.Error(fault)
	}
}

func negative(vec []float32) []float32 {
	other := slices.Clone(vec)
	for i := range other {
		other[i] = -other[i]
	}
	return other
}

// TestSnapshotKeepsBits: what is kept in 16 or 4 bits is saved and loaded so, also when
// few of many vectors are, and what floats were saved of too many is not.
func TestSnapshotKeepsBits(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	for p, index := range map[Precision]Index{Precision16Bits: new(quantizedIndex), Precision4Bits: new(fourBitIndex)} {
		isOf := func(x Index) bool { return reflect.TypeOf(x.(*GrowingIndex).Index) == reflect.TypeOf(index) }
		x := grown(t, p, many(p))
		again, err := loaded(2, wide, p, written(t, TakeSnapshot(x, []rank.Slot{5, 500})))
		if err != nil || !isOf(again) || again.Len() != 2 || !slices.Equal(again.VectorAt(1), x.VectorAt(500)) || !slices.Equal(again.VectorAt(0), x.VectorAt(5)) {
			t.Errorf("loaded %v with %v", again, err)
		}
		for _, fault := range again.(*GrowingIndex).FindInconsistencies() {
			t.Error(fault)
		}
		floats := grown(t, p, many(p)-1)
		slots := make([]rank.Slot, many(p))
		for i := range slots[1:] {
			slots[i] = rank.Slot(i)
		}
		again, err = loaded(many(p), wide, p, written(t, TakeSnapshot(floats, slots)))
		if err != nil {
			t.Fatal(err)
		}
		if !isOf(again) || again.Len() != many(p) || dotProduct(again.VectorAt(9), floats.VectorAt(9)) < 0.99 {
			t.Errorf("of many floats there is a %T of %d", again.(*GrowingIndex).Index, again.Len())
		}
		for _, fault := range again.(*GrowingIndex).FindInconsistencies() {
			t.Error(fault)
		}
	}
}

// TestSnapshotOfAnotherPrecision: a server loads what one with a model has written, to
// save its vectors.
func TestSnapshotOfAnotherPrecision(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	for p, other := range map[Precision]Precision{Precision16Bits: Precision4Bits, Precision4Bits: Precision16Bits} {
		x := grown(t, p, many(p))
		again, err := loaded(1, wide, other, written(t, TakeSnapshot(x, []rank.Slot{5})))
		if err != nil || !slices.Equal(again.VectorAt(0), x.VectorAt(5)) {
			t.Errorf("loaded %v with %v", again, err)
		}
	}
}
