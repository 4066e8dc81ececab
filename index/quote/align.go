package quote

import (
	"math"
	"slices"
)

// A part of a quotation is aligned with a piece of a text by what it costs to make the one of
// the other (Gotoh, 1982): whatever the text has before and after is free, and so much
// costs a character that
const (
	costOther   = 8  // is another one
	costOnly    = 8  // only the quotation has
	costOpen    = 10 // only the text has, after one that both have
	costExtend  = 1  // only the text has, after another such: words that were left out
	costOfUpper = 2  // differs in case or accents
)

// alignedPair is a step of an alignment: what stands in the quotation and in the text. -1 is nothing.
type alignedPair struct{ quoted, written int }

// How a cell of the table is reached.
const (
	fromBoth    = 0 // by a character of both
	fromQuoted  = 1 // by one that only the quotation has
	fromWritten = 2 // by one that only the text has
	fromMask    = 3
	extends     = 4 // what only the text has goes on here
)

// align returns the cheapest alignment of a part with some characters of a text, from the
// first to the last of the quotation.
func align(quoted, written []foldedChar) []alignedPair {
	width := len(written) + 1
	steps := make([]byte, (len(quoted)+1)*width)
	costs := make([]int32, width) // of the row above, then of this one
	gaps := make([]int32, width)  // of alignments that end with text that the quotation lacks
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

// cheapestIndex is the first of the lowest costs.
func cheapestIndex(costs []int32) int {
	at := 0
	for j, c := range costs {
		if c < costs[at] {
			at = j
		}
	}
	return at
}

// traceBack follows the path to a cell backwards.
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
