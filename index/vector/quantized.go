package vector

import (
	"context"
	"math"

	"vademecum/index/rank"
)

// quantizedIndex is an Index that quantizes each component of a vector to 16 bits, half the size of
// a float, and stores a sketch of each vector. It compares a query with all sketches, and then with
// the quantized vectors of the nearest ones. A cosine is off by about 0.000005.
type quantizedIndex struct {
	sketches
	bySlot []quantizedVector
}

var _ Index = (*quantizedIndex)(nil)

// quantizedVector is a vector scaled so that its largest component is mostCode. Its components are
// replaced as a whole and never modified, because a snapshot may share them.
type quantizedVector struct {
	numbers []int16 // nil if there is no vector
	length  float64
}

const mostCode = math.MaxInt16

func quantize(vec []float32) quantizedVector {
	largest := 0.0
	for _, x := range vec {
		largest = max(largest, math.Abs(float64(x)))
	}
	numbers := make([]int16, len(vec))
	for i, x := range vec {
		numbers[i] = int16(math.Round(float64(x) / largest * mostCode))
	}
	return quantizedVectorOf(numbers)
}

func quantizedVectorOf(numbers []int16) quantizedVector {
	return quantizedVector{numbers, math.Sqrt(float64(dotProductInt(numbers, numbers)))}
}

// vector returns the unit vector that was quantized, up to rounding.
func (c quantizedVector) vector() []float32 {
	vec := make([]float32, len(c.numbers))
	for i, n := range c.numbers {
		vec[i] = float32(float64(n) / c.length)
	}
	return vec
}

// dotProductInt returns the scalar product of two vectors of the same length.
func dotProductInt(a, b []int16) (sum int64) {
	b = b[:len(a)]
	for i, x := range a {
		sum += int64(x) * int64(b[i])
	}
	return sum
}

// newQuantizedIndex returns an empty index for vectors of the given number of dimensions, with room
// for slots vectors.
func newQuantizedIndex(dimensions, slots int) *quantizedIndex {
	return &quantizedIndex{newSketches(dimensions, 1, slots), make([]quantizedVector, slots)}
}

// VectorAt implements Index.
func (x *quantizedIndex) VectorAt(s rank.Slot) []float32 {
	if !x.hasSketch(s) {
		return nil
	}
	return x.bySlot[s].vector()
}

// Put implements Index.
func (x *quantizedIndex) Put(s rank.Slot, vec []float32) error {
	if err := checkFits(x, vec); err != nil {
		return err
	}
	if x.Dimensions() == 0 {
		*x = *newQuantizedIndex(len(vec), 0)
	}
	for int(s) >= len(x.bySlot) {
		x.bySlot = append(x.bySlot, quantizedVector{})
	}
	x.reserve(len(x.bySlot))
	x.put(s, vec)
	return nil
}

// put stores the vector of a chunk, for which reserve has made room. Several goroutines may call it
// concurrently if each writes to pages of its own.
func (x *quantizedIndex) put(s rank.Slot, vec []float32) {
	c := quantize(vec)
	x.bySlot[s] = c
	x.sketch(x.sketchRoom(s), c.numbers)
}

// Delete implements Index.
func (x *quantizedIndex) Delete(s rank.Slot) {
	if x.hasSketch(s) {
		x.bySlot[s] = quantizedVector{}
		x.remove(s)
	}
}

// TopK implements Index.
func (x *quantizedIndex) TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error) {
	if err := checkFits(x, queries...); err != nil {
		return nil, err
	}
	return x.top(ctx, x, queries, k, keep, chunks)
}

// Compare implements Index.
func (x *quantizedIndex) Compare(query []float32) func(rank.Slot) (float64, bool) {
	return x.compare(x, query)
}

func (x *quantizedIndex) sketchQuestion(query []float32) sketchedQuestion {
	return x.newQuestion(x.rotated(quantize(query).numbers))
}

func (x *quantizedIndex) cosine(query []float32) func(rank.Slot) float64 {
	c := quantize(query)
	return func(s rank.Slot) float64 {
		other := x.bySlot[s]
		return float64(dotProductInt(c.numbers, other.numbers)) / c.length / other.length
	}
}
