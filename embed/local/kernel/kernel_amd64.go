package kernel

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// multiplyTileInt8 sets BlockRows rows of block columns of dst to the products of as many rows of
// values, with stride numbers each, and the weights of a block.
func multiplyTileInt8(dst []float32, dstStride int, values []int16, stride int, weights []int8, scales, columns []float32) {
	if !hasAVX2 {
		plainMultiplyTileInt8(dst, dstStride, values, stride, weights, scales, columns)
		return
	}
	_, _, _ = dst[(BlockRows-1)*dstStride+block-1], values[BlockRows*stride-1], weights[block*stride-1]
	_, _ = scales[BlockRows-1], columns[2*block-1]
	multiplyTileInt8AVX2(&dst[0], dstStride, &values[0], stride, &weights[0], &scales[0], &columns[0])
}

// multiplyTileFloat32 sets BlockRows rows of block columns of dst to the product of as many rows of k
// numbers and k rows of block columns.
func multiplyTileFloat32(dst []float32, dstStride int, a []float32, aStride int, b []float32, bStride, k int) {
	if !hasAVX2 {
		plainMultiplyTileFloat32(dst, dstStride, a, aStride, b, bStride, k)
		return
	}
	_, _, _ = dst[(BlockRows-1)*dstStride+block-1], a[(BlockRows-1)*aStride+k-1], b[(k-1)*bStride+block-1]
	multiplyTileFloat32AVX2(&dst[0], dstStride, &a[0], aStride, &b[0], bStride, k)
}

// quantiseRow sets dst to the numbers of a row divided by the returned scale, for which the largest
// becomes most.
func quantiseRow(dst []int16, x []float32, most float32) (scale float32) {
	if !hasAVX2 {
		return plainQuantiseRow(dst, x, most)
	}
	_ = dst[len(x)-1]
	return quantiseRowAVX2(&dst[0], &x[0], len(x), most)
}

func softmax(x []float32, scale float32) (sum float32) {
	n := len(x) &^ 7
	if !hasAVX2 || n != len(x) {
		return plainSoftmax(x, scale)
	}
	return softmaxAVX2(&x[0], n, scale)
}

func gelu(x []float32) {
	n := len(x) &^ 7
	if !hasAVX2 || n == 0 {
		plainGELU(x)
		return
	}
	geluAVX2(&x[0], n)
	plainGELU(x[n:])
}

// multiplyTileInt8AVX2 is multiplyTileInt8 with AVX2 instructions, in avx2_amd64.s.
//
//go:noescape
func multiplyTileInt8AVX2(dst *float32, dstStride int, values *int16, stride int, weights *int8, scales, columns *float32)

// multiplyTileFloat32AVX2 is multiplyTileFloat32 with AVX2 instructions, in avx2_amd64.s.
//
//go:noescape
func multiplyTileFloat32AVX2(dst *float32, dstStride int, a *float32, aStride int, b *float32, bStride, k int)

// quantiseRowAVX2 is quantiseRow with AVX2 instructions, in avx2_amd64.s. n must be a multiple
// of 16.
//
//go:noescape
func quantiseRowAVX2(dst *int16, x *float32, n int, most float32) (scale float32)

// softmaxAVX2 is softmax with AVX2 instructions, in avx2_amd64.s. n must be a multiple of 8.
//
//go:noescape
func softmaxAVX2(x *float32, n int, scale float32) (sum float32)

// geluAVX2 is gelu with AVX2 instructions, in avx2_amd64.s. n must be a multiple of 8.
//
//go:noescape
func geluAVX2(x *float32, n int)
