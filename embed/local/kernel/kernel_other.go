//go:build !amd64 && !arm64

package kernel

func multiplyTileInt8(dst []float32, dstStride int, values []int16, stride int, weights []int8, scales, columns []float32) {
	plainMultiplyTileInt8(dst, dstStride, values, stride, weights, scales, columns)
}

func multiplyTileFloat32(dst []float32, dstStride int, a []float32, aStride int, b []float32, bStride, k int) {
	plainMultiplyTileFloat32(dst, dstStride, a, aStride, b, bStride, k)
}

func quantiseRow(dst []int16, x []float32, most float32) (scale float32) {
	return plainQuantiseRow(dst, x, most)
}

func softmax(x []float32, scale float32) (sum float32) { return plainSoftmax(x, scale) }

func gelu(x []float32) { plainGELU(x) }
