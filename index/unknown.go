package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/embed"
)

// unknown lists the words of a question that occur nowhere, nor anything
// written much like them: the reader should know that the answer does without
// them. In Chinese these are the runs of characters of which no neighbours
// occur together.
func (st *store) unknown(text string) []string {
	st.mu.RLock()
	defer st.mu.RUnlock()
	var out []string
	for run, unspaced := range runs(text) {
		if unspaced {
			out = append(out, st.postings.unknownRuns(run)...)
		} else if !st.postings.knowsWord(run) {
			out = append(out, run)
		}
	}
	return out
}

func (p *postings) knows(term string) bool { return p.frequency(p.list(term)) > 0 }

func (p *postings) knowsWord(word string) bool {
	t := term(word)
	if embed.IsFunction(strings.ToLower(word)) || embed.IsFunction(t) || p.knows(t) || !strings.ContainsFunc(word, unicode.IsLetter) {
		return true
	}
	for _, part := range identifierParts(word) {
		if p.knows(term(part)) {
			return true
		}
	}
	return slices.ContainsFunc(p.words.like(t), func(k kin) bool { return isMeant(t, p.words.terms[k.id]) })
}

// unknownRuns finds the parts of a run that no pair of neighbours covers.
func (p *postings) unknownRuns(run string) []string {
	runes := []rune(run)
	covered := make([]bool, len(runes)+1) // the last ends the last part
	covered[len(runes)] = true
	for i := range runes {
		if embed.IsFunction(string(runes[i])) {
			covered[i] = true
		}
		if i > 0 && p.knows(fold(string(runes[i-1:i+1]))) {
			covered[i-1], covered[i] = true, true
		}
	}
	var out []string
	start := 0
	for i, ok := range covered {
		if !ok {
			continue
		}
		if part := string(runes[start:i]); i-start > 1 || i-start == 1 && !p.knows(fold(part)) {
			out = append(out, part)
		}
		start = i + 1
	}
	return out
}

// quoted lists the phrases of a question that stand in quotation marks, and
// are longer than a character.
func quoted(text string) []string {
	marks := map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』'}
	var out []string
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		closing, ok := marks[r]
		if !ok {
			continue
		}
		phrase, after, found := strings.Cut(rest, string(closing))
		if !found {
			continue
		}
		rest = after
		if phrase = plain(phrase); utf8.RuneCountInString(phrase) > 1 {
			out = append(out, phrase)
		}
	}
	return out
}

// plain is a text for comparison: folded, with single spaces.
func plain(text string) string {
	var words []string
	for run := range runs(text) {
		words = append(words, fold(run))
	}
	return strings.Join(words, " ")
}
