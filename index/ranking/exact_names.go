package ranking

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
	"vademecum/internal/base/script"
)

// lowerOtherForms lowers the scores of candidates that have only another form of a name in the question,
// such as "Peters" for "Peter", if another candidate has the name itself: words with the same stem count
// alike, but a different ending usually makes a name another one.
func (r *Ranking) lowerOtherForms(ctx context.Context, candidates []search.Candidate) error {
	for _, word := range capitalisedWords(r.Text) {
		name := newStemmedName(word)
		hasName, others := false, make([]*search.Candidate, 0, len(candidates))
		for i := range candidates {
			c := &candidates[i]
			text, err := r.chunkText(ctx, &c.Chunk)
			if err != nil {
				return err
			}
			switch inFull, inOtherForm := name.formsIn(text, c.Traits.Language); {
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

// stemmedName is a name with the terms that texts are searched for.
type stemmedName struct {
	name   string
	terms  map[string]float64
	filter analysis.TermPrefixFilter
}

func newStemmedName(name string) *stemmedName {
	n := &stemmedName{name: name, terms: analysis.NewQuestion(name).ContentTerms}
	for term := range n.terms {
		n.filter.Add(term)
	}
	return n
}

// formsIn reports whether a text has the name, and whether it has another word with the same stem.
func (n *stemmedName) formsIn(text string, language script.Language) (inFull, inOtherForm bool) {
	for at, term := range analysis.TermOccurrences(language, text, &n.filter) {
		if n.terms[term] == 0 {
			continue
		}
		word := text[at:]
		if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			word = word[:end]
		}
		if strings.EqualFold(word, n.name) {
			return true, false
		}
		inOtherForm = true
	}
	return false, inOtherForm
}

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
