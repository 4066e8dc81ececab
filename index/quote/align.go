package quote

import (
	"math"
	"slices"
)

// A part of a quotation is aligned with a piece of a text at minimal cost (Gotoh, 1982). Text
// before and after the piece is free. Each character costs:
const (
	costOther   = 8  // the characters differ
	costOnly    = 8  // a character occurs only in the quotation
	costOpen    = 10 // a character occurs only in the text, and begins a run of such characters
	costExtend  = 1  // a character continues such a run, which is omitted text
	costOfUpper = 2  // the characters differ only in case or accents
)

// alignedPair is a step of an alignment: the indexes of a character in the quotation and of one in
// the text; -1 if there is none.
type alignedPair struct{ quoted, written int }

func (p alignedPair) quotedIndex() int  { return p.quoted }
func (p alignedPair) writtenIndex() int { return p.written }

// Steps by which a cell of the table is reached.
const (
	fromBoth    = 0 // a character in both
	fromQuoted  = 1 // a character only in the quotation
	fromWritten = 2 // a character only in the text
	fromMask    = 3
	extends     = 4 // a run of characters only in the text continues here
)

// align returns the cheapest alignment of all characters of a part of a quotation with a piece of a
// text.
func align(quoted, written []foldedChar) []alignedPair {
	width := len(written) + 1
	steps := make([]byte, (len(quoted)+1)*width)
	costs := make([]int32, width) // costs of the row above, overwritten by those of this row
	gaps := make([]int32, width)  // costs of alignments that end with characters only in the text
	for j := range gaps {
		gaps[j] = math.MaxInt32 / 2
	}
	for i := 1; i <= len(quoted); i++ {
		diagonal := costs[0]
		costs[0] = int32(i * costOnly)
		steps[i*width] = fromQuoted
		gap := int32(math.MaxInt32 / 2)
		for j := 1; j < width; j++ {
			above := costs[j]
			best, step := diagonal+substitutionCost(quoted[i-1], written[j-1]), byte(fromBoth)
			if c := above + costOnly; c < best {
				best, step = c, fromQuoted
			}
			var more byte
			if opened := costs[j-1] + costOpen; gap+costExtend < opened {
				gap, more = gap+costExtend, extends
			} else {
				gap = opened
			}
			if gap < best {
				best, step = gap, fromWritten
			}
			steps[i*width+j] = step | more
			diagonal = above
			costs[j] = best
		}
	}
	return traceBack(steps, width, len(quoted), cheapestIndex(costs))
}

func substitutionCost(a, b foldedChar) int32 {
	switch {
	case a.loose != b.loose:
		return costOther
	case a.strict != b.strict:
		return costOfUpper
	}
	return 0
}

// cheapestIndex returns the index of the lowest cost, the first of several.
func cheapestIndex(costs []int32) int {
	at := 0
	for j, c := range costs {
		if c < costs[at] {
			at = j
		}
	}
	return at
}

// traceBack returns the steps of the alignment that ends at a cell of the table, in order.
func traceBack(steps []byte, width, i, j int) (all []alignedPair) {
	inGap := false
	for i > 0 {
		step := steps[i*width+j]
		if inGap || step&fromMask == fromWritten {
			inGap = step&extends != 0
			j--
			all = append(all, alignedPair{-1, j})
			continue
		}
		i--
		if step&fromMask == fromQuoted {
			all = append(all, alignedPair{i, -1})
			continue
		}
		j--
		all = append(all, alignedPair{i, j})
	}
	slices.Reverse(all)
	return all
}
