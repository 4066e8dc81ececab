package ranking

import (
	"context"
	"path"

	"vademecum/index/search"
)

// isNamedByQuestion reports whether a question means a document by its name or that of a folder.
func isNamedByQuestion(c *search.Candidate) bool {
	return c.Parts[byName] >= namedByName || c.Parts[byFolder] >= namedByFolder
}

// isNamedMoreThan reports whether a question names the document of one passage more than that of
// another, which then must not stand for it, whatever more it says: the letters of two
// patients have most in common.
func isNamedMoreThan(c, other *search.Candidate) bool {
	return c.Parts[byName]+c.Parts[byFolder] >= other.Parts[byName]+other.Parts[byFolder]+moreNamed
}

// replaceByOriginals puts the original of equal texts into the place of each of the first
// candidates, if the question does not name the document that it has now.
func replaceByOriginals(ctx context.Context, r *Ranking) (err error) {
	first := r.candidates[:min(len(r.candidates), nearDepth)]
	for i := range first {
		r.hashes[first[i].ContentHash] = true
	}
	if r.copies, err = r.view.Copies(ctx, r.copies, r.hashes, r.Only); err != nil {
		return err
	}
	for i := range r.copies {
		c := &r.copies[i]
		if original := r.originals[c.ContentHash]; original == nil || isOriginal(c.Document, original.Document) {
			r.originals[c.ContentHash] = c
		}
	}
	for i := range r.candidates {
		c := &r.candidates[i]
		original := r.originals[c.ContentHash]
		if original != nil && original.Document != c.Document && !isNamedByQuestion(c) && isOriginal(original.Document, c.Document) {
			c.Chunk = *original
		}
	}
	return nil
}

// moveOriginalsFirst puts into the place of a passage that says nearly the same as others
// the one that is most likely the original: a chapter stands before the book that was
// made of it, and a page before its draft. The others stay, one lower, as what they do
// not share may matter. So many have been given before, of which none has another
// edition among these.
func moveOriginalsFirst(candidates []*search.Candidate, given int) {
	top := candidates[:min(len(candidates), max(0, originalsDepth-given))]
	seen := make([]bool, len(top))
	for i := range top {
		if seen[i] {
			continue
		}
		original := i
		for j := i + 1; j < len(top); j++ {
			if seen[j] || !areEditions(top[i], top[j]) {
				continue
			}
			seen[j] = true
			if top[j].Score >= aboutAsGood*top[i].Score && !isNamedMoreThan(top[i], top[j]) && isOriginal(top[j].Document, top[original].Document) {
				original = j
			}
		}
		if original != i {
			gain := top[i].Score - top[original].Score
			top[i].Add(byOriginal, -gain)
			top[original].Add(byOriginal, gain)
			top[i], top[original] = top[original], top[i]
		}
	}
}

// areEditions reports whether two passages say nearly the same in different directories:
// in one they are more likely letters from a template, or days of a diary.
func areEditions(a, b *search.Candidate) bool {
	return a.Related == b.Related && a.Document != b.Document && a.Traits.Sketch.IsSimilar(b.Traits.Sketch) &&
		path.Dir(a.Document.Path) != path.Dir(b.Document.Path)
}

// isOriginal reports whether a document is more likely the original of another than a
// copy: it is not called a draft, or else has less than half of the passages, as a part
// of a compilation has, or else the shorter path.
func isOriginal(a, b *search.Document) bool {
	switch {
	case isDraftOf(b, a):
		return true
	case isDraftOf(a, b):
		return false
	case 2*a.CountChunks() < b.CountChunks():
		return true
	case 2*b.CountChunks() < a.CountChunks():
		return false
	}
	return comparePaths(a.Path, b.Path) < 0
}
