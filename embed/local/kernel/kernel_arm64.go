package kernel

func multiplyTileInt8(dst []float32, dstStride int, values []int16, stride int, weights []int8, scales, columns []float32) {
	_, _, _ = dst[(BlockRows-1)*dstStride+block-1], values[BlockRows*stride-1], weights[block*stride-1]
	_, _ = scales[BlockRows-1], columns[2*block-1]
	multiplyTileInt8NEON(&dst[0], dstStride, &values[0], stride, &weights[0], &scales[0], &columns[0])
}

func multiplyTileFloat32(dst []float32, dstStride int, a []float32, aStride int, b []float32, bStride, k int) {
	_, _, _ = dst[(BlockRows-1)*dstStride+block-1], a[(BlockRows-1)*aStride+k-1], b[(k-1)*bStride+block-1]
	multiplyTileFloat32NEON(&dst[0], dstStride, &a[0], aStride, &b[0], bStride, k)
}

func quantiseRow(dst []int16, x []float32, most float32) (scale float32) {
	return plainQuantiseRow(dst, x, most)
}

func softmax(x []float32, scale float32) (sum float32) { return plainSoftmax(x, scale) }

func gelu(x []float32) { plainGELU(x) }

// multiplyTileInt8NEON is multiplyTileInt8 with NEON instructions, in neon_arm64.s.
//
//go:noescape
func multiplyTileInt8NEON(dst *float32, dstStride int, values *int16, stride int, weights *int8, scales, columns *float32)

// multiplyTileFloat32NEON is multiplyTileFloat32 with NEON instructions, in neon_arm64.s.
//
//go:noescape
func multiplyTileFloat32NEON(dst *float32, dstStride int, a *float32, aStride int, b *float32, bStride, k int)
