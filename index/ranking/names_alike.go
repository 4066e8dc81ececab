package ranking

import (
	"context"
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// mostNamesAlike is the maximum number of names in a question that are looked for in texts: a long question may
// consist of thousands.
const mostNamesAlike = 8

// findNamesAlike adds to the words that occur nowhere those names in the question for which the candidates
// have only similar names. The terms of such a name do not reveal that, because the similar name may have
// all of them. The texts of further candidates are read only if none of the best has the name.
func findNamesAlike(ctx context.Context, r *Ranking) error {
	if !r.ChecksNames || !r.Filter.MatchesAll() || r.Language != "" { // other documents may have the name
		return nil
	}
	var missing []string
	names := analysis.AskedNames(r.Text)
	for _, name := range names[:min(len(names), mostNamesAlike)] {
		if slices.ContainsFunc(r.UnknownWords, func(word string) bool { return strings.Contains(name.Text, word) || strings.Contains(word, name.Text) }) {
			continue
		}
		isMissing, err := r.hasOnlyAlike(ctx, name)
		if err != nil {
			return err
		}
		if isMissing {
			missing = append(missing, name.Text)
		}
	}
	if len(missing) > 0 {
		r.UnknownWords = append(missing, slices.DeleteFunc(slices.Clone(r.UnknownWords), analysis.IsCommonWord)...)
	}
	return nil
}

// hasOnlyAlike reports whether the candidates have a name only as a part of another one, or only a similar
// name.
func (r *Ranking) hasOnlyAlike(ctx context.Context, name analysis.AskedName) (isAlike bool, err error) {
	first := min(len(r.candidates), r.PassagesPerPage)
	for i := range r.candidates[:min(len(r.candidates), nearDepth)] {
		switch {
		case i == 0:
			err = r.readTextsOf(ctx, r.candidates[:first])
		case i == first && !isAlike:
			return false, nil
		case i == first:
			err = r.readTextsOf(ctx, r.candidates[:min(len(r.candidates), nearDepth)])
		}
		if err != nil {
			return false, err
		}
		text, err := r.textWithNames(ctx, &r.candidates[i])
		if err != nil {
			return false, err
		}
		standing := name.StandingIn(text)
		if standing == analysis.NameStands || standing == analysis.OnlyNameAlike && i+1 == nearDepth {
			return false, nil // there, or perhaps among the candidates that follow
		}
		isAlike = isAlike || standing == analysis.OnlyNameAlike
	}
	return isAlike, nil
}

// textWithNames returns the text of a candidate with the title and path of its document and its headings.
func (r *Ranking) textWithNames(ctx context.Context, c *search.Candidate) (string, error) {
	text, err := r.chunkText(ctx, &c.Chunk)
	return strings.Join(append([]string{c.Document.Title, c.Document.Path, text}, c.Heading...), "\n"), err
}
