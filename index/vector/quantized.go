package vector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"vademecum/index/rank"
)

// Quantized is an Index that keeps each number of a vector in 16 bits, half of what
// a float takes, and compares a question with all of them, one after the other. A
// cosine is off by some 0.000005.
type Quantized struct {
	bySlot     []codes
	count      int
	dimensions int
}

var _ Index = (*Quantized)(nil)

// codes are a vector of another length, whose largest number is mostCode. They are
// replaced and never changed: a snapshot may refer to them.
type codes struct {
	numbers []int16 // nil for no vector
	length  float64
}

const mostCode = math.MaxInt16

func quantize(vec []float32) codes {
	largest := 0.0
	for _, x := range vec {
		largest = max(largest, math.Abs(float64(x)))
	}
	numbers := make([]int16, len(vec))
	for i, x := range vec {
		numbers[i] = int16(math.Round(float64(x) / largest * mostCode))
	}
	return codesOf(numbers)
}

func codesOf(numbers []int16) codes {
	return codes{numbers, math.Sqrt(float64(dot(numbers, numbers)))}
}

// vector is the inverse of quantize, as exact as that leaves it.
func (c codes) vector() []float32 {
	vec := make([]float32, len(c.numbers))
	for i, n := range c.numbers {
		vec[i] = float32(float64(n) / c.length)
	}
	return vec
}

// dot is the scalar product of two vectors of as many numbers.
func dot(a, b []int16) (sum int64) {
	b = b[:len(a)]
	for i, x := range a {
		sum += int64(x) * int64(b[i])
	}
	return sum
}

// quantized takes over the vectors of another index.
func quantized(from *Chromem) *Quantized {
	x := &Quantized{bySlot: make([]codes, len(from.bySlot)), count: from.Len(), dimensions: from.dimensions}
	for s, vec := range from.bySlot {
		if vec != nil {
			x.bySlot[s] = quantize(vec)
		}
	}
	return x
}

// Len is that of Index.
func (x *Quantized) Len() int { return x.count }

// Dimensions is that of Index.
func (x *Quantized) Dimensions() int { return x.dimensions }

func (x *Quantized) at(s rank.Slot) codes {
	if int(s) >= len(x.bySlot) {
		return codes{}
	}
	return x.bySlot[s]
}

// At is that of Index.
func (x *Quantized) At(s rank.Slot) []float32 {
	if c := x.at(s); c.numbers != nil {
		return c.vector()
	}
	return nil
}

// Put is that of Index.
func (x *Quantized) Put(s rank.Slot, vec []float32) error {
	if !Fits(x, vec) {
		return fmt.Errorf("a vector of %d dimensions does not fit the index of %d", len(vec), x.dimensions)
	}
	for int(s) >= len(x.bySlot) {
		x.bySlot = append(x.bySlot, codes{})
	}
	if x.bySlot[s].numbers == nil {
		x.count++
	}
	x.dimensions, x.bySlot[s] = len(vec), quantize(vec)
	return nil
}

// Delete is that of Index.
func (x *Quantized) Delete(s rank.Slot) {
	if x.at(s).numbers != nil {
		x.bySlot[s] = codes{}
		x.count--
	}
}

// Top is that of Index.
func (x *Quantized) Top(ctx context.Context, query []float32, k int, keep rank.Filter, chunks rank.Chunks) ([]rank.Hit, error) {
	if !Fits(x, query) {
		return nil, fmt.Errorf("the query's vector has %d dimensions, the index %d", len(query), x.dimensions)
	}
	wanted := quantize(query)
	best := rank.NewBest(k, chunks)
	first := rank.Slot(0)
	for some := range slices.Chunk(x.bySlot, 4096) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, c := range some {
			if s := first + rank.Slot(i); c.numbers != nil && keep.Has(s) {
				best.Offer(rank.Hit{Slot: s, Score: float64(dot(wanted.numbers, c.numbers)) / wanted.length / c.length})
			}
		}
		first += rank.Slot(len(some))
	}
	return best.Hits(), nil
}

// Cosine is that of Index.
func (x *Quantized) Cosine(query []float32, s rank.Slot) (cosine float64, ok bool) {
	c := x.at(s)
	if c.numbers == nil {
		return 0, false
	}
	for i, n := range c.numbers {
		cosine += float64(n) * float64(query[i])
	}
	return cosine / c.length, true
}
