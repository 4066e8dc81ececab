package vector

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"vademecum/index/rank"
)

// fourBitIndex is an Index that quantizes each component of a vector to 4 bits, for vectors of some
// hundred dimensions that are compared roughly. The first bit of each component forms the sketch. A
// cosine is off by about .005; collisions of features alone make those of the built-in embedding
// off by .04.
//
// The components are quantized after the rotation that sketches need, after which those of any
// vector look like noise of the same magnitude. So the same levels fit all of them, and nothing is
// stored besides the bits. Bits of the same weight are stored together, so that products are
// counted 64 at a time.
type fourBitIndex struct {
	sketches
	offsets []float64 // for each dimension, added before a component is rounded to a level
}

var _ Index = (*fourBitIndex)(nil)

const (
	coarseBits = 4
	levels     = 1 << coarseBits
)

// step is the distance between quantization levels, as a fraction of the root mean square of a
// vector's components. With the outermost levels at 2.4, 2.7, 3.0 and 3.4, cosines of questions and
// passages are off by .0058, .0050, .0050 and .0055. Cosines above .2 lose .006, .003, .0015 and
// .0005, because larger components are cut off.
const step = 3.0 / (levels / 2)

// cutOff corrects for components that are cut off: it is the average scalar product of a unit
// vector with its levels.
const cutOff = 0.9955

// newFourBitIndex returns an empty index for vectors of the given number of dimensions, with room
// for slots vectors.
//
// The levels of each dimension are shifted by a different fraction of a step. A text of one or two
// words has few distinct components: without the shift, all would be rounded the same way, and
// cosines would be off by up to .11 instead of .02.
func newFourBitIndex(dimensions, slots int) *fourBitIndex {
	x := &fourBitIndex{sketches: newSketches(dimensions, coarseBits, slots)}
	r := rand.New(rand.NewPCG(3, 4))
	x.offsets = make([]float64, x.words*wordBits)
	for i := range x.offsets {
		x.offsets[i] = levels/2 + r.Float64() - 0.5
	}
	return x
}

// one is the length of a unit vector whose components are integers, before and after the rotation.
// It is small enough for them not to overflow.
const one = 1 << 20

// rotatedCopy returns a unit vector after the rotation.
func (x *fourBitIndex) rotatedCopy(vec []float32) []int32 {
	all := make([]int32, len(x.offsets))
	for i, number := range vec {
		all[i] = int32(number * one)
	}
	x.rotate(all)
	return all
}

// VectorAt implements Index.
func (x *fourBitIndex) VectorAt(s rank.Slot) []float32 {
	if !x.hasSketch(s) {
		return nil
	}
	all, scale := make([]int32, len(x.offsets)), step*one/math.Sqrt(float64(len(x.offsets)))
	for i, offset := range x.offsets {
		level := uint64(0)
		for n := range coarseBits {
			level = level<<1 | x.plane(s, n)[i/wordBits]>>(i%wordBits)&1
		}
		all[i] = int32((float64(level) + 0.5 - offset) * scale)
	}
	x.rotateBack(all)
	return toUnitLength(all[:x.Dimensions()])
}

// toUnitLength returns a vector scaled to length 1.
func toUnitLength(all []int32) []float32 {
	sum := int64(0)
	for _, number := range all {
		sum += int64(number) * int64(number)
	}
	vec, length := make([]float32, len(all)), math.Sqrt(float64(sum))
	for i, number := range all {
		vec[i] = float32(float64(number) / length)
	}
	return vec
}

// Put implements Index.
func (x *fourBitIndex) Put(s rank.Slot, vec []float32) error {
	if err := checkFits(x, vec); err != nil {
		return err
	}
	if x.Dimensions() == 0 {
		*x = *newFourBitIndex(len(vec), 0)
	}
	x.reserve(int(s) + 1)
	x.put(s, vec)
	return nil
}

// put stores the vector of a chunk, for which reserve has made room. Several goroutines may call it
// concurrently if each writes to pages of its own.
func (x *fourBitIndex) put(s rank.Slot, vec []float32) {
	all, offsets := x.rotatedCopy(vec), x.offsets
	for i := range x.sketchRoom(s) {
		var words [coarseBits]uint64
		for j, number := range all[i*wordBits:][:wordBits] {
			level := int(float64(float64(number)*(1/(step*one))) + offsets[i*wordBits+j])
			level = max(0, min(levels-1, level))
			for n := range words {
				words[n] |= uint64(level) >> (coarseBits - 1 - n) & 1 << j
			}
		}
		for n, word := range words {
			x.plane(s, n)[i] = word
		}
	}
}

// Delete implements Index.
func (x *fourBitIndex) Delete(s rank.Slot) { x.remove(s) }

// TopK implements Index.
func (x *fourBitIndex) TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error) {
	if err := checkFits(x, queries...); err != nil {
		return nil, err
	}
	return x.top(ctx, x, queries, k, keep, chunks)
}

// Compare implements Index.
func (x *fourBitIndex) Compare(query []float32) func(rank.Slot) (float64, bool) {
	return x.compare(x, query)
}

func (x *fourBitIndex) sketchQuestion(query []float32) sketchedQuestion {
	return x.newQuestion(x.rotatedCopy(query))
}

func (x *fourBitIndex) cosine(query []float32) func(rank.Slot) float64 {
	f := x.factors(x.rotatedCopy(query))
	return func(s rank.Slot) float64 { return f.cosine(x, s) }
}

// queryFactors holds the components of a query vector, by which the levels of a stored vector are
// multiplied: integers of factorBits bits in two's complement.
type queryFactors struct {
	words [][factorBits]uint64 // bits of the same weight together, as in levels
	zero  float64              // product with a zero vector
	scale float64
}

// factorBits is chosen so that factors lose no more precision than levels do.
const factorBits = 8

func (x *fourBitIndex) factors(all []int32) queryFactors {
	largest := int64(1)
	for _, number := range all {
		largest = max(largest, absInt(number))
	}
	perOne := (1<<(factorBits-1) - 1) / float64(largest)
	f := queryFactors{words: make([][factorBits]uint64, x.words), scale: step / (perOne * one * float64(len(all)) * cutOff)}
	for i, number := range all {
		factor := math.RoundToEven(float64(number) * perOne)
		for n := range factorBits {
			f.words[i/wordBits][n] |= uint64(int64(factor)) >> n & 1 << (i % wordBits)
		}
		f.zero += float64(factor * (x.offsets[i] - 0.5))
	}
	return f
}

// cosine returns the cosine of the query and the vector of a chunk, which must have one.
func (f *queryFactors) cosine(x *fourBitIndex, s rank.Slot) float64 {
	p0, p1, p2, p3 := x.plane(s, 0), x.plane(s, 1), x.plane(s, 2), x.plane(s, 3)
	var sums [factorBits]int
	for i := range f.words {
		w0, w1, w2, w3 := p0[i], p1[i], p2[i], p3[i]
		for n, w := range f.words[i] {
			sums[n] += bits.OnesCount64(w0&w)<<3 + bits.OnesCount64(w1&w)<<2 + bits.OnesCount64(w2&w)<<1 + bits.OnesCount64(w3&w)
		}
	}
	product := -sums[factorBits-1] << (factorBits - 1)
	for n, sum := range sums[:factorBits-1] {
		product += sum << n
	}
	return (float64(product) - f.zero) * f.scale
}
