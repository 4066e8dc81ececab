package ocr

import (
	"bytes"
	"image"
	"image/png"
)

// A page is noisy if at least this share of its pixels differs this much from the median of their
// neighbourhood. In clean pages at most 1.6 % of the pixels do: the corners of letters.
const (
	noisyShare = 0.05
	noisyPixel = 24 // grey levels, of 255
)

// denoised returns a page, given as a grey PNG, without the noise of a bad scanner or camera: each
// pixel is the median of the nine around it. ok is false if there is hardly any noise.
func denoised(noisy []byte) (clear []byte, ok bool) {
	decoded, err := png.Decode(bytes.NewReader(noisy))
	page, isGrey := decoded.(*image.Gray)
	if err != nil || !isGrey {
		return nil, false
	}
	smooth, differing := medians(page)
	if float64(differing) < noisyShare*float64(len(page.Pix)) {
		return nil, false
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, smooth); err != nil {
		return nil, false
	}
	return out.Bytes(), true
}

// medians returns a page with each pixel replaced by the median of its neighbourhood, and how many
// pixels differ from theirs. The outermost pixels are unchanged.
func medians(page *image.Gray) (smooth *image.Gray, differing int) {
	smooth = image.NewGray(page.Rect)
	copy(smooth.Pix, page.Pix)
	width, height := page.Rect.Dx(), page.Rect.Dy()
	for y := 1; y < height-1; y++ {
		above, row, below := page.Pix[(y-1)*page.Stride:][:width], page.Pix[y*page.Stride:][:width], page.Pix[(y+1)*page.Stride:][:width]
		to := smooth.Pix[y*smooth.Stride:][:width]
		var columns [3][3]uint8 // the neighbourhood by columns, each sorted
		for x := range width {
			columns[x%3] = sorted(above[x], row[x], below[x])
			if x < 2 {
				continue
			}
			m := median(columns)
			to[x-1] = m
			if d := int(m) - int(row[x-1]); d > noisyPixel || -d > noisyPixel {
				differing++
			}
		}
	}
	return smooth, differing
}

func sorted(a, b, c uint8) [3]uint8 {
	low, high := min(a, b), max(a, b)
	return [3]uint8{min(low, c), max(low, min(high, c)), max(high, c)}
}

// median returns the median of three sorted columns: the median of the largest minimum, the median
// of the middle values and the smallest maximum.
func median(c [3][3]uint8) uint8 {
	least := max(c[0][0], c[1][0], c[2][0])
	middle := sorted(c[0][1], c[1][1], c[2][1])[1]
	largest := min(c[0][2], c[1][2], c[2][2])
	return sorted(least, middle, largest)[1]
}
