package drawing

import (
	"cmp"
	"math"
	"slices"
)

// A box is the position and size of a figure. The y axis points down.
type box struct{ x, y, w, h float64 }

// containsMiddleOf reports whether the centre of the box other is inside b.
func (b box) containsMiddleOf(other box) bool {
	x, y := other.x+other.w/2, other.y+other.h/2
	return b.x <= x && x <= b.x+b.w && b.y <= y && y <= b.y+b.h
}

func (b box) area() float64 { return b.w * b.h }

// An axis returns the start and the length of a box in one direction.
type axis func(b box) (start, length float64)

func verticalExtent(b box) (start, length float64)   { return b.y, b.h }
func horizontalExtent(b box) (start, length float64) { return b.x, b.w }

const (
	maxCuts   = 16   // maximum number of nested cuts
	tolerance = 0.1  // fraction of its length by which a box may overlap its neighbour and still be beside or below it
	farAway   = 1e12 // absolute value from which a coordinate is treated as invalid
)

// sortByReadingOrder sorts figures in reading order: it cuts the plane into rows at horizontal
// gaps, each row into columns at vertical gaps, and so on.
func sortByReadingOrder(figures []*figure) {
	for _, f := range figures {
		f.box = f.box.withFiniteNumbers()
	}
	sortAlongAxis(figures, verticalExtent, horizontalExtent, maxCuts)
}

// withFiniteNumbers returns b with NaN and implausibly large values replaced by 0, so that boxes
// can be compared.
func (b box) withFiniteNumbers() box {
	for _, v := range []*float64{&b.x, &b.y, &b.w, &b.h} {
		if !(math.Abs(*v) < farAway) {
			*v = 0
		}
	}
	b.w, b.h = math.Abs(b.w), math.Abs(b.h)
	return b
}

// sortAlongAxis sorts figures along one axis and divides them into groups at the gaps. It sorts
// each group along the other axis in the same way, recursively as long as it finds gaps (an XY
// cut); left is the number of further cuts.
func sortAlongAxis(figures []*figure, along, other axis, left int) {
	slices.SortStableFunc(figures, func(a, b *figure) int {
		atA, _ := along(a.box)
		atB, _ := along(b.box)
		return cmp.Compare(atA, atB)
	})
	if left == 0 {
		return
	}
	first, reached := 0, math.Inf(-1)
	for i, f := range figures {
		start, length := along(f.box)
		if i > first && start+tolerance*length >= reached {
			sortWithoutGap(figures[first:i], len(figures), along, other, left)
			first = i
		}
		reached = max(reached, start+length*(1-tolerance))
	}
	sortWithoutGap(figures[first:], len(figures), along, other, left)
}

// sortWithoutGap sorts figures between which there is no gap along one axis: along the other axis,
// or by their upper left corners if there is no gap along that one either.
func sortWithoutGap(figures []*figure, whole int, along, other axis, left int) {
	if len(figures) < 2 {
		return
	}
	if len(figures) == whole && left < maxCuts {
		slices.SortStableFunc(figures, func(a, b *figure) int {
			return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
		})
		return
	}
	sortAlongAxis(figures, other, along, left-1)
}
