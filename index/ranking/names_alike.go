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
	if !r.TreatsSimilarNamesAsUnknown || !r.Filter.MatchesAll() || r.Language != "" { // other documents may have the name
		return nil
	}
	if err := r.findOtherForms(ctx); err != nil {
		return err
	}
	var missing []string
	names := analysis.AskedNames(r.Text)
	for _, word := range r.RespelledWords {
		names = append([]analysis.AskedName{analysis.RespelledName(word)}, names...)
	}
	for _, name := range names[:min(len(names), mostNamesAlike)] {
		if slices.ContainsFunc(r.UnknownWords, func(word string) bool { return strings.Contains(name.Text, word) || strings.Contains(word, name.Text) }) {
			continue
		}
		isMissing, err := r.hasOnlyAlike(ctx, name)
		if err != nil {
			return err
		}
		if !isMissing {
			continue
		}
		missing = append(missing, name.Text)
		if err := r.findTaken(ctx, name); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		r.UnknownWords = append(missing, slices.DeleteFunc(slices.Clone(r.UnknownWords), analysis.IsCommonWord)...)
	}
	return nil
}

// findOtherForms looks in the best candidates for other forms of numbers that occur nowhere. It removes those that
// stand there in another unit or with a word such as million.
func (r *Ranking) findOtherForms(ctx context.Context) error {
	if !slices.ContainsFunc(r.UnknownWords, analysis.NamesThingByNumber) {
		return nil
	}
	numbers := analysis.AskedNumbers(r.Text)
	for _, number := range numbers[:min(len(numbers), mostNamesAlike)] {
		if !slices.ContainsFunc(r.UnknownWords, number.IsNumberOf) {
			continue
		}
		stands, err := r.standsInBest(ctx, number)
		if err != nil {
			return err
		}
		if stands {
			r.UnknownWords = slices.DeleteFunc(slices.Clone(r.UnknownWords), number.IsNumberOf)
		}
	}
	return r.findNearForms(ctx)
}

// findNearForms finds what the best candidates have in place of words that occur nowhere: a longer version, or a
// day without its year.
func (r *Ranking) findNearForms(ctx context.Context) error {
	best := r.candidates[:min(len(r.candidates), r.PassagesPerPage)]
	for _, word := range r.UnknownWords {
		if !analysis.HasNearForms(word) {
			continue
		}
		if err := r.readTextsOf(ctx, best); err != nil {
			return err
		}
		for i := range best {
			text, err := r.textWithNames(ctx, &best[i])
			if err != nil {
				return err
			}
			if form := analysis.NearFormIn(word, text); form != "" {
				r.taken, r.nearlyFound = append(r.taken, form), append(r.nearlyFound, word)
				break
			}
		}
	}
	return nil
}

// standsInBest reports whether one of the best candidates has a name.
func (r *Ranking) standsInBest(ctx context.Context, name analysis.AskedName) (bool, error) {
	best := r.candidates[:min(len(r.candidates), r.PassagesPerPage)]
	if err := r.readTextsOf(ctx, best); err != nil {
		return false, err
	}
	for i := range best {
		text, err := r.textWithNames(ctx, &best[i])
		if err != nil || name.PresenceIn(text) == analysis.NamePresent {
			return err == nil, err
		}
	}
	return false, nil
}

// findTaken finds the word in the best candidates that was taken for a name, if it is one word.
func (r *Ranking) findTaken(ctx context.Context, name analysis.AskedName) error {
	for i := range r.candidates[:min(len(r.candidates), r.PassagesPerPage)] {
		text, err := r.textWithNames(ctx, &r.candidates[i])
		if err != nil {
			return err
		}
		if word := name.WordAlikeIn(text); word != "" {
			r.taken = append(r.taken, word)
			return nil
		}
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
		standing := name.PresenceIn(text)
		if standing == analysis.NamePresent || standing == analysis.OnlySimilarName && i+1 == nearDepth {
			return false, nil // there, or perhaps among the candidates that follow
		}
		isAlike = isAlike || standing == analysis.OnlySimilarName
	}
	return isAlike, nil
}

// textWithNames returns the text of a candidate with the title and path of its document and its headings.
func (r *Ranking) textWithNames(ctx context.Context, c *search.Candidate) (string, error) {
	text, err := r.chunkText(ctx, &c.Chunk)
	return strings.Join(append([]string{c.Document.Title, c.Document.Path, text}, c.Heading...), "\n"), err
}
