package vector

import (
	"math/bits"
	"math/rand/v2"
)

// sketcher makes binary sketches of vectors of one number of dimensions (sign random projection).
// A sketch has one bit for each dimension of the vector after a fixed rotation: whether its
// component is above zero. Vectors of the same direction have the same bits, orthogonal ones share
// half of them.
//
// The rotation makes that hold whatever the vectors are like: those of the built-in
// embedding are mostly zeros, and those of some models have a few large numbers. It is
// that of Ailon and Chazelle ("The Fast Johnson-Lindenstrauss Transform", 2009): random
// signs, then a Hadamard matrix. It is the same in all indexes, so that results do not depend on
// what was indexed before. Sketches in snapshots were made by it: a change of the rotation needs
// a new storageForm.
type sketcher struct {
	signs []int32 // 1 or -1 for each dimension
	words int     // of a sketch
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

// sketchWords returns how many 64-bit words the sketch of a vector of that many dimensions has: a
// power of two.
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

// rotate rotates a vector, which is padded with zeros, in place and scales it: the root mean square
// of its components is then the length that it had.
func (s sketcher) rotate(all []int32) {
	for i, sign := range s.signs {
		all[i] *= sign
	}
	hadamardTransform(all)
}

// rotateBack reverses rotate but for the scale.
func (s sketcher) rotateBack(all []int32) {
	hadamardTransform(all) // its own inverse
	for i, sign := range s.signs {
		all[i] *= sign
	}
}

// hadamardTransform multiplies a vector, as long as a power of two from 4 on, by a Hadamard
// matrix, two steps at a time: memory is what it waits for.
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

// sketch writes the sketch of a vector to words, which must have room for it.
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

// sketchedQuestion is a query vector as sketches are compared with it: each bit has a weight, from 0
// for a component near zero to heaviest for a large one. With a sketch of the query, whose bits
// all weigh the same, two to four times as many vectors would have to be compared again.
type sketchedQuestion []struct {
	above    uint64 // what a sketch like it has
	one, two uint64 // the digits of what each bit weighs
}

const heaviest = 3

// newQuestion returns the sketchedQuestion of a vector after the rotation.
func (s sketcher) newQuestion(all []int32) sketchedQuestion {
	sum := int64(0)
	for _, x := range all {
		sum += absInt(x)
	}
	// Of Gaussian numbers this rounds best to multiples of up to 3.
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

// distance returns the total weight of the bits in which a sketch differs from the question.
func (q sketchedQuestion) distance(sketch []uint64) int {
	sketch = sketch[:len(q)]
	sum := 0
	for i := range q {
		differs := sketch[i] ^ q[i].above
		sum += bits.OnesCount64(differs&q[i].one) + 2*bits.OnesCount64(differs&q[i].two)
	}
	return sum
}

// maxDistance is an upper bound of the distances from a question.
func (s sketcher) maxDistance() int { return heaviest*s.words*wordBits + 1 }
