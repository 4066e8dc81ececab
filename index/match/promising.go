package match

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
)

// Promising is the slots of chunks that Search may look at, where a holder does not have
// all at hand.
type Promising struct {
	Slots []rank.Slot
	lists []promising
}

// promising is the best of a list, more than are looked at, as it is not known yet
// which have the same wording.
type promising struct {
	slots          []rank.Slot
	wanted, looked int // how many that differ are, and how many were listed at most
}

// Promising lists so many times as many chunks as Search looks at for each phrasing. Of
// the holder only the slots of documents are asked for.
func (l *Library) Promising(ctx context.Context, phrasings []Phrasing, times int, keep rank.Filter) (p Promising, err error) {
	seen := make(map[rank.Slot]bool)
	note := func(slots ...rank.Slot) {
		for _, s := range slots {
			if !seen[s] {
				seen[s] = true
				p.Slots = append(p.Slots, s)
			}
		}
	}
	for _, phrasing := range phrasings {
		sc, err := l.Postings.Score(ctx, phrasing.Terms)
		if err != nil {
			return Promising{}, err
		}
		leading, err := sc.Leading(ctx, times*listDepth, times*namedDepth, keep)
		if err != nil {
			l.Postings.Release(sc)
			return Promising{}, err
		}
		p.lists = append(p.lists, promising{leading.Words, listDepth, times * listDepth}, promising{leading.Headings, namedDepth, times * namedDepth})
		note(leading.Words...)
		note(leading.Headings...)
		for _, first := range leading.Named {
			note(first, l.bestOf(sc, first))
		}
		l.Postings.Release(sc)
	}
	return p, nil
}

// bestOf is the chunk that has the most words of a question in the document that has
// one at a slot.
func (l *Library) bestOf(sc *lexical.Scores, of rank.Slot) rank.Slot {
	best := of
	for _, s := range l.SlotsOf(of) {
		if sc.At(s) > sc.At(best) {
			best = s
		}
	}
	return best
}

// IsEnough tells whether as many of each list differ as are looked at, or there are no
// more. Of chunks that are not there ok is false.
func (p Promising) IsEnough(wording func(rank.Slot) (w rank.Wording, ok bool)) bool {
	for _, l := range p.lists {
		different := make(map[rank.Wording]bool)
		for _, s := range l.slots {
			if w, ok := wording(s); ok {
				different[w] = true
			}
		}
		if len(different) < l.wanted && len(l.slots) == l.looked {
			return false
		}
	}
	return true
}

// Depth is how many chunks that differ each list holds.
const Depth = listDepth
