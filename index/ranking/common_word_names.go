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

	commonNamePart = 0.01 // how much the best of them scores above the best of all
)

// raiseCommonWordName raises the scores of the candidates with the name in the question, so that the best of them
// is first, if that name consists of common words, which the scores for words hardly count, and few candidates
// have it with its capitals.
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
	if len(having) == 0 || having[0] == 0 || len(having) > mostWithCommonName {
		return nil
	}
	gain := first[0].Score - first[having[0]].Score + commonNamePart
	for _, i := range having {
		first[i].AddScore(byPhrase, gain)
	}
	search.SortCandidates(r.candidates)
	return nil
}
