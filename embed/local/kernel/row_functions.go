package kernel

import (
	"errors"
	"math"
)

// ErrNotFinite is returned for numbers that include a NaN or an infinity.
var ErrNotFinite = errors.New("a number in it is not finite")

// AllFinite reports whether no number is a NaN or an infinity.
func AllFinite(x []float32) bool {
	sum := float32(0)
	for _, v := range x {
		sum += v - v // adds zero, or makes the sum NaN
	}
	return sum == 0
}

// UnnormalisedSoftmax replaces x by exp(scale·x − max(scale·x)) in place and returns the sum, by which the
// caller must divide.
func UnnormalisedSoftmax(x []float32, scale float32) (sum float32) { return softmax(x, scale) }

// GELU applies x·Φ(x) in place, where Φ is the cumulative distribution function of the normal
// distribution (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016).
func GELU(x []float32) { gelu(x) }

// LayerNorm sets dst to (x − mean) / standard deviation · weight + bias (Ba, Kiros and Hinton,
// "Layer Normalization", 2016). bias may be nil, and dst may be x.
func LayerNorm(dst, x, weight, bias []float32, epsilon float32) {
	n := float32(len(x))
	mean := sumFast(x) / n
	factor := float32(1 / math.Sqrt(float64(squaredDeviations(x, mean)/n+epsilon)))
	dst, weight = dst[:len(x)], weight[:len(x)]
	if bias == nil {
		for i, v := range x {
			dst[i] = (v - mean) * factor * weight[i]
		}
		return
	}
	bias = bias[:len(x)]
	for i, v := range x {
		dst[i] = (v-mean)*factor*weight[i] + bias[i]
	}
}

// sumFast returns the sum of x, added in four chains, which processors compute in parallel.
func sumFast(x []float32) float32 {
	var a, b, c, d float32
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
	}
	for _, v := range x {
		a += v
	}
	return a + b + (c + d)
}

// squaredDeviations returns the sum of the squared deviations from the mean.
func squaredDeviations(x []float32, mean float32) float32 {
	var a, b, c, d float32
	for ; len(x) >= 4; x = x[4:] {
		i, j, k, l := x[0]-mean, x[1]-mean, x[2]-mean, x[3]-mean
		a, b, c, d = a+i*i, b+j*j, c+k*k, d+l*l
	}
	for _, v := range x {
		a += (v - mean) * (v - mean)
	}
	return a + b + (c + d)
}

// AddInPlace adds x to dst.
func AddInPlace(dst, x []float32) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += v
	}
}
