package ranking

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
)

// lowerOtherForms lowers the scores of candidates that have only another form of a name in the question,
// such as "Peters" for "Peter", if another candidate has the name itself: words with the same stem count
// alike, but a different ending usually makes a name another one.
func (r *Ranking) lowerOtherForms(ctx context.Context, candidates []search.Candidate) error {
	for _, name := range capitalisedWords(r.Text) {
		hasName, others := false, make([]*search.Candidate, 0, len(candidates))
		for i := range candidates {
			c := &candidates[i]
			text, err := r.chunkText(ctx, &c.Chunk)
			if err != nil {
				return err
			}
			switch inFull, inOtherForm := formsOf(name, c, text); {
			case inFull:
				hasName = true
			case inOtherForm:
				others = append(others, c)
			}
		}
		if !hasName {
			continue
		}
		for _, c := range others {
			if !c.HasOtherFormOfName {
				c.HasOtherFormOfName = true
				c.AddScore(byPhrase, -otherFormPart)
			}
		}
	}
	return nil
}

// capitalisedWords lists the words of a question that may be names by their first letters. The first word
// is none, as it begins the sentence.
func capitalisedWords(question string) (names []string) {
	words := strings.FieldsFunc(question, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		if i > 0 && unicode.IsUpper(first) && len(word) > size {
			names = append(names, word)
		}
	}
	return names
}

// formsOf reports whether a text has a name, and whether it has another word with the same stem.
func formsOf(name string, c *search.Candidate, text string) (inFull, inOtherForm bool) {
	terms := analysis.NewQuestion(name).ContentTerms
	var filter analysis.TermPrefixFilter
	for term := range terms {
		filter.Add(term)
	}
	for at, term := range analysis.TermOccurrences(c.Traits.Language, text, &filter) {
		if terms[term] == 0 {
			continue
		}
		word := text[at:]
		if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			word = word[:end]
		}
		if strings.EqualFold(word, name) {
			return true, false
		}
		inOtherForm = true
	}
	return false, inOtherForm
}
