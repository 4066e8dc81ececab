package page

import (
	"vademecum/index"
	"vademecum/internal/base/message"
)

// whyView explains the rank of a passage.
type whyView struct {
	Parts   []whyPart
	Changes []string              // sentences on what raised or lowered the score
	Terms   []index.DocumentCount // contributions of terms to the score, in percent
	Rest    int                   // number of terms not listed

	LexicalRank, VectorRank int
}

// whyPart is a component of a passage's score. From and Wide are the start and the width of its
// bar, at most 1000; Key selects the colour.
type whyPart struct {
	Name, Key  string
	Score      float64
	From, Wide int
}

// mostTerms is the maximum number of terms listed.
const mostTerms = 8

func (t locale) whyOf(p index.Passage) (w whyView) {
	w.LexicalRank, w.VectorRank = p.LexicalRank, p.VectorRank
	at := 0
	for _, part := range p.Explanation.Parts {
		switch {
		case !part.IsShown():
		case part.IsSummand():
			wide := int(1000 * part.Score)
			w.Parts = append(w.Parts, whyPart{Name: t.In(part.Name), Key: part.Key, Score: part.Score, From: at, Wide: wide})
			at += wide
		default:
			w.Changes = append(w.Changes, t.In(message.New("%s.", message.Capitalised(part.Sentence))))
		}
	}
	terms := p.Explanation.Terms
	for _, term := range terms[:min(len(terms), mostTerms)] {
		w.Terms = append(w.Terms, index.DocumentCount{Name: term.Term, Documents: int(100*term.WordScoreShare + 0.5)})
	}
	w.Rest = len(terms) - len(w.Terms)
	return w
}
