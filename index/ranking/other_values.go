package ranking

import (
	"context"
	"slices"

	"vademecum/index/search"
)

// mostReplaced is the maximum number of words that two texts have in the same place, one instead of the
// other, for these to be values of the same thing.
const mostReplaced = 3

// keepOtherValues keeps places among the chosen passages for those passages of drafts and copies that are
// like the best passage except for a value, such as another dose, so that a reader sees that the value is
// in doubt. They replace other passages of drafts, or else the last passages, but none of the page itself.
// It returns the candidates left, including those that lost their places.
func (r *Ranking) keepOtherValues(ctx context.Context, left []*search.Candidate, drafts map[*search.Document]*search.Document) ([]*search.Candidate, error) {
	if len(drafts) == 0 || len(r.chosen) == 0 {
		return left, nil
	}
	best := slices.MinFunc(r.chosen, func(a, b *Passage) int { return a.Candidate.Compare(&b.Candidate) })
	kept := map[*Passage]bool{best: true}
	others, err := r.withOtherValues(ctx, best, drafts)
	if err != nil {
		return nil, err
	}
	for _, c := range others {
		if i := slices.IndexFunc(r.chosen, func(p *Passage) bool { return p.holds(c) }); i >= 0 {
			kept[r.chosen[i]] = true
		}
	}
	for _, c := range others {
		if r.isShown(c) || r.isNear(c) {
			continue
		}
		if len(r.chosen) >= r.places() {
			last := r.lastBeside(kept, finalVersion(best.Document, drafts), drafts)
			if last < 0 {
				break
			}
			left = append(left, &r.chosen[last].Candidate)
			r.chosen = slices.Delete(r.chosen, last, last+1)
		}
		left = slices.DeleteFunc(left, func(o *search.Candidate) bool { return o.Document == c.Document && o.Number == c.Number })
		if err := r.takeCandidate(ctx, c); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(r.chosen, func(p *Passage) bool { return p.holds(c) }); i >= 0 {
			kept[r.chosen[i]] = true
		}
	}
	return left, nil
}

// lastBeside returns the index of the last chosen passage that is not to be kept, and not from the given page:
// of those from drafts, if there are such; -1 if there is none.
func (r *Ranking) lastBeside(kept map[*Passage]bool, page *search.Document, drafts map[*search.Document]*search.Document) int {
	last := -1
	for n, p := range r.chosen {
		if kept[p] || p.IsBestInLanguage || p.Document == page {
			continue
		}
		if last < 0 {
			last = n
			continue
		}
		isDraft, lastIsDraft := drafts[p.Document] != nil, drafts[r.chosen[last].Document] != nil
		if isDraft && !lastIsDraft || isDraft == lastIsDraft && p.Score <= r.chosen[last].Score {
			last = n
		}
	}
	return last
}

// withOtherValues lists the candidates from drafts of a passage's document, or from its final version, that
// are like the passage but for a value.
func (r *Ranking) withOtherValues(ctx context.Context, p *Passage, drafts map[*search.Document]*search.Document) (others []*search.Candidate, err error) {
	of := finalVersion(p.Document, drafts)
	for i := range r.candidates[:min(len(r.candidates), nearDepth)] {
		c := &r.candidates[i]
		if c.Document == p.Document || finalVersion(c.Document, drafts) != of || c.IsRelatedOnly != p.IsRelatedOnly || !areSimilarIfSameName(c, &p.Candidate) {
			continue
		}
		own, err := r.chunkText(ctx, &c.Chunk)
		if err != nil {
			return nil, err
		}
		if own != "" && ComparableTextOf(own).hasOtherValue(ComparableTextOf(p.Text)) {
			others = append(others, c)
		}
	}
	return others, nil
}

// finalVersion returns the final version of a document, which may be the document itself.
func finalVersion(d *search.Document, drafts map[*search.Document]*search.Document) *search.Document {
	if final := drafts[d]; final != nil {
		return final
	}
	return d
}

// hasOtherValue reports whether s has something else in a place of other between words that both have: a
// number, a negation or doubt, or a few words instead of others.
func (s ComparableText) hasOtherValue(other ComparableText) bool {
	before := stretch{}
	stretches := s.commonStretches(other)
	for i, c := range stretches {
		end := before.there + before.length
		if i > 0 && c.there >= end {
			own, theirs := s[before.here+before.length:c.here], other[end:c.there]
			isReplaced := 0 < len(own) && len(own) <= mostReplaced && 0 < len(theirs) && len(theirs) <= mostReplaced
			if isReplaced && own.lettersOf() != theirs.lettersOf() || own.saysMore() || theirs.saysMore() {
				return true
			}
		}
		before = c
	}
	return false
}

// saysMore reports whether words that only one of two texts has may change what it says.
func (s ComparableText) saysMore() bool { return slices.ContainsFunc(s, hasDigit) || s.hasDoubt() }
