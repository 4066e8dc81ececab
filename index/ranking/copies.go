package ranking

import (
	"context"
	"slices"

	"vademecum/index/search"
)

// MaxListedCopies is how many copies of a passage are listed with their positions, for which their
// texts must be read.
const MaxListedCopies = 5

// noteCopies records in the chosen passages the other places of their texts, or of parts of these, and
// the versions in other languages.
func noteCopies(ctx context.Context, r *Ranking) error {
	for _, p := range r.chosen {
		p.Copies = p.copiesOfPassage(r.copies)
		p.Versions = r.versions[p.Document]
		for _, c := range p.Copies[:min(len(p.Copies), MaxListedCopies)] {
			r.wantText(c.Document)
		}
		if err := r.readTexts(ctx); err != nil {
			return err
		}
	}
	if err := r.addCopies(ctx); err != nil {
		return err
	}
	for _, p := range r.chosen {
		if err := r.addNear(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// addNear records in p the places of the near duplicates that were folded into it. One that differs only
// by the name of a file in an archive counts as a copy.
func (r *Ranking) addNear(ctx context.Context, p *Passage) error {
	for n := p.first; n <= p.last; n++ {
		own := slices.IndexFunc(p.chunks, func(c search.Chunk) bool { return c.Number == n })
		for _, c := range r.near[chunkAt{p.Document, n}] {
			isSame, err := false, error(nil)
			if own >= 0 {
				isSame, err = r.hasSameText(ctx, &c, &p.chunks[own])
			}
			if err != nil {
				return err
			}
			if isSame {
				p.Copies = append(p.Copies, c)
			} else {
				p.SimilarChunks = append(p.SimilarChunks, c)
			}
		}
	}
	slices.SortFunc(p.Copies, search.CompareLocations)
	slices.SortFunc(p.SimilarChunks, search.CompareLocations)
	return nil
}

// addCopies records the copies of the near duplicates that were folded into other chunks.
func (r *Ranking) addCopies(ctx context.Context) error {
	for at, near := range r.near {
		for _, c := range r.copies {
			isIts := func(n search.Chunk) bool { return n.ContentHash == c.ContentHash }
			isIt := func(n search.Chunk) bool { return isInRange(c, n, n.Number, n.Number) }
			if !slices.ContainsFunc(near, isIts) || slices.ContainsFunc(r.near[at], isIt) {
				continue
			}
			if text, err := r.documentText(ctx, c.Document); err != nil {
				return err
			} else if text != "" {
				r.near[at] = append(r.near[at], c)
			}
		}
	}
	return nil
}

// copiesOfPassage lists the copies of the chunks of a passage. Consecutive copies are one place.
func (p *Passage) copiesOfPassage(copies []search.Chunk) []search.Chunk {
	var places []search.Chunk
	last := -1 // number of the last chunk of the last place
	for i := range copies {
		c := &copies[i]
		isIts := func(own search.Chunk) bool { return own.ContentHash == c.ContentHash }
		if !slices.ContainsFunc(p.chunks, isIts) || isInRange(*c, p.Chunk, p.first, p.last) {
			continue
		}
		if n := len(places) - 1; n >= 0 && places[n].Document == c.Document && last+1 == c.Number {
			places[n].Span.EndByte, places[n].Span.EndLine = c.Span.EndByte, c.Span.EndLine
		} else {
			places = append(places, *c)
		}
		last = c.Number
	}
	return places
}

// isInRange reports whether c is one of the chunks with the numbers first to last in the document of the
// chunk of. It is also true if that document has been replaced by a newer version of the same file,
// because the old text is no copy.
func isInRange(c, of search.Chunk, first, last int) bool {
	if c.Document.Location() != of.Document.Location() {
		return false
	}
	return c.Document.ID != of.Document.ID || first <= c.Number && c.Number <= last
}
