package vector

import (
	"math"
	"math/rand/v2"
)

// spread makes unit vectors with the spread of those of real models: clusters, whose
// centres and members are Gaussian with variances that fall as 1/i from one principal
// direction to the next, as the spectra of text embeddings do; none of the directions
// is a dimension; and all have a direction in common, so that two that have nothing
// to do with each other have a cosine of .35, as with bge and gte (.1 to .7 with
// others).
type spread struct {
	*rand.Rand
	deviations []float64
	centres    [][]float32
	common     []float32
	shuffles   [][]int // and signs make directions of dimensions
	signs      [][]float32
}

const (
	commonPart    = 0.35
	withinCluster = 0.5 // of the variance
	ofCluster     = 100
)

func newSpread(vectors, dimensions int) *spread {
	s := &spread{Rand: rand.New(rand.NewPCG(3, uint64(dimensions))), deviations: make([]float64, dimensions), common: make([]float32, dimensions)}
	sum := 0.0
	for i := range dimensions {
		sum += 1 / float64(i+1)
	}
	for i := range dimensions {
		s.deviations[i] = math.Sqrt(1 / float64(i+1) / sum)
		s.common[i] = float32(s.NormFloat64() * math.Sqrt(commonPart/float64(dimensions)))
	}
	for range 3 {
		signs := make([]float32, dimensions)
		for i := range signs {
			signs[i] = float32(1 - 2*s.IntN(2))
		}
		s.shuffles, s.signs = append(s.shuffles, s.Perm(dimensions)), append(s.signs, signs)
	}
	for range max(1, vectors/ofCluster) {
		s.centres = append(s.centres, s.gaussian())
	}
	return s
}

func (s *spread) gaussian() []float32 {
	vec := make([]float32, len(s.deviations))
	for i, d := range s.deviations {
		vec[i] = float32(s.NormFloat64() * d)
	}
	return vec
}

// next makes another vector, of a passage or a question.
func (s *spread) next() []float32 {
	vec, centre := s.gaussian(), s.centres[s.IntN(len(s.centres))]
	for i := range vec {
		vec[i] = vec[i]*float32(math.Sqrt(withinCluster)) + centre[i]*float32(math.Sqrt(1-withinCluster))
	}
	vec = s.turned(vec)
	for i := range vec {
		vec[i] = vec[i]*float32(math.Sqrt(1-commonPart)) + s.common[i]
	}
	return normal(vec)
}

// turned is a vector after three rounds of shuffling, changed signs and a Hadamard
// matrix for each block that has a power of two of its dimensions.
func (s *spread) turned(vec []float32) []float32 {
	block := len(vec) & -len(vec)
	for round, shuffle := range s.shuffles {
		next := make([]float32, len(vec))
		for i, from := range shuffle {
			next[i] = vec[from] * s.signs[round][i] / float32(math.Sqrt(float64(block)))
		}
		for rest := next; len(rest) > 0; rest = rest[block:] {
			hadamard(rest[:block])
		}
		vec = next
	}
	return vec
}

func hadamard(vec []float32) {
	if len(vec) == 1 {
		return
	}
	a, b := vec[:len(vec)/2], vec[len(vec)/2:]
	for i := range a {
		a[i], b[i] = a[i]+b[i], a[i]-b[i]
	}
	hadamard(a)
	hadamard(b)
}

// normal gives a vector the length 1.
func normal(vec []float32) []float32 {
	sum := 0.0
	for _, x := range vec {
		sum += float64(x) * float64(x)
	}
	for i := range vec {
		vec[i] /= float32(math.Sqrt(sum))
	}
	return vec
}
