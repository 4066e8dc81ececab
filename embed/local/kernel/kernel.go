// Package kernel has the expensive arithmetic of neural networks: products with matrices whose
// weights are held in 8 bits or as float32, and the functions applied to the results.
//
// Numbers are stored in rows. A row of n numbers takes [PaddedWidth](n) places, of which the
// last are zero, and rows are processed in groups of [Rows], so that a buffer has
// [PaddedRows](rows) of them. Each row is computed alone: the others do not affect it, to the
// last bit.
//
// Assembly for AVX2 with FMA is chosen at run time; that for NEON works on every arm64. The
// plain Go beside it gives the same up to rounding.
package kernel

// Rows is how many rows are processed at once.
const Rows = 4

// block is how many columns of a product are computed at once.
const block = 16

// PaddedWidth returns the length of a row of n numbers padded to a multiple of the block width.
func PaddedWidth(n int) int { return (n + block - 1) / block * block }

// PaddedRows returns the number of rows padded to a multiple of [Rows].
func PaddedRows(rows int) int { return (rows + Rows - 1) / Rows * Rows }

// Multiply sets dst to the product of a, of [Rows] rows and k columns, and b, of k rows
// and that many columns, which is stored in blocks: see [Pack]. bBlock is how many
// numbers a block of b has, and strides how many are between the starts of rows. The
// places that fill up a row are computed as well.
func Multiply(dst []float32, dstStride int, a []float32, aStride int, b []float32, bBlock, k, columns int) {
	for at := 0; at < columns; at += block {
		multiplyTileFloat32(dst[at:], dstStride, a, aStride, b[at/block*bBlock:], block, k)
	}
}

// Pack stores rows of so many columns in the layout that [Multiply] takes as second
// factor: block by block of 16 columns, and within each row by row. dst has
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

// PackTransposed is Pack for the transposed matrix, in which each of the rows is a column.
// dst has PaddedWidth(rows)·columns places.
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
