package page

import "vademecum/index"

// whyView is why a passage stands where it stands.
type whyView struct {
	Parts []whyPart
	Terms []index.Tally // shares of what it has for its words, in percent
	Rest  int           // terms that are not named

	Raised, Lowered float64 // as the original of what nearly says the same, or for one
	Left            float64 // what it keeps because of its kind; 0: all
	Kind            string

	LexicalRank, VectorRank int
}

// whyPart is a part of the score. From and Wide are where its bar begins and how wide
// it is, of 1000.
type whyPart struct {
	Name       string
	Score      float64
	From, Wide int
	Class      string
}

// mostTerms is how many terms are named.
const mostTerms = 8

func whyOf(p index.Passage) (w whyView) {
	w.LexicalRank, w.VectorRank = p.LexicalRank, p.VectorRank
	y := p.Why
	at := 0
	for _, part := range []whyPart{
		{Name: "words", Score: y.Words, Class: "words"}, {Name: "meaning (vectors)", Score: y.Vectors, Class: "vectors"},
		{Name: "name of the document", Score: y.Name, Class: "name"}, {Name: "heading", Score: y.Heading, Class: "head"},
		{Name: "folder", Score: y.Folder, Class: "folders"}, {Name: "words in the document", Score: y.Document, Class: "rest"}, {Name: "others in the folder", Score: y.Company, Class: "rest"},
		{Name: "words in a row", Score: y.Phrase, Class: "row"},
	} {
		if part.Score < 0.005 { // what would be 0.00
			continue
		}
		part.From, part.Wide = at, int(1000*part.Score)
		at += part.Wide
		w.Parts = append(w.Parts, part)
	}
	w.Raised, w.Lowered = max(0, y.Original), max(0, -y.Original)
	w.Left, w.Kind = y.Left, y.Kind
	for _, t := range y.Terms[:min(len(y.Terms), mostTerms)] {
		w.Terms = append(w.Terms, index.Tally{Name: t.Term, Documents: int(100*t.Share + 0.5)})
	}
	w.Rest = len(y.Terms) - len(w.Terms)
	return w
}
