package ranking

import (
	"context"
	"path"

	"vademecum/index/search"
)

// isNamedByQuestion reports whether a question names the document of a candidate, or its folder.
func isNamedByQuestion(c *search.Candidate) bool {
	return c.Parts[byName] >= namedByName || c.Parts[byFolder] >= namedByFolder
}

// isNamedMoreThan reports whether a question names the document of one candidate more than that of
// another. The other must then not represent it, whatever it says in addition: the letters of two
// patients have most of their text in common.
func isNamedMoreThan(c, other *search.Candidate) bool {
	if other.HasOtherFormOfName && !c.HasOtherFormOfName {
		return true
	}
	return c.Parts[byName]+c.Parts[byFolder] >= other.Parts[byName]+other.Parts[byFolder]+moreNamed
}

// replaceByOriginals replaces each of the first candidates by the original among its copies, unless
// the question names its current document. A draft is replaced even then, if the question names its final
// version by the same words.
func replaceByOriginals(ctx context.Context, r *Ranking) (err error) {
	first := r.candidates[:min(len(r.candidates), nearDepth)]
	for i := range first {
		r.hashes[first[i].ContentHash] = true
	}
	if r.copies, err = r.view.AppendCopies(ctx, r.copies, r.hashes, r.Filter); err != nil {
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
		if original != nil && original.Document != c.Document && isOriginal(original.Document, c.Document) && !r.meansCopy(c, original.Document) {
			c.Chunk = *original
		}
	}
	return nil
}

// meansCopy reports whether the question means the document of a candidate and not its original.
func (r *Ranking) meansCopy(c *search.Candidate, original *search.Document) bool {
	if !isNamedByQuestion(c) {
		return false
	}
	return !isDraftOf(c.Document, original) || isNamedAsDraft(nameTerms(r.wordings()...), c.Document, original)
}

// wordings lists the texts of the phrasings of the question.
func (r *Ranking) wordings() []string {
	all := []string{r.Text}
	for _, p := range r.Phrasings {
		all = append(all, p.Text)
	}
	return all
}

// moveOriginalsFirst moves the most likely original before passages that say nearly the same: a
// chapter before the book made from it, and a page before its draft. The other editions move down by one,
// and stay, because their differences may matter. given is the number of candidates returned before,
// none of which has an edition among these.
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
			if (top[j].Score >= aboutAsGood*top[i].Score || isFinalVersionOf(top[j], top[i])) && !isNamedMoreThan(top[i], top[j]) && isOriginal(top[j].Document, top[original].Document) {
				original = j
			}
		}
		if original != i {
			gain, part := top[i].Score-top[original].Score, byOriginal
			if compareEditions(top[original].Document, top[i].Document) > 0 {
				part = byEdition
			}
			top[i].AddScore(part, -gain)
			top[original].AddScore(part, gain)
			top[original].SortsBeforeEqualScores = true
			top[i], top[original] = top[original], top[i]
		}
	}
}

// areEditions reports whether two candidates say nearly the same, so that they may be editions of one
// text: from different directories, a page and its draft, or those of two years or versions. Others in one directory are
// more likely letters from a template, or entries of a diary.
func areEditions(a, b *search.Candidate) bool {
	if a.IsRelatedOnly != b.IsRelatedOnly || a.Document == b.Document || !a.Traits.MinHash.MayBeSimilar(b.Traits.MinHash) {
		return false
	}
	isElsewhere := path.Dir(a.Document.Path) != path.Dir(b.Document.Path)
	return isElsewhere && a.Traits.MinHash.IsSimilar(b.Traits.MinHash) || areDraftAndFinal(a, b) || areNamedEditions(a, b)
}

// shortText is the maximum length, in bytes, of a text whose sketch may differ much from that of another
// text only because of two different numbers.
const shortText = 600

// areDraftAndFinal reports whether one of two candidates is from a draft of the document of the other, by
// the names of their files, and their texts are similar.
func areDraftAndFinal(a, b *search.Candidate) bool {
	return areSimilarIfSameName(a, b) && compareMarks(a.Document, b.Document) != 0
}

// areSimilarIfSameName reports whether the texts of two candidates from different documents are similar
// enough to be those of a draft and its final version, if the names of the documents say so.
func areSimilarIfSameName(a, b *search.Candidate) bool {
	if a.Document == b.Document || !a.Traits.MinHash.MayBeSimilar(b.Traits.MinHash) {
		return false
	}
	isShort := a.Span.EndByte-a.Span.StartByte <= shortText && b.Span.EndByte-b.Span.StartByte <= shortText
	return isShort || a.Traits.MinHash.IsSimilarVersion(b.Traits.MinHash)
}

// isOriginal reports whether a is more likely the original of b than a copy: it is not marked as a
// draft, or newer by the year or version in its name, or it has less than half of the passages, like a part of a
// compilation, or else the shorter path.
func isOriginal(a, b *search.Document) bool {
	switch {
	case isDraftOf(b, a):
		return true
	case isDraftOf(a, b):
		return false
	}
	if newer := compareEditions(a, b); newer != 0 {
		return newer > 0
	}
	switch {
	case 2*a.CountChunks() < b.CountChunks():
		return true
	case 2*b.CountChunks() < a.CountChunks():
		return false
	}
	return comparePaths(a.Path, b.Path) < 0
}
