package vector

import (
	"context"
	"fmt"
	"math"

	"vademecum/index/rank"
)

// Quantized is an Index that keeps each number of a vector in 16 bits, half of what
// a float takes, and a sketch of each vector. It compares a question with all
// sketches, and those that are nearest again with the numbers. A cosine is off by
// some 0.000005.
type Quantized struct {
	bySlot     []codes
	sketches   *sketches // nil before the first vector
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

// newQuantized makes one for vectors of so many dimensions, with room for some.
func newQuantized(dimensions, slots int) *Quantized {
	x := &Quantized{bySlot: make([]codes, slots), sketches: &sketches{sketcher: newSketcher(dimensions)}, dimensions: dimensions}
	x.sketches.grow(slots)
	return x
}

// quantized takes over the vectors of another index.
func quantized(from *Chromem) *Quantized {
	x := newQuantized(from.dimensions, len(from.bySlot))
	for s, vec := range from.bySlot {
		if vec != nil {
			x.put(rank.Slot(s), quantize(vec))
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
	if x.dimensions == 0 {
		*x = *newQuantized(len(vec), 0)
	}
	for int(s) >= len(x.bySlot) {
		x.bySlot = append(x.bySlot, codes{})
	}
	x.sketches.grow(len(x.bySlot))
	x.put(s, quantize(vec))
	return nil
}

// put gives a vector to a chunk for which there is room.
func (x *Quantized) put(s rank.Slot, c codes) {
	if x.bySlot[s].numbers == nil {
		x.count++
	}
	x.hold(s, c)
}

// hold is put for a chunk that is counted. Several goroutines may do so at once,
// each for pages of its own.
func (x *Quantized) hold(s rank.Slot, c codes) {
	x.bySlot[s] = c
	x.sketches.sketch(x.sketches.room(s), c.numbers)
}

// Delete is that of Index.
func (x *Quantized) Delete(s rank.Slot) {
	if x.at(s).numbers != nil {
		x.bySlot[s] = codes{}
		x.sketches.remove(s)
		x.count--
	}
}

// How many are compared again. Of 50,000 vectors with the spread of a model's, in 999
// of 1,000 cases those of the ten best are among the 60 nearest, and in 995 those of
// the 200 best among the 2,100. Of 19,000 of the built-in embedding, those of the 20
// best are among the 400 in 999 cases, and without the rotation among 10,000.
const (
	againLeast = 1000
	againPart  = 10 // of each that is wanted
)

// Top is that of Index.
func (x *Quantized) Top(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.Chunks) ([][]rank.Hit, error) {
	if err := checkAll(x, queries); err != nil {
		return nil, err
	}
	all := make([][]rank.Hit, len(queries))
	if x.count == 0 {
		return all, nil
	}
	wanted, questions := make([]codes, len(queries)), make([]question, len(queries))
	for i, query := range queries {
		wanted[i] = quantize(query)
		questions[i] = x.sketches.question(wanted[i].numbers)
	}
	near, err := x.sketches.nearest(ctx, questions, max(againLeast, againPart*k), keep)
	if err != nil {
		return nil, err
	}
	for i, list := range near {
		if list, err = x.widened(ctx, list, questions[i], keep, chunks); err != nil {
			return nil, err
		}
		all[i] = x.compare(wanted[i], list, k, chunks)
	}
	return all, nil
}

// widened is a list with enough that differs: the nearest may be copies of a few.
func (x *Quantized) widened(ctx context.Context, list shortlist, q question, keep rank.Filter, chunks rank.Chunks) (shortlist, error) {
	enough := list.width / 2
	for !list.isAll() && wordings(list, chunks) < enough {
		again, err := x.sketches.nearest(ctx, []question{q}, 8*list.width, keep)
		if err != nil {
			return list, err
		}
		list = again[0]
	}
	return list, nil
}

// wordings counts what the chunks of a list say.
func wordings(list shortlist, chunks rank.Chunks) int {
	different := make(map[rank.Wording]struct{}, len(list.near))
	for _, d := range list.near {
		different[chunks.Wording(d.slot)] = struct{}{}
	}
	return len(different)
}

// compare ranks the chunks of a list.
func (x *Quantized) compare(wanted codes, list shortlist, k int, chunks rank.Chunks) []rank.Hit {
	best := rank.NewBest(k, chunks)
	for _, d := range list.near {
		c := x.bySlot[d.slot]
		best.Offer(rank.Hit{Slot: d.slot, Score: float64(dot(wanted.numbers, c.numbers)) / wanted.length / c.length})
	}
	return best.Hits()
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
