package index

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
)

// TextRun is a part of a text. IsQueryWord means that it is a word of the query, IsRelatedWord that it
// is similar to one, or shares a part with one, and counts too.
type TextRun struct {
	Text                       string
	IsQueryWord, IsRelatedWord bool
}

// HighlightWords are the words of questions that are highlighted in a text.
type HighlightWords struct {
	marks  analysis.HighlightTerms
	beside analysis.HighlightTerms // words similar to those of the query, which count too
	parts  analysis.WordParts      // parts of the query's words, by which related passages are found; zero unless set by WithWordParts
}

// NewHighlightWords returns the words of a question and its other wordings.
func NewHighlightWords(question string, otherWordings ...string) HighlightWords {
	return HighlightWords{marks: analysis.NewHighlightTerms(append([]string{question}, otherWordings...)...)}
}

// HighlightWords returns the words of the answered query and its other wordings, with the similar
// words that were found instead of them or in addition.
func (a Answer) HighlightWords(question string, otherWordings ...string) HighlightWords {
	w := NewHighlightWords(question, otherWordings...)
	w.beside = make(analysis.HighlightTerms)
	for _, alike := range a.Expansions {
		if alike.ReplacesQueryTerm || alike.IsCompound || shareBeginning(alike.QueryTerm, alike.Term) {
			w.beside[alike.Term] = true
		}
	}
	return w
}

// shareBeginning reports whether two words are similar enough for people to see why one counts in
// addition to the other, like mammogram and mammography. Words like invent and stent are too
// different to highlight.
func shareBeginning(a, b string) bool {
	const alike = 4 // bytes
	return len(a) >= alike && strings.HasPrefix(b, a[:alike])
}

// WithRelated adds words that were found in addition to those of the query.
func (w HighlightWords) WithRelated(words ...string) HighlightWords {
	w.beside = analysis.NewHighlightTerms(words...)
	return w
}

// WithWordParts adds the parts of the words of a query, by which related passages are found.
func (w HighlightWords) WithWordParts(question string) HighlightWords {
	w.parts = analysis.NewWordParts(question)
	return w
}

// SplitText splits a text at the highlighted words. The runs concatenated are the text.
func (w HighlightWords) SplitText(text string) (runs []TextRun) {
	at := 0
	for _, s := range w.marks.SpansIn(text) {
		runs = append(w.splitRelated(runs, text[at:s[0]]), TextRun{Text: text[s[0]:s[1]], IsQueryWord: true})
		at = s[1]
	}
	return w.splitRelated(runs, text[at:])
}

// splitRelated adds the runs of a text that contains no word of the query.
func (w HighlightWords) splitRelated(runs []TextRun, text string) []TextRun {
	spans := append(w.beside.SpansIn(text), w.parts.SpansIn(text)...)
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	at := 0
	for _, s := range spans {
		if s[0] < at {
			continue // both a similar word and a part of a word
		}
		if at < s[0] {
			runs = append(runs, TextRun{Text: text[at:s[0]]})
		}
		runs = append(runs, TextRun{Text: text[s[0]:s[1]], IsRelatedWord: true})
		at = s[1]
	}
	if at < len(text) {
		runs = append(runs, TextRun{Text: text[at:]})
	}
	return runs
}

// Substitution is a word of a question that occurs nowhere, and the words found instead.
type Substitution struct {
	Word         string
	Replacements []string
}

// mostInstead is the maximum number of words named for each word that occurs nowhere.
const mostInstead = 4

// Substitutions returns the words of the question that were replaced by others, with the
// replacements as spelled in the passages.
func (a Answer) Substitutions(question string) (all []Substitution) {
	at := make(map[string]int)
	for _, alike := range a.Expansions {
		if !alike.ReplacesQueryTerm {
			continue
		}
		i, known := at[alike.QueryTerm]
		if !known {
			words := analysis.HighlightTerms{alike.QueryTerm: true}.WordsIn(question)
			if len(words) == 0 {
				continue // the word belongs to another wording
			}
			i = len(all)
			at[alike.QueryTerm] = i
			all = append(all, Substitution{Word: words[0]})
		}
		all[i].addFound(analysis.HighlightTerms{alike.Term: true}, a.Passages)
	}
	return slices.DeleteFunc(all, func(t Substitution) bool { return len(t.Replacements) == 0 })
}

// addFound adds the words of the passages that match terms to the replacements, as spelled there.
func (t *Substitution) addFound(terms analysis.HighlightTerms, passages []Passage) {
	for _, p := range passages {
		for _, word := range terms.WordsIn(p.Text) {
			if len(t.Replacements) < mostInstead && !slices.Contains(t.Replacements, word) {
				t.Replacements = append(t.Replacements, word)
			}
		}
	}
}
