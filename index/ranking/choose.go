package ranking

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// choosePassages turns candidates without copies into the passages of a page that are worth
// reading: it joins neighbours, and does not let one document and its versions take all places
// while other documents have relevant passages. It also chooses the previous pages, so that their
// content is not repeated.
func choosePassages(ctx context.Context, r *Ranking) error {
	first := r.candidates[:min(len(r.candidates), versionsDepth)]
	versions, drafts := versionsIn(first), r.draftsIn(first)
	var left []*search.Candidate // left by the previous pages, best first
	for page := 0; page <= r.Page; page++ {
		r.chosen, r.shownBefore = r.chosen[:0], len(r.shown)
		over, err := r.fillPage(ctx, left, versions, drafts)
		if err != nil {
			return err
		}
		if page == 0 {
			if over, err = r.keepLanguages(ctx, over); err != nil {
				return err
			}
			if over, err = r.keepOtherValues(ctx, over, drafts); err != nil {
				return err
			}
		}
		slices.SortStableFunc(r.chosen, func(a, b *Passage) int { return a.Candidate.Compare(&b.Candidate) })
		left = append(over, r.dropWeakPassages()...)
		slices.SortStableFunc(left, (*search.Candidate).Compare)
		if len(r.chosen) == 0 {
			return nil
		}
		if left, err = r.dropShown(ctx, left, versions); err != nil {
			return err
		}
		r.shown = append(r.shown, r.chosen...)
	}
	r.more = len(left) > 0
	if !r.more && len(r.chosen) == r.places() {
		next, err := r.nextUnshown(ctx, &left, versions)
		r.more = next != nil
		return err
	}
	return nil
}

// fillPage chooses the passages of a page, from the candidates that the previous pages have left and from
// those that follow. It returns the candidates that remain.
func (r *Ranking) fillPage(ctx context.Context, left []*search.Candidate, versions, drafts map[*search.Document]*search.Document) ([]*search.Candidate, error) {
	wanted := r.places()
	// candidates from documents that already have their share of places, and those from drafts
	var over, ofDrafts []*search.Candidate
	used := usedPlaces{perDocument: (wanted + 1) / 2, versions: versions, drafts: drafts, byDocument: make(map[*search.Document]*int), byDrafts: make(map[*search.Document]*int)}
	for len(r.chosen) < wanted {
		c, err := r.nextUnshown(ctx, &left, versions)
		if err != nil {
			return nil, err
		}
		if c == nil {
			break
		}
		share := used.shareOf(r, c)
		if share.isUsedUp && r.adjoiningPassage(newPassage(c)) == nil {
			if share.isOfDraft {
				ofDrafts = append(ofDrafts, c)
			} else {
				over = append(over, c)
			}
			continue
		}
		before := len(r.chosen)
		if err := r.takeCandidate(ctx, c); err != nil {
			return nil, err
		}
		*share.places += max(0, len(r.chosen)-before)
	}
	over = slices.Concat(over, ofDrafts, left)
	for len(over) > 0 && len(r.chosen) < wanted {
		c := over[0]
		over = over[1:]
		if isFolded, err := r.foldIntoShown(ctx, c, versions); err != nil {
			return nil, err
		} else if isFolded {
			continue
		}
		if err := r.takeCandidate(ctx, c); err != nil {
			return nil, err
		}
	}
	return over, nil
}

// nextUnshown returns the next candidate whose content is not in a chosen passage; nil if there is none.
func (r *Ranking) nextUnshown(ctx context.Context, left *[]*search.Candidate, versions map[*search.Document]*search.Document) (*search.Candidate, error) {
	for {
		c, err := r.nextCandidate(ctx, left)
		if c == nil || err != nil {
			return nil, err
		}
		if c.IsBestInLanguage && r.isShown(c) {
			continue // chosen out of turn: see keepLanguages
		}
		if isFolded, err := r.foldIntoShown(ctx, c, versions); err != nil || !isFolded {
			return c, err
		}
	}
}

// nextCandidate returns the first of the candidates left, or else the next one; nil if there is
// none.
func (r *Ranking) nextCandidate(ctx context.Context, left *[]*search.Candidate) (*search.Candidate, error) {
	if len(*left) == 0 {
		return r.nextReturned(ctx)
	}
	c := (*left)[0]
	*left = (*left)[1:]
	return c, nil
}

