package kernel

import "math"

// Go versions of the assembly functions.

func plainMultiplyTileInt8(dst []float32, dstStride int, values []int16, stride int, weights []int8, scales, columns []float32) {
	for r := range BlockRows {
		var sums [block]int32
		for in, v := range values[r*stride:][:stride] {
			if v == 0 {
				continue
			}
			pairs := weights[in/2*2*block+in%2:]
			for out := range sums {
				sums[out] += int32(v) * int32(pairs[2*out])
			}
		}
		row := dst[r*dstStride:][:block]
		for out, sum := range sums {
			row[out] = float32(sum)*(scales[r]*columns[out]) + columns[block+out]
		}
	}
}

func plainMultiplyTileFloat32(dst []float32, dstStride int, a []float32, aStride int, b []float32, bStride, k int) {
	for r := range BlockRows {
		var sums [block]float32
		for i, v := range a[r*aStride:][:k] {
			for out, w := range b[i*bStride:][:block] {
				sums[out] += v * w
			}
		}
		copy(dst[r*dstStride:], sums[:])
	}
}

func plainQuantiseRow(dst []int16, x []float32, most float32) (scale float32) {
	largest := float32(0)
	for _, v := range x {
		largest = max(largest, v, -v)
	}
	scale = largest / most
	if scale == 0 {
		clear(dst)
		return 0
	}
	factor := most / largest
	for i, v := range x {
		dst[i] = int16(math.RoundToEven(float64(v * factor)))
	}
	return scale
}

func plainSoftmax(x []float32, scale float32) (sum float32) {
	most := float32(math.Inf(-1))
	for _, v := range x {
		most = max(most, v*scale)
	}
	for i, v := range x {
		x[i] = expNonPositive(v*scale - most)
		sum += x[i]
	}
	return sum
}

// expNonPositive returns e to the power of x, which is at most 0, as 2^n · e^r with r at most half
// of ln 2, for which seven terms of the series are accurate enough.
func expNonPositive(x float32) float32 {
	x = max(x, least)
	n := float32(math.RoundToEven(float64(x * math.Log2E)))
	r := x - n*ln2High - n*ln2Low
	p := float32(1.0 / 720)
	for _, c := range [...]float32{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
		p = p*r + c
	}
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(n))<<23)
}

const (
	least   = -87 // exp of it is slightly above the smallest normal number
	ln2High = 0x1.62ep-1
	ln2Low  = math.Ln2 - ln2High
)

func plainGELU(x []float32) {
	for i, v := range x {
		x[i] = v * normalCDF(v)
	}
}

// normalCDF returns the cumulative distribution function of the standard normal distribution, to
// 1e-7, by approximation 7.1.26 of erf in Abramowitz and Stegun, "Handbook of Mathematical
// Functions", 1964.
func normalCDF(x float32) float32 {
	z := max(x, -x) * (1 / math.Sqrt2)
	t := 1 / (1 + 0.3275911*z)
	p := float32(1.061405429)
	for _, c := range [...]float32{-1.453152027, 1.421413741, -0.284496736, 0.254829592} {
		p = p*t + c
	}
	half := p * t * expNonPositive(-z*z) / 2 // Φ(-|x|)
	if x < 0 {
		return half
	}
	return 1 - half
}
