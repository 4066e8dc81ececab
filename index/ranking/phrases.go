package ranking

import (
	"context"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// addPhrases raises the scores of the best candidates by the parts of the question that they
// contain word for word.
func addPhrases(ctx context.Context, r *Ranking) error {
	sought := analysis.NewWordSequence(r.Text)
	if len(sought) == 0 {
		return nil
	}
	best := r.candidates[:min(len(r.candidates), r.PassagesPerPage, soughtDepth)]
	for i := range best {
		if best[i].IsRelatedOnly {
			best = best[:i]
			break
		}
	}
	if err := r.readTextsOf(ctx, best); err != nil {
		return err
	}
	for i := range best {
		c := &best[i]
		text, err := r.chunkText(ctx, &c.Chunk)
		if err != nil {
			return err
		}
		if text != "" {
			c.AddScore(byPhrase, soughtPart*sought.LongestRunShare(append(c.Heading[:len(c.Heading):len(c.Heading)], text)...))
		}
	}
	if err := r.lowerOtherForms(ctx, best); err != nil {
		return err
	}
	search.SortCandidates(r.candidates)
	return nil
}

// putQuotedFirst moves the chunks that contain every quoted phrase before the others, in the order
// of their ranks, by adding the score of the best to theirs.
func putQuotedFirst(ctx context.Context, r *Ranking) error {
	if len(r.quoted) == 0 || len(r.candidates) == 0 {
		return nil
	}
	best, first := r.candidates[0].Score, r.candidates[:min(len(r.candidates), quotedDepth)]
	if err := r.readTextsOf(ctx, first); err != nil {
		return err
	}
	for i := range first {
		c := &first[i]
		text, err := r.chunkText(ctx, &c.Chunk)
		if err != nil {
			return err
		}
		if text != "" && r.quoted.AreAllIn(text) {
			c.AddScore(byPhrase, best)
		}
	}
	search.SortCandidates(r.candidates)
	return nil
}
