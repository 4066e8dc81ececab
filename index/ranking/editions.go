package ranking

import (
	"path"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// OriginalsDepth is how many candidates are compared for being editions of one text.
const OriginalsDepth = 60

// aboutAsGood is the part of the score of the best of some copies that one must have
// to take its place: else it lacks what the question asks. With .9 one of 162
// questions to real folders less has the right passage first.
const aboutAsGood = 0.8

// What the names of a document, or of its folders, must add to a score for the question
// to mean that document and no copy.
const (
	namedByName   = 0.1
	namedByFolder = 0.08
)

// isNamed tells whether a question means a document by its name or that of a folder.
func isNamed(c search.Candidate) bool {
	return c.Parts[byName] >= namedByName || c.Parts[byFolder] >= namedByFolder
}

// moreNamed is by how much more of its score one of two must have for the names of its
// document and folders to be the one that the question means.
const moreNamed = 0.03

// IsMeant tells whether a question names the document of one passage more than that of
// another, which then must not stand for it, whatever more it says: the letters of two
// patients have most in common.
func IsMeant(c, other search.Candidate) bool {
	return c.Parts[byName]+c.Parts[byFolder] >= other.Parts[byName]+other.Parts[byFolder]+moreNamed
}

// TakeOriginals puts the original of equal texts into the place of each of the first
// candidates, if the question does not name the document that it has now. Copies are
// all chunks that have one of their wordings.
func TakeOriginals(candidates []search.Candidate, copies []search.Chunk) {
	of := make(map[rank.Wording]search.Chunk)
	for _, c := range copies {
		if original, known := of[c.Wording]; !known || IsOriginal(c.Document, original.Document) {
			of[c.Wording] = c
		}
	}
	for i := range candidates {
		c := &candidates[i]
		original, known := of[c.Wording]
		if known && original.Document != c.Document && !isNamed(*c) && IsOriginal(original.Document, c.Document) {
			c.Chunk = original
		}
	}
}

// OriginalsFirst puts into the place of a passage that says nearly the same as others
// the one that is most likely the original: a chapter stands before the book that was
// made of it, and a page before its draft. The others stay, one lower, as what they do
// not share may matter. So many have been given before, of which none has another
// edition among these. Of 162 questions to eleven real folders, of which one holds
// three editions of a text, this and TakeOriginals give 4 more the right passage first.
func OriginalsFirst(candidates []search.Candidate, given int) {
	top := candidates[:min(len(candidates), max(0, OriginalsDepth-given))]
	seen := make([]bool, len(top))
	for i := range top {
		if seen[i] {
			continue
		}
		original := i
		for j := i + 1; j < len(top); j++ {
			if seen[j] || !AreEditions(&top[i], &top[j]) {
				continue
			}
			seen[j] = true
			if top[j].Score >= aboutAsGood*top[i].Score && !IsMeant(top[i], top[j]) && IsOriginal(top[j].Document, top[original].Document) {
				original = j
			}
		}
		if original != i {
			exchange(&top[i], &top[original])
		}
	}
}

// AreEditions tells whether two passages say nearly the same in different directories:
// in one they are more likely letters from a template, or days of a diary.
func AreEditions(a, b *search.Candidate) bool {
	return a.Related == b.Related && a.Document != b.Document && a.Mark.Sketch.IsNear(b.Mark.Sketch) &&
		path.Dir(a.Document.Path) != path.Dir(b.Document.Path)
}

// exchange gives each of two the place of the other.
func exchange(a, b *search.Candidate) {
	gain := a.Score - b.Score
	*a, *b = *b, *a
	a.Add(byOriginal, gain)
	b.Add(byOriginal, -gain)
}

// IsOriginal tells whether a document is more likely the original of another than a
// copy: it is not called a draft, or else has less than half of the passages, as a part
// of a compilation has, or else the shorter path.
func IsOriginal(a, b *search.Document) bool {
	switch {
	case IsDraftOf(b, a):
		return true
	case IsDraftOf(a, b):
		return false
	case 2*a.CountChunks() < b.CountChunks():
		return true
	case 2*b.CountChunks() < a.CountChunks():
		return false
	}
	return comparePaths(a.Path, b.Path) < 0
}
