package embed

import (
	"math"
	"testing"
)

func TestNormalise(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		v  []float32
		ok bool
	}{
		{[]float32{3, 4}, true},
		{[]float32{math.MaxFloat32, math.MaxFloat32}, true},
		{[]float32{0, math.SmallestNonzeroFloat32}, true},
		{[]float32{0, 0}, false},
		{[]float32{1, nan}, false},
		{[]float32{1, inf}, false},
		{[]float32{-inf, inf}, false},
	} {
		err := normaliseVector(tt.v)
		if (err == nil) != tt.ok {
			t.Errorf("normalise: error %v, want ok %v", err, tt.ok)
		}
		if n := vectorNorm(tt.v); tt.ok && !(math.Abs(n-1) < 1e-6) {
			t.Errorf("length %v, want 1", n)
		}
	}
}
