package ranking

import (
	"context"
	"path"
	"slices"

	"vademecum/index/search"
)

// choose turns candidates, of which none are copies, into passages worth reading:
// neighbours are joined, and one document, with what is a version of it, does not take
// every place while others have something to say.
func choose(ctx context.Context, r *Ranking) error {
	perDocument := (r.Wanted + 1) / 2
	var over []*search.Candidate            // of documents that have their places
	taken := make(map[*search.Document]int) // by the first of some versions
	versions := versionsIn(r.candidates[:min(len(r.candidates), versionsDepth)])
	for len(r.chosen) < r.Wanted {
		c, err := r.distinct.take(ctx)
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		of := c.Document
		if first := versions[of]; first != nil {
			of = first
		}
		if taken[of] >= perDocument && r.neighbour(newPassage(c)) == nil {
			over = append(over, c)
			continue
		}
		before := len(r.chosen)
		if err := r.take(ctx, c); err != nil {
			return err
		}
		taken[of] += max(0, len(r.chosen)-before)
	}
	for _, c := range over {
		if len(r.chosen) == r.Wanted {
			break
		}
		if err := r.take(ctx, c); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.chosen, func(a, b *Passage) int { return a.Candidate.Compare(&b.Candidate) })
	r.dropLesser()
	return nil
}

// versionsIn finds the documents that have nearly a passage of another one in the same
// directory, and about as many: for each the first of them. Letters from one template are
// such too, and have places beside each other as long as nothing else has something to say.
func versionsIn(candidates []search.Candidate) map[*search.Document]*search.Document {
	first := make(map[*search.Document]*search.Document)
	for i := range candidates {
		for j := range candidates[:i] {
			a, b := &candidates[j], &candidates[i]
			if first[b.Document] != nil || !areVersions(a, b) {
				continue
			}
			of := a.Document
			if first[of] != nil {
				of = first[of]
			}
			if of != b.Document {
				first[b.Document] = of
			}
		}
	}
	return first
}

// areVersions tells whether the documents of two passages may be the same text in two
// files.
func areVersions(a, b *search.Candidate) bool {
	long, short := max(a.Document.CountChunks(), b.Document.CountChunks()), min(a.Document.CountChunks(), b.Document.CountChunks())
	return a.Document != b.Document && short > 1 && 4*short >= 3*long && a.Mark.Sketch.IsNear(b.Mark.Sketch) && path.Dir(a.Document.Path) == path.Dir(b.Document.Path)
}

// dropLesser drops the passages that answer much less well than the best, with their
// names and by what stands in them: what is called as was asked need not be the only one
// that answers.
func (r *Ranking) dropLesser() {
	best, content := 0.0, 0.0
	for _, p := range r.chosen {
		best, content = max(best, p.Score), max(content, p.content())
	}
	r.chosen = slices.DeleteFunc(r.chosen, func(p *Passage) bool {
		return !p.Related && p.Score < r.Least*best && p.content() < r.Least*content
	})
}

// content is the part of the score that is of the passage itself.
func (p *Passage) content() float64 { return p.Parts[byWords] + p.Parts[byVectors] + p.Parts[byPhrase] }

// take joins a candidate to a neighbour, or gives it a place.
func (r *Ranking) take(ctx context.Context, c *search.Candidate) error {
	own, err := r.textOf(ctx, &c.Chunk)
	if err != nil || own == "" {
		return err
	}
	text := r.bodies[c.Document].Text
	one := newPassage(c)
	one.Text, one.chunks = own, []search.Chunk{c.Chunk}
	if to := r.neighbour(one); to != nil {
		to.join(one, text)
		r.closeGap(to, text)
		return nil
	}
	r.chosen = append(r.chosen, one)
	return nil
}
