package ranking

import (
	"context"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// Limits of the search for a name of common words, such as Will, in texts.
const (
	commonNameDepth    = 60 // number of the best candidates
	mostWithCommonName = 10 // of these that have the name; otherwise it is no name
)

// raiseCommonWordName adds the score of the best candidate to those with the name in the question, if that
// consists of common words, which the scores for words hardly count, and few candidates have it with its
// capitals.
func raiseCommonWordName(ctx context.Context, r *Ranking) error {
	name, ok := analysis.CommonWordNameIn(r.Text)
	if !ok || len(r.candidates) == 0 {
		return nil
	}
	first := r.candidates[:min(len(r.candidates), commonNameDepth)]
	if err := r.readTextsOf(ctx, first); err != nil {
		return err
	}
	var having []int
	for i := range first {
		text, err := r.textWithNames(ctx, &first[i])
		if err != nil {
			return err
		}
		if name.IsIn(text) && !first[i].IsRelatedOnly {
			having = append(having, i)
		}
	}
	if len(having) > mostWithCommonName {
		return nil
	}
	best := first[0].Score
	for _, i := range having {
		first[i].Add(byPhrase, best)
	}
	search.SortCandidates(r.candidates)
	return nil
}
