package picture

import (
	"image"
	"math"

	"vademecum/docs/extract/layout"
)

// Limits for the rotation of pages that were not straight on the scanner or in the photograph. On a
// page that is rotated by 3°, tesseract loses a third of the lines or confuses their order.
const (
	mostAskew  = 15.0 // maximum angle in degrees; pages on their side are a separate case
	leastAskew = 0.7  // minimum angle in degrees: tesseract tolerates less, and rotating blurs the page
	coarseStep = 0.5  // step of the first search for the angle, in degrees
	fineStep   = 0.1  // step of the second search, in degrees
	leastGain  = 1.3  // minimum ratio of the clearness of lines at the angle to that without rotation
	sideways   = 2    // minimum ratio of the clearness of vertical lines to that of horizontal ones on a page on its side
)

// deskew returns the page rotated so that its lines are horizontal, and upright if it was on its
// side, and the rotation.
func deskew(page *image.Gray) (*image.Gray, layout.Rotation) {
	turn := layout.Rotation{OriginalWidth: page.Rect.Dx(), OriginalHeight: page.Rect.Dy()}
	angle := skewAngle(page)
	if math.Abs(angle) < leastAskew {
		return page, turn
	}
	turn.AngleRadians = angle * math.Pi / 180
	return rotatePage(page, turn), turn
}

// skewAngle returns by how many degrees the lines of a page fall to the right; 0 if it has no
// lines. It is the angle at which ink and paper alternate most clearly (W. Postl, US patent
// 4,723,297), measured along horizontal lines or, for a page on its side, vertical ones.
func skewAngle(page *image.Gray) float64 {
	across := sampleInk(inkPixels(shrinkPage(page)))
	down := make([]image.Point, len(across))
	for i, p := range across {
		down[i] = image.Pt(p.Y, -p.X)
	}
	angle, clear := clearestAngle(across)
	if side, onSide := clearestAngle(down); onSide > sideways*clear { // columns of characters are less clear than lines
		return side
	}
	return angle
}

// clearestAngle returns the angle in degrees at which lines are clearest, and their clearness at
// that angle. The angle is 0 if they are hardly clearer than without rotation.
func clearestAngle(ink []image.Point) (angle, clear float64) {
	level := lineClearness(ink, 0)
	clear = level
	noise := 2 * float64(len(ink)) // expected clearness of ink without lines
	for _, search := range []struct{ within, step float64 }{{mostAskew, coarseStep}, {coarseStep, fineStep}} {
		around := angle
		for a := around - search.within; a <= around+search.within; a += search.step {
			if c := lineClearness(ink, a); c > clear {
				angle, clear = a, c
			}
		}
	}
	if clear < leastGain*max(level, noise) {
		return 0, clear
	}
	return angle, clear
}

// lineClearness returns how clear the lines are that fall to the right by an angle in degrees: the
// contrast of ink between neighbouring ones.
func lineClearness(ink []image.Point, angle float64) float64 {
	const unit = 1 << 16 // fixed-point numbers: fractions of a pixel
	fall := int(math.Tan(angle*math.Pi/180) * unit)
	var counts [4 * lookedAt]int // number of ink pixels by line; the line through the upper left corner is in the middle
	for _, p := range ink {
		counts[2*lookedAt+(p.Y*unit-p.X*fall)/unit]++
	}
	sum := 0
	for i := 1; i < len(counts); i++ {
		sum += (counts[i] - counts[i-1]) * (counts[i] - counts[i-1])
	}
	return float64(sum)
}

// sampleInk returns a sample of the ink pixels that is large enough to detect lines.
func sampleInk(ink []image.Point) (few []image.Point) {
	const enough = 30_000
	step := 1 + len(ink)/enough
	for i := 0; i < len(ink); i += step {
		few = append(few, ink[i])
	}
	return few
}

// lookedAt is the length in pixels to which the longer side of a page is reduced for the detection
// of lines.
const lookedAt = 1200

// shrinkPage returns the page reduced so that its longer side is at most lookedAt: each pixel is
// the mean of several.
func shrinkPage(page *image.Gray) *image.Gray {
	size := page.Rect.Size()
	n := (max(size.X, size.Y) + lookedAt - 1) / lookedAt
	small := image.NewGray(image.Rect(0, 0, size.X/n, size.Y/n))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			sum := 0
			for dy := range n {
				row := page.Pix[(y*n+dy)*page.Stride+x*n:]
				for dx := range n {
					sum += int(row[dx])
				}
			}
			small.Pix[y*small.Stride+x] = uint8(sum / (n * n))
		}
	}
	return small
}

// inkPixels returns the pixels that are darker than those to their left and right. Shaded paper,
// and the edge of the paper on a dark table, do not count as ink.
func inkPixels(page *image.Gray) (ink []image.Point) {
	const (
		beside = 16 // number of pixels averaged on each side
		darker = 24 // minimum difference in grey values, of 255
	)
	width := page.Rect.Dx()
	sums := make([]int, width+1) // for each column, the sum of the pixels to the left
	for y := range page.Rect.Dy() {
		row := page.Pix[y*page.Stride:][:width]
		for x, shade := range row {
			sums[x+1] = sums[x] + int(shade)
		}
		for x := beside; x+beside < width; x++ {
			left, right := sums[x]-sums[x-beside], sums[x+1+beside]-sums[x+1]
			if (int(row[x])+darker)*beside < min(left, right) {
				ink = append(ink, image.Pt(x, y))
			}
		}
	}
	return ink
}

// rotatePage returns the page rotated, with paper in the added margins.
func rotatePage(page *image.Gray, t layout.Rotation) *image.Gray {
	sin, cos := math.Sincos(t.AngleRadians)
	out := image.NewGray(image.Rectangle{Max: image.Pt(t.RotatedSize())})
	paper := paperShade(page)
	for v := range out.Rect.Dy() {
		x, y := t.ToOriginal(0, float64(v))
		row := out.Pix[v*out.Stride:][:out.Rect.Dx()]
		for u := range row {
			row[u] = interpolateShade(page, x, y, paper)
			x, y = x+cos, y+sin
		}
	}
	return out
}

// interpolateShade returns the grey value at a position between four pixels by bilinear
// interpolation, or paper outside the page.
func interpolateShade(page *image.Gray, x, y float64, paper uint8) uint8 {
	left, top := int(math.Floor(x)), int(math.Floor(y))
	if left < 0 || top < 0 || left+1 >= page.Rect.Dx() || top+1 >= page.Rect.Dy() {
		return paper
	}
	right, below := x-float64(left), y-float64(top)
	at := page.Pix[top*page.Stride+left:]
	upper := float64(at[0])*(1-right) + float64(at[1])*right
	lower := float64(at[page.Stride])*(1-right) + float64(at[page.Stride+1])*right
	return uint8(upper*(1-below) + lower*below + .5)
}

// paperShade returns the grey value of the paper: the median of the page.
func paperShade(page *image.Gray) uint8 {
	var counts [256]int
	for _, p := range page.Pix {
		counts[p]++
	}
	seen := 0
	for s, n := range counts {
		if seen += n; 2*seen >= len(page.Pix) {
			return uint8(s)
		}
	}
	return 0xFF
}
