package vector

import (
	"math"
	"slices"
	"testing"

	"vademecum/index/rank"
)

// manyVectors is one more than a Chromem is to hold of their dimensions.
const (
	wide        = 2048
	manyVectors = mostInChromem/wide + 1
)

// grown is a Growing of so many vectors.
func grown(t *testing.T, vectors int) *Growing {
	t.Helper()
	model, x := newSpread(vectors, wide), New()
	for s := range rank.Slot(vectors) {
		if err := x.Put(s, model.next()); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// TestGrowingFindsTheSame on both sides of the change.
func TestGrowingFindsTheSame(t *testing.T) {
	x := grown(t, manyVectors-1)
	if _, ok := x.Index.(*Chromem); !ok {
		t.Fatalf("of %d vectors it is a %T", x.Len(), x.Index)
	}
	query := newSpread(manyVectors, wide).next()
	top := func() []rank.Hit {
		hits, err := topOf(t, x, query, 20, nil, distinct)
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	before, vec := top(), x.At(7)
	if err := x.Put(manyVectors-1, negative(query)); err != nil {
		t.Fatal(err)
	}
	if _, ok := x.Index.(*Quantized); !ok || x.Len() != manyVectors {
		t.Fatalf("of %d vectors it is a %T", x.Len(), x.Index)
	}
	for i, h := range top() {
		if h.Slot != before[i].Slot || math.Abs(h.Score-before[i].Score) > 1e-5 {
			t.Errorf("the %d. is %+v, before %+v", i+1, h, before[i])
		}
		if cosine, ok := x.Cosine(query, h.Slot); !ok || math.Abs(cosine-h.Score) > 1e-5 {
			t.Errorf("slot %d has the cosine %v, and the score %v", h.Slot, cosine, h.Score)
		}
	}
	if !areNear(x.At(7), vec, 1e-4) || !IsUnit(x.At(7)) {
		t.Error("a vector is another than before")
	}
	for _, fault := range x.Faults() {
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

// TestSnapshotKeepsCodes: what is kept in 16 bits is saved and loaded so, also when
// few of many vectors are, and what floats were saved of too many is not.
func TestSnapshotKeepsCodes(t *testing.T) {
	x := grown(t, manyVectors)
	few := Take(x, []rank.Slot{5, 900})
	again, err := loaded(2, wide, written(t, few))
	if err != nil || again.Len() != 2 || !slices.Equal(again.At(1), x.At(900)) {
		t.Errorf("loaded %v with %v", again, err)
	}
	if q, ok := again.(*Growing).Index.(*Quantized); !ok || !slices.Equal(q.at(0).numbers, x.Index.(*Quantized).at(5).numbers) {
		t.Errorf("of codes there is a %T", again.(*Growing).Index)
	}
	for _, fault := range again.(*Growing).Faults() {
		t.Error(fault)
	}
	floats := grown(t, manyVectors-1)
	slots := make([]rank.Slot, manyVectors)
	for i := range slots[1:] {
		slots[i] = rank.Slot(i)
	}
	again, err = loaded(manyVectors, wide, written(t, Take(floats, slots)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := again.(*Growing).Index.(*Quantized); !ok || again.Len() != manyVectors || !areNear(again.At(9), floats.At(9), 1e-4) {
		t.Errorf("of many floats there is a %T of %d", again.(*Growing).Index, again.Len())
	}
	for _, fault := range again.(*Growing).Faults() {
		t.Error(fault)
	}
}
