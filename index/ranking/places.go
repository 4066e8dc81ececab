package ranking

import "vademecum/index/search"

// usedPlaces counts the places of a page of results by document, so that no document takes most of them
// while others have relevant passages. Versions of a document share its places. So do its drafts and
// copies, but they leave it as many as if there were none.
type usedPlaces struct {
	perDocument int
	versions    map[*search.Document]*search.Document // the first version of a document: see versionsIn
	drafts      map[*search.Document]*search.Document // the final version of a draft: see draftsIn
	byDocument  map[*search.Document]*int             // places of each document, by its first version
	byDrafts    map[*search.Document]*int             // places of its drafts for what it nearly says itself
}

// share says how many places of a page the document of a candidate takes, and whether it may take another.
type share struct {
	places    *int // number of places taken, to be raised by those that the candidate takes
	isUsedUp  bool
	isOfDraft bool // the candidate is from a draft whose final version nearly says the same
}

// shareOf returns the share of the document of a candidate.
func (u *usedPlaces) shareOf(r *Ranking, c *search.Candidate) share {
	final := u.drafts[c.Document]
	if final == nil || !r.isNearlySaidBy(c, final) {
		places := countOf(u.byDocument, firstVersion(c.Document, u.versions, u.byDocument))
		return share{places: places, isUsedUp: *places >= u.perDocument}
	}
	of := firstVersion(final, u.versions, u.byDocument)
	places := countOf(u.byDrafts, of)
	return share{places: places, isUsedUp: *countOf(u.byDocument, of)+*places >= u.perDocument, isOfDraft: true}
}

// countOf returns the counter of a document.
func countOf(counts map[*search.Document]*int, d *search.Document) *int {
	if counts[d] == nil {
		counts[d] = new(int)
	}
	return counts[d]
}

// draftsIn finds drafts and copies of other documents among the documents of candidates, and maps each to
// its final version. Their names say so, and most of what was found in them is nearly the same.
func (r *Ranking) draftsIn(candidates []search.Candidate) map[*search.Document]*search.Document {
	drafts := make(map[*search.Document]*search.Document)
	for i := range candidates {
		for j := range candidates[:i] {
			a, b := &candidates[i], &candidates[j]
			if !areSimilarIfSameName(a, b) {
				continue
			}
			switch marks := compareMarks(a.Document, b.Document); {
			case marks > 0:
				drafts[a.Document] = r.finalOf(a.Document, b.Document, drafts[a.Document])
			case marks < 0:
				drafts[b.Document] = r.finalOf(b.Document, a.Document, drafts[b.Document])
			}
		}
	}
	return drafts
}

// finalOf returns which of two documents is the final version of a draft: the one without marks, if most
// of what was found in the draft is in it, or else the one known before, which may be nil.
func (r *Ranking) finalOf(draft, found, known *search.Document) *search.Document {
	if known == found || known != nil && !isDraftOf(known, found) || !r.isMostlySaidBy(draft, found) {
		return known
	}
	return found
}

// isMostlySaidBy reports whether at least half of the candidates from a draft are nearly said by its final
// version.
func (r *Ranking) isMostlySaidBy(draft, final *search.Document) bool {
	said, all := 0, 0
	for i := range r.candidates[:min(len(r.candidates), nearDepth)] {
		if c := &r.candidates[i]; c.Document == draft {
			all++
			if r.isNearlySaidBy(c, final) {
				said++
			}
		}
	}
	return 2*said >= all
}

// isNearlySaidBy reports whether a candidate from a draft has a counterpart among the candidates from the
// final version of the draft.
func (r *Ranking) isNearlySaidBy(c *search.Candidate, final *search.Document) bool {
	for i := range r.candidates[:min(len(r.candidates), nearDepth)] {
		if o := &r.candidates[i]; o.Document == final && areSimilarIfSameName(c, o) {
			return true
		}
	}
	return false
}
