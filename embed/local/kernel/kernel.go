// Package kernel implements the expensive arithmetic of neural networks: products with matrices
// whose weights are stored in 8 bits or as float32, and the functions applied to the results.
//
// Numbers are stored in rows. A row of n numbers takes [PaddedWidth](n) places, the last of which
// are zero, and rows are processed in groups of [BlockRows], so that a buffer has [PaddedRows](rows) of
// them. Each row is computed independently: the others do not affect it, to the last bit.
//
// Assembly for AVX2 with FMA is chosen at run time; that for NEON works on every arm64. The plain
// Go version gives the same results up to rounding.
package kernel

// BlockRows is how many rows are processed at once.
const BlockRows = 4

// block is how many columns of a product are computed at once.
const block = 16

// PaddedWidth returns the length of a row of n numbers padded to a multiple of the block width.
func PaddedWidth(n int) int { return (n + block - 1) / block * block }

// PaddedRows returns the number of rows padded to a multiple of [BlockRows].
func PaddedRows(rows int) int { return (rows + BlockRows - 1) / BlockRows * BlockRows }

// Multiply sets dst to the product of a, with [BlockRows] rows and k columns, and b, with k rows and the
// given number of columns, stored in blocks: see [Pack]. bBlock is the number of elements in a
// block of b, and strides are the distances between the starts of rows. The padding of each row is
// computed as well.
func Multiply(dst []float32, dstStride int, a []float32, aStride int, b []float32, bBlock, k, columns int) {
	for at := 0; at < columns; at += block {
		multiplyTileFloat32(dst[at:], dstStride, a, aStride, b[at/block*bBlock:], block, k)
	}
}

// Pack stores rows with the given number of columns in the layout of the second factor of
// [Multiply]: block by block of 16 columns, and row by row within each block. dst has
// rows·PaddedWidth(columns) places.
func Pack(dst, x []float32, stride, rows, columns int) {
	for at := 0; at < columns; at += block {
		n := min(block, columns-at)
		for r := range rows {
			to := dst[(at*rows + r*block):][:block]
			clear(to[copy(to, x[r*stride+at:][:n]):])
		}
	}
}

// PackTransposed stores the transpose of the given rows, in which each row is a column, in the
// layout of Pack. dst has PaddedWidth(rows)·columns places.
func PackTransposed(dst, x []float32, stride, rows, columns int) {
	for at := 0; at < rows; at += block {
		to := dst[at*columns:][:block*columns]
		n := min(block, rows-at)
		if n < block {
			clear(to)
		}
		for r := range n {
			for i, v := range x[(at+r)*stride:][:columns] {
				to[i*block+r] = v
			}
		}
	}
}
