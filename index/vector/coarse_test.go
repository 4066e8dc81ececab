package vector

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/index/rank"
)

// hashed is a vector as that of a text with some features: each is in two places, with
// a sign.
func hashed(r *rand.Rand, features int) []float32 {
	vec := make([]float32, 512)
	for range features {
		weight := float32(r.Float64())
		for _, block := range []int{0, 256} {
			vec[block+r.IntN(256)] += weight * float32(1-2*r.IntN(2))
		}
	}
	return normal(vec)
}

// TestCoarseIsNear whatever the length of the texts is: few features make few
// different numbers.
func TestCoarseIsNear(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	const vectors = 300
	for _, features := range []int{1, 2, 5, 20, 100, 400} {
		x, exact := new(fourBitIndex), make([][]float32, vectors)
		for i := range exact {
			r := rand.New(rand.NewPCG(uint64(features), uint64(i)))
			exact[i] = hashed(r, features)
			if err := x.Put(rank.Slot(i), exact[i]); err != nil {
				t.Fatal(err)
			}
		}
		sum, most := 0.0, 0.0
		for i := range vectors {
			// From one seed the few features of a question are among those of a text.
			query := hashed(rand.New(rand.NewPCG(uint64(features), uint64(i))), (features+2)/3)
			cosine := x.Compare(query)
			for j := range vectors {
				got, _ := cosine(rank.Slot(j))
				off := math.Abs(got - float64(dotProduct(query, exact[j])))
				sum, most = sum+off*off, max(most, off)
			}
		}
		if deviation := math.Sqrt(sum / vectors / vectors); deviation > 0.006 || most > 0.035 {
			t.Errorf("with %d features cosines are off by %.4f, and up to %.4f", features, deviation, most)
		}
	}
}

// TestCoarseKeepsWhatItGave: to take a vector out and put it in again loses nothing.
func TestCoarseKeepsWhatItGave(t *testing.T) {
	r, x := rand.New(rand.NewPCG(1, 2)), new(fourBitIndex)
	for s := range rank.Slot(100) {
		vec := hashed(r, 1+int(s))
		if err := x.Put(2*s, vec); err != nil {
			t.Fatal(err)
		}
		given := x.VectorAt(2 * s)
		if cosine := dotProduct(vec, given); cosine < 0.98 {
			t.Errorf("of %d features it gives a vector with the cosine %.3f", s+1, cosine)
		}
		if err := x.Put(2*s+1, given); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x.VectorAt(2*s+1), given) {
			t.Errorf("with %d features it is another one", s+1)
		}
	}
}

// TestCoarseIsTheSame on all machines, and as in snapshots.
func TestCoarseIsTheSame(t *testing.T) {
	vec := make([]float32, 700)
	for i := range vec {
		vec[i] = float32(i%31-15) / 1024
	}
	x, h := new(fourBitIndex), fnv.New64a()
	if err := x.Put(0, normal(vec)); err != nil {
		t.Fatal(err)
	}
	for _, w := range x.pages[0].all {
		_ = binary.Write(h, binary.LittleEndian, w)
	}
	if got, want := h.Sum64(), uint64(0xdfc2f338519ca316); got != want {
		t.Errorf("it is %#x", got)
	}
}

// TestCoarseFindsTheBest: of those that are alike as passages and questions are.
func TestCoarseFindsTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	const n = 5000
	exact, x := newChromemIndex(), new(fourBitIndex)
	for s := range rank.Slot(n) {
		vec := hashed(rand.New(rand.NewPCG(9, uint64(s))), 150)
		if err := exact.Put(s, vec); err != nil {
			t.Fatal(err)
		}
		if err := x.Put(s, vec); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint64(20) {
		query := hashed(rand.New(rand.NewPCG(9, i*97)), 30)
		want, err := topOf(t, exact, query, 1, nil, distinct)
		if err != nil {
			t.Fatal(err)
		}
		got, err := topOf(t, x, query, 1, nil, distinct)
		if err != nil || got[0].Slot != want[0].Slot || math.Abs(got[0].Score-want[0].Score) > 0.03 {
			t.Errorf("found %v, want %v (error %v)", got, want, err)
		}
	}
}
