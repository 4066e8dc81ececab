package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"testing"

	"vademecum/index/rank"
)

// distinct are chunks of which none is a copy, in the order of their slots.
type distinct struct{}

func (distinct) Compare(a, b rank.Slot) int { return cmp.Compare(a, b) }

func (distinct) Wording(s rank.Slot) (w rank.Wording) {
	binary.BigEndian.PutUint64(w[:], uint64(s))
	return w
}

func unit(x, y float64) []float32 {
	n := math.Hypot(x, y)
	return []float32{float32(x / n), float32(y / n)}
}

func TestVectorsTop(t *testing.T) {
	v := newVectors()
	if hits, err := v.top(t.Context(), unit(1, 0), 5, nil, distinct{}); err != nil || len(hits) != 0 {
		t.Errorf("an empty index answers %v, %v", hits, err)
	}
	const n = 1000
	for i := range n {
		if err := v.add(t.Context(), rank.Slot(i), unit(math.Cos(float64(i)/n), math.Sin(float64(i)/n))); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := v.top(t.Context(), unit(1, 0), 3, nil, distinct{})
	if err != nil || len(hits) != 3 || hits[0].Slot != 0 || hits[2].Slot != 2 {
		t.Errorf("top 3: %v, %v", hits, err)
	}
	far := rank.NewFilter(n)
	far.Add(n - 2)
	far.Add(n - 1)
	// Only the far end is admitted: the list must be widened to reach it.
	hits, err = v.top(t.Context(), unit(1, 0), 3, far, distinct{})
	if err != nil || len(hits) != 2 || hits[0].Slot != n-2 {
		t.Errorf("with a filter: %v, %v", hits, err)
	}
	if err := v.remove(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if hits, _ := v.top(t.Context(), unit(1, 0), 1, nil, distinct{}); hits[0].Slot != 1 || v.count() != n-1 {
		t.Errorf("after a removal: %v of %d", hits, v.count())
	}
	if c, ok := v.similarity(unit(1, 0), 500); !ok || math.Abs(c-math.Cos(0.5)) > 1e-3 {
		t.Errorf("similarity %v, %v", c, ok)
	}
	if _, ok := v.similarity(unit(1, 0), 0); ok {
		t.Error("a removed chunk has a similarity")
	}
}

func TestVectorsRefuse(t *testing.T) {
	v := newVectors()
	if err := v.add(t.Context(), 1, unit(1, 1)); err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	for name, vec := range map[string][]float32{
		"none": nil, "other length": {1, 0, 0}, "zero": {0, 0}, "not a number": {nan, 1}, "infinite": {float32(math.Inf(1)), 0}, "not of unit length": {3, 4},
	} {
		if err := v.add(t.Context(), 2, vec); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if _, err := v.top(t.Context(), vec, 1, nil, distinct{}); err == nil {
			t.Errorf("%s: accepted as a query", name)
		}
	}
	if hits, err := v.top(t.Context(), unit(1, 1), 1, nil, distinct{}); err != nil || len(hits) != 1 {
		t.Errorf("after refusals: %v, %v", hits, err)
	}
}
