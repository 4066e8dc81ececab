package match

import (
	"context"

	"vademecum/index/rank"
)

// Promising lists the slots of chunks that Search may look at, where a holder does not
// have all at hand: so many of the best by words, names and headings each, as far as
// they can be told before it is known which have the same wording. Of the holder only
// the slots of documents are asked for. Enough tells whether so many was all.
func (l *Library) Promising(ctx context.Context, phrasings []Phrasing, most int, keep rank.Filter) (slots []rank.Slot, all bool, err error) {
	seen := make(map[rank.Slot]bool)
	note := func(s rank.Slot) {
		if !seen[s] {
			seen[s] = true
			slots = append(slots, s)
		}
	}
	all = true
	for _, p := range phrasings {
		sc, err := l.Postings.Score(ctx, p.Terms)
		if err != nil {
			return nil, false, err
		}
		leading := sc.Leading(most, keep)
		for _, s := range append(leading.Words, leading.Headings...) {
			note(s)
		}
		for _, first := range leading.Named {
			best := first
			for _, s := range l.SlotsOf(first) {
				if sc.At(s) > sc.At(best) {
					best = s
				}
			}
			note(first)
			note(best)
		}
		all = all && len(leading.Words) < most && len(leading.Headings) < most
		l.Postings.Release(sc)
	}
	return slots, all, nil
}

// Depth is how many chunks that differ each list holds.
const Depth = listDepth
