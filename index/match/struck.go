package match

import (
	"context"
	"slices"

	"vademecum/docs/struck"
)

// FindIncludingStruck appends the matches of m in a text to a list, in order, like m.Find, including
// matches that the marks of struck-out text interrupt. It searches the text without its struck-out words,
// the text as it is, and the text without the marks, and prefers the matches of the earlier search where
// matches overlap. struckOut lists the matches that have a struck-out word. ctx is also checked between the
// searches, which may each be too short for m.Find to check it.
func FindIncludingStruck(ctx context.Context, m Matcher, dst []Range, text string) (all, struckOut []Range, err error) {
	stretches := struck.Find(text)
	if len(stretches) == 0 {
		all, err = m.Find(ctx, dst, text)
		return all, nil, err
	}
	var found []Range
	readings := []func() struck.ReducedText{
		func() struck.ReducedText { return struck.WithoutStruck(text, stretches) },
		func() struck.ReducedText { return struck.ReducedText{Text: text} },
		func() struck.ReducedText { return struck.WithoutMarks(text, stretches) },
	}
	for i, read := range readings {
		if err = ctx.Err(); err != nil {
			break
		}
		reading := read()
		var more []Range
		more, err = m.Find(ctx, nil, reading.Text)
		before := found // more matches are put behind it
		for _, r := range more {
			r = Range(reading.ToSource(struck.Range(r)))
			if overlapsAny(before, r) {
				continue
			}
			if found = append(found, r); i > 0 && hasStruckText(stretches, r) {
				struckOut = append(struckOut, r)
			}
		}
		slices.SortFunc(found, compareStarts)
		if err != nil {
			break
		}
	}
	slices.SortFunc(struckOut, compareStarts)
	return append(dst, found...), struckOut, err
}

func compareStarts(a, b Range) int { return a.Start - b.Start }

// hasStruckText reports whether a range of a text contains struck-out characters.
func hasStruckText(stretches []struck.Stretch, r Range) bool {
	i, _ := slices.BinarySearchFunc(stretches, r.Start, func(s struck.Stretch, at int) int { return s.End - at })
	for ; i < len(stretches) && stretches[i].Start < r.End; i++ {
		if inner := stretches[i].Inner(); inner.Start < r.End && r.Start < inner.End {
			return true
		}
	}
	return false
}

// overlapsAny reports whether a range overlaps one of some others, which are in order and do not overlap.
func overlapsAny(others []Range, r Range) bool {
	i, _ := slices.BinarySearchFunc(others, r.Start, func(o Range, at int) int {
		if o.End <= at {
			return -1
		}
		return 1
	})
	return i < len(others) && others[i].Start < r.End
}