// versionsIn finds documents that have the same text as another in the same directory, judged by
// passages that are nearly the same, and maps each to the first of them. Letters from one template
// look like that too; they get several places only while no other document has a relevant passage.
func versionsIn(candidates []search.Candidate) map[*search.Document]*search.Document {
	first := make(map[*search.Document]*search.Document)
	for i := range candidates {
		for j := range candidates[:i] {
			a, b := &candidates[j], &candidates[i]
			if !areVersions(a, b) || first[b.Document] != nil {
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

// areVersions reports whether the documents of two candidates may be the same text in two files.
func areVersions(a, b *search.Candidate) bool {
	if a.Document == b.Document || !a.Traits.MinHash.IsSimilar(b.Traits.MinHash) || path.Dir(a.Document.Path) != path.Dir(b.Document.Path) {
		return false
	}
	long, short := max(a.Document.CountChunks(), b.Document.CountChunks()), min(a.Document.CountChunks(), b.Document.CountChunks())
	return short > 1 && 4*short >= 3*long
}

// firstVersion returns the already chosen document of which d is a version, or d itself.
func firstVersion(d *search.Document, versions map[*search.Document]*search.Document, taken map[*search.Document]*int) *search.Document {
	if first := versions[d]; first != nil {
		return first
	}
	if _, has := taken[d]; has {
		return d
	}
	found := d
	for first := range taken {
		if areFormats(first, d) && (found == d || first.Path < found.Path) {
			found = first
		}
	}
	if found != d {
		versions[d] = found
	}
	return found
}

// dropWeakPassages drops passages that score much worse than the best, unless too few would be left. A
// passage must be worse both in its score and in its score without names, because the match of its
// document's name alone does not make the best passage the only answer. It returns the candidates of
// the dropped passages.
func (r *Ranking) dropWeakPassages() (dropped []*search.Candidate) {
	best, content := 0.0, 0.0
	for _, p := range r.chosen {
		best, content = max(best, p.Score), max(content, contentScore(&p.Candidate))
	}
	length, places := 0, analysis.PlacesInChinese(r.Text)
	var kept []*Passage
	for _, p := range r.chosen {
		isAmongFirst := r.MinScoreShare > 0 && length < shownEnough && p.Score >= lesserShare*best
		isLesser := !p.IsRelatedOnly && !p.IsBestInLanguage && p.Score < r.MinScoreShare*best && contentScore(&p.Candidate) < r.MinScoreShare*content && !writesPlace(p, kept, places, best)
		if isAmongFirst {
			length += min(utf8.RuneCountInString(p.Text), r.shownLength(p))
		}
		if isAmongFirst || !isLesser || r.isOnOtherSubject(p, kept) {
			kept = append(kept, p)
		} else {
			dropped = append(dropped, &p.Candidate)
		}
	}
	r.chosen = append(r.chosen[:0], kept...)
	return dropped
}

// writesPlace reports whether a passage has one of the places in a question ("chapter 7", in Chinese) as it is written there, and no
// better one has it: a file whose name has its number in another way does not push away a text about it.
func writesPlace(p *Passage, better []*Passage, places []string, best float64) bool {
	return p.Score >= placeShare*best && slices.ContainsFunc(places, func(place string) bool {
		return p.hasWritten(place) && !slices.ContainsFunc(better, func(b *Passage) bool { return b.hasWritten(place) })
	})
}

// hasWritten reports whether a passage has a text in itself or in its headings.
func (p *Passage) hasWritten(text string) bool {
	return strings.Contains(p.Text, text) || slices.ContainsFunc(p.Heading, func(heading string) bool { return strings.Contains(heading, text) })
}

// contentScore returns the part of the score of a candidate that comes from its text, not from names.
func contentScore(c *search.Candidate) float64 {
	return c.Parts[byWords] + c.Parts[byVectors] + c.Parts[byPhrase]
}

// takeCandidate joins a candidate to a chosen passage that it adjoins, or adds it as a new passage.
func (r *Ranking) takeCandidate(ctx context.Context, c *search.Candidate) error {
	own, err := r.chunkText(ctx, &c.Chunk)
	if err != nil || own == "" {
		return err
	}
	text := r.bodies[c.Document].Text
	one := newPassage(c)
	one.Text, one.chunks = own, []search.Chunk{c.Chunk}
	if to := r.adjoiningPassage(one); to != nil {
		to.joinPassage(one, text)
		r.closeGap(to, text)
		return nil
	}
	r.chosen = append(r.chosen, one)
	return nil
}
