package vector

import (
	"math/bits"
	"math/rand/v2"
)

// sketcher makes binary sketches of vectors of a fixed number of dimensions (sign random
// projection). A sketch has one bit for each dimension of the vector after a fixed rotation:
// whether its component is positive. Vectors of the same direction have the same bits; orthogonal
// ones share half of them.
//
// The rotation makes this hold for any vectors: those of the built-in embedding are mostly zeros,
// and those of some models have a few large components. It is that of Ailon and Chazelle ("The Fast
// Johnson-Lindenstrauss Transform", 2009): random signs, then a Hadamard matrix. It is the same in
// all indexes, so that results do not depend on what was indexed before. Sketches in snapshots were
// made with it: a change of the rotation requires a new storageForm.
type sketcher struct {
	signs []int32 // 1 or -1 for each dimension
	words int     // number of words of a sketch
}

func newSketcher(dimensions int) sketcher {
	r := rand.New(rand.NewPCG(1, 2))
	s := sketcher{make([]int32, dimensions), sketchWords(dimensions)}
	for i := range s.signs {
		s.signs[i] = 1 - 2*int32(r.Uint64()&1)
	}
	return s
}

const wordBits = 64

// sketchWords returns how many 64-bit words the sketch of a vector with the given number of
// dimensions has: a power of two.
func sketchWords(dimensions int) int {
	words := 1
	for words*wordBits < dimensions {
		words *= 2
	}
	return words
}

// rotated returns a vector after the rotation, which also scales it. Its components are integers,
// whose sums are exact, so that all machines make the same sketches.
func (s sketcher) rotated(numbers []int16) []int32 {
	all := make([]int32, s.words*wordBits)
	for i, number := range numbers {
		all[i] = int32(number)
	}
	s.rotate(all)
	return all
}

// rotate rotates a vector, padded with zeros, in place and scales it: afterwards the root mean
// square of its components is its former length.
func (s sketcher) rotate(all []int32) {
	for i, sign := range s.signs {
		all[i] *= sign
	}
	hadamardTransform(all)
}

// rotateBack reverses rotate, except for the scale.
func (s sketcher) rotateBack(all []int32) {
	hadamardTransform(all) // its own inverse
	for i, sign := range s.signs {
		all[i] *= sign
	}
}

// hadamardTransform multiplies a vector by a Hadamard matrix. The length of the vector is a power
// of two, at least 4. It does two steps at a time, because it is limited by memory access.
func hadamardTransform(all []int32) {
	half := 1
	if bits.TrailingZeros(uint(len(all)))%2 == 1 {
		for i := 0; i+1 < len(all); i += 2 {
			all[i], all[i+1] = all[i]+all[i+1], all[i]-all[i+1]
		}
		half = 2
	}
	for ; half < len(all); half *= 4 {
		for rest := all; len(rest) > 0; rest = rest[4*half:] {
			a, b, c, d := rest[:half], rest[half:2*half], rest[2*half:3*half], rest[3*half:4*half]
			b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
			for i := range a {
				ab, a_b, cd, c_d := a[i]+b[i], a[i]-b[i], c[i]+d[i], c[i]-d[i]
				a[i], b[i], c[i], d[i] = ab+cd, a_b+c_d, ab-cd, a_b-c_d
			}
		}
	}
}

// sketch writes the sketch of a vector to the given words, which must have room for it.
func (s sketcher) sketch(to []uint64, numbers []int16) {
	all := s.rotated(numbers)
	for i := range to {
		word := uint64(0)
		for j, x := range all[i*wordBits:][:wordBits] {
			word |= uint64(uint32(-x)>>31) << j
		}
		to[i] = word
	}
}

// sketchedQuestion is a query vector prepared for comparison with sketches: each bit has a weight,
// from 0 for a component near zero to heaviest for a large one. With a sketch of the query, whose
// bits all have the same weight, two to four times as many vectors would have to be compared
// exactly.
type sketchedQuestion []struct {
	above    uint64 // bits of the most similar sketch
	one, two uint64 // binary digits of the weight of each bit
}

const heaviest = 3

// newQuestion returns the sketchedQuestion for a rotated vector.
func (s sketcher) newQuestion(all []int32) sketchedQuestion {
	sum := int64(0)
	for _, x := range all {
		sum += absInt(x)
	}
	// The best step for rounding Gaussian components to multiples up to 3.
	step := max(1, sum*4/5/int64(len(all)))
	q := make(sketchedQuestion, s.words)
	for i, x := range all {
		weight := uint64(min(heaviest, (absInt(x)*2+step)/(2*step)))
		word, bit := &q[i/wordBits], i%wordBits
		word.above |= uint64(uint32(-x)>>31) << bit
		word.one |= weight & 1 << bit
		word.two |= weight >> 1 << bit
	}
	return q
}

func absInt(x int32) int64 { return max(int64(x), -int64(x)) }

// distance returns the total weight of the bits in which a sketch differs from the query.
func (q sketchedQuestion) distance(sketch []uint64) int {
	sketch = sketch[:len(q)]
	sum := 0
	for i := range q {
		differs := sketch[i] ^ q[i].above
		sum += bits.OnesCount64(differs&q[i].one) + 2*bits.OnesCount64(differs&q[i].two)
	}
	return sum
}

// maxDistance returns an upper bound of the distances from a query.
func (s sketcher) maxDistance() int { return heaviest*s.words*wordBits + 1 }
