package ranking

import (
	"context"

	"vademecum/index/rank"
)

// foldEqualLines keeps one of several passages that are reduced to the same line, and records the places of
// the others in it. Only a single line of each passage is compared: longer texts are near duplicates.
func foldEqualLines(_ context.Context, r *Ranking) error {
	if !r.SingleLines {
		return nil
	}
	first := make(map[string]*Passage)
	kept := r.chosen[:0]
	for _, p := range r.chosen {
		line := rank.FoldText(p.Text)
		if o := first[line]; o != nil {
			place := p.Chunk
			place.Span = p.Span
			o.SameLineChunks = append(o.SameLineChunks, place)
			continue
		}
		first[line] = p
		kept = append(kept, p)
	}
	r.chosen = kept
	return nil
}
