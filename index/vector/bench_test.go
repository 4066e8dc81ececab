package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"vademecum/index/rank"
)

// randomUnit is a unit vector in any direction.
func randomUnit(r *rand.Rand, dimensions int) []float32 {
	vec, sum := make([]float32, dimensions), 0.0
	for i := range vec {
		vec[i] = float32(r.NormFloat64())
		sum += float64(vec[i]) * float64(vec[i])
	}
	for i := range vec {
		vec[i] /= float32(math.Sqrt(sum))
	}
	return vec
}

// BenchmarkTop shows from which number of vectors on a Quantized is to be preferred.
func BenchmarkTop(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000, 8000, 16000, 100_000} {
		for name, x := range map[string]Index{"chromem": NewChromem(), "quantized": new(Quantized)} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				for s := range rank.Slot(n) {
					if err := x.Put(s, randomUnit(r, 512)); err != nil {
						b.Fatal(err)
					}
				}
				query := randomUnit(r, 512)
				for b.Loop() {
					if _, err := x.Top(b.Context(), query, 10, nil, distinct); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
