package index

import (
	"context"
	"slices"

	"vademecum/index/search"
	"vademecum/index/sift"
)

// chunkAt names a chunk.
type chunkAt struct {
	document *search.Document
	number   int
}

// nearDepth is how many candidates are compared for saying no more than another.
const nearDepth = 100

// original is a candidate that was not found to be part of a better one.
type original struct {
	search.Candidate
	said sift.Said // nil while it was not needed
}

// foldNear leaves one of those candidates of which one says all that the other says:
// the longer, or of the same length the one of the document that has the shorter path,
// at the place of the best. Sketches tell which texts are worth reading.
func (s *selection) foldNear(ctx context.Context, candidates []search.Candidate) ([]search.Candidate, error) {
	depth := min(len(candidates), nearDepth)
	s.near = make(map[chunkAt][]search.Chunk)
	kept := make([]original, 0, depth)
	for _, c := range candidates[:depth] {
		one := original{Candidate: c}
		folded := false
		for i := 0; i < len(kept) && !folded; i++ {
			o := &kept[i]
			if o.Related != c.Related || o.Document == c.Document || !o.Mark.Sketch.MayBeNear(c.Mark.Sketch) {
				continue
			}
			if err := s.read(ctx, o, &one); err != nil {
				return nil, err
			}
			folded = s.fold(o, one)
		}
		if !folded {
			kept = append(kept, one)
		}
	}
	if len(kept) == depth {
		return candidates, nil
	}
	out := make([]search.Candidate, 0, len(kept)+len(candidates)-depth)
	for _, o := range kept {
		out = append(out, o.Candidate)
	}
	out = append(out, candidates[depth:]...)
	search.Sort(out)
	return out, nil
}

// read takes candidates apart that were not yet. A document that was replaced says
// nothing.
func (s *selection) read(ctx context.Context, all ...*original) error {
	for _, o := range all {
		if o.said != nil {
			continue
		}
		text, err := s.text(ctx, o.Document)
		if err != nil {
			return err
		}
		if text != "" {
			text = text[o.Span.StartByte:o.Span.EndByte]
		}
		o.said = append(sift.Said{}, sift.SaidBy(text)...)
	}
	return nil
}

// fold keeps in o one of two of which one holds the other, and remembers that one.
// A short one that is better than a long one that holds it stays beside it.
func (s *selection) fold(o *original, c original) bool {
	holds, isHeld := o.said.Holds(c.said), c.said.Holds(o.said)
	switch {
	case !holds && !(isHeld && c.said.Resembles(o.said)):
		return false
	case !holds, isHeld && sift.IsOriginal(c.Document, o.Document):
		c.Score = max(c.Score, o.Score)
		*o, c = c, *o
	}
	to, from := chunkAt{o.Document, o.Number}, chunkAt{c.Document, c.Number}
	s.near[to] = append(append(s.near[to], c.Chunk), s.near[from]...)
	delete(s.near, from)
	return true
}

// nearCopies lists where a text stands that is nearly that of a passage: the first
// places, and how many more there are.
func (s *selection) nearCopies(o *choice) (places []string, more int) {
	var all []search.Chunk
	for n := o.first; n <= o.last; n++ {
		all = append(all, s.near[chunkAt{o.Document, n}]...)
	}
	slices.SortFunc(all, search.ComparePlaces)
	for _, c := range all[:min(len(all), namedCopies)] {
		places = append(places, s.cite(c))
	}
	return places, max(0, len(all)-namedCopies)
}

// addCopies counts the copies of what was folded as folded too.
func (s *selection) addCopies(ctx context.Context) error {
	for at, near := range s.near {
		for _, c := range s.copies {
			isIts := func(n search.Chunk) bool { return n.Wording == c.Wording }
			isIt := func(n search.Chunk) bool { return n.Document == c.Document && n.Number == c.Number }
			if !slices.ContainsFunc(near, isIts) || slices.ContainsFunc(s.near[at], isIt) {
				continue
			}
			if text, err := s.text(ctx, c.Document); err != nil {
				return err
			} else if text != "" {
				s.near[at] = append(s.near[at], c)
			}
		}
	}
	return nil
}
