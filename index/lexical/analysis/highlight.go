package analysis

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// HighlightTerms is the set of terms of queries that are highlighted in a text.
type HighlightTerms map[string]bool

// NewHighlightTerms returns the terms of queries that are highlighted: the content terms, but all
// terms of a query that has no content terms.
func NewHighlightTerms(questions ...string) HighlightTerms {
	all := make(HighlightTerms)
	for _, text := range questions {
		q := NewQuestion(text)
		for _, terms := range []map[string]float64{q.ContentTerms, q.OtherSpellings, q.NameTerms} {
			for t := range maps.Keys(terms) {
				all[t] = true
			}
		}
	}
	return all
}

// SpansIn returns the occurrences of the terms in a text, as pairs of byte offsets, in order and
// with gaps between them. If a query contains the number of an article, other terms do not match
// inside article numbers.
func (m HighlightTerms) SpansIn(text string) [][2]int {
	if len(m) == 0 {
		return nil
	}
	spans := m.wordsIn(text)
	if !m.hasOrdinal() || !strings.Contains(text, ordinalSign) {
		return spans
	}
	for _, w := range specialTokens(text) {
		if w.isPlace && strings.HasPrefix(text[w.start:], ordinalSign) {
			spans = cutSpan(spans, w.start, w.end, m[w.term])
		}
	}
	return spans
}

// ordinalSign begins the number of an article or similar unit in Chinese.
const ordinalSign = "第"

// hasOrdinal reports whether a term is the number of an article or similar unit.
func (m HighlightTerms) hasOrdinal() bool {
	for t := range m {
		unit, _, ok := strings.Cut(t, " ")
		if ok && Field(unit[0]) == specialField && ordinalNames[unit[1:]] {
			return true
		}
	}
	return false
}

// cutSpan removes the part of a text from start to end from spans. If isOne is set, it adds the part as
// a span of its own.
func cutSpan(spans [][2]int, start, end int, isOne bool) (cut [][2]int) {
	after := [][2]int{}
	for _, s := range spans {
		if s[0] < start {
			cut = append(cut, [2]int{s[0], min(s[1], start)})
		}
		if s[1] > end {
			after = append(after, [2]int{max(s[0], end), s[1]})
		}
	}
	if isOne {
		cut = joinSpan(cut, start, end)
	}
	for _, s := range after {
		cut = joinSpan(cut, s[0], s[1])
	}
	return cut
}

func (m HighlightTerms) wordsIn(text string) (spans [][2]int) {
	for r := range runsOf(text) {
		if run := text[r.start:r.end]; r.unspaced {
			spans = m.addCharacters(spans, run, r.start)
		} else if m.hasWord(run) {
			spans = joinSpan(spans, r.start, r.end)
		}
	}
	return spans
}

// WordsIn returns the distinct words at the spans of SpansIn, in lower case.
func (m HighlightTerms) WordsIn(text string) (words []string) {
	for _, s := range m.SpansIn(text) {
		if w := strings.ToLower(text[s[0]:s[1]]); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// hasWord reports whether a word is one of the terms, or contains one as an identifier part.
func (m HighlightTerms) hasWord(word string) bool {
	for _, t := range appendWord(nil, norm.NFKC.String(word)) {
		if m[t] {
			return true
		}
	}
	return false
}

// addCharacters adds spans for the pairs of adjacent characters and the single characters that are
// terms.
func (m HighlightTerms) addCharacters(spans [][2]int, run string, at int) [][2]int {
	before, from := "", 0
	for i, r := range run {
		end := i + utf8.RuneLen(r)
		one := foldWord(norm.NFKC.String(run[i:end]))
		switch {
		case before != "" && m[before+one]:
			spans = joinSpan(spans, at+from, at+end)
		case m[one]:
			spans = joinSpan(spans, at+i, at+end)
		}
		before, from = one, i
	}
	return spans
}

// joinSpan appends a span, or extends the last span if they touch.
func joinSpan(spans [][2]int, start, end int) [][2]int {
	if n := len(spans) - 1; n >= 0 && start <= spans[n][1] {
		spans[n][1] = max(spans[n][1], end)
		return spans
	}
	return append(spans, [2]int{start, end})
}

// WordParts holds the parts of the words of a query: characters in scripts without spaces, and
// other words, whose letters are compared.
type WordParts struct {
	characters HighlightTerms
	words      []string // folded
}

// NewWordParts analyses a query. Function words and question phrases have no parts.
func NewWordParts(question string) WordParts {
	p := WordParts{characters: make(HighlightTerms)}
	text := normalizeQuestion(question)
	for r := range runsOf(text) {
		run := foldWord(text[r.start:r.end])
		if !r.unspaced {
			if utf8.RuneCountInString(run) >= shortestPart && !script.IsFunctionWord(run) && len(p.words) < longestSought {
				p.words = append(p.words, run)
			}
			continue
		}
		characters := []rune(run)
		asks := markAskingPhrases(characters)
		for i, c := range characters {
			if !asks[i] && !IsFunctionTerm(string(c)) {
				p.characters[string(c)] = true
			}
		}
	}
	return p
}

// Minimum lengths, in characters, of a part shared by two related words: shortestPart if one of
// them is the whole part, otherwise sharedPart.
const (
	shortestPart = 3
	sharedPart   = 5
)

// SpansIn returns the occurrences of the parts in a text, like HighlightTerms.SpansIn.
func (p WordParts) SpansIn(text string) (spans [][2]int) {
	if len(p.words) == 0 && len(p.characters) == 0 {
		return nil
	}
	for r := range runsOf(text) {
		if run := text[r.start:r.end]; r.unspaced {
			spans = p.characters.addCharacters(spans, run, r.start)
		} else if p.isRelated(foldWord(norm.NFKC.String(run))) {
			spans = joinSpan(spans, r.start, r.end)
		}
	}
	return spans
}

// isRelated reports whether a word shares a part with a word of the query.
func (p WordParts) isRelated(word string) bool {
	if utf8.RuneCountInString(word) < shortestPart || len(word) > maxTermBytes || script.IsFunctionWord(word) {
		return false
	}
	return slices.ContainsFunc(p.words, func(asked string) bool {
		return strings.Contains(word, asked) || strings.Contains(asked, word) || shareLetters(asked, word)
	})
}

// shareLetters reports whether two words have sharedPart consecutive letters in common.
func shareLetters(a, b string) bool {
	letters := []rune(a)
	for i := sharedPart; i <= len(letters); i++ {
		if strings.Contains(b, string(letters[i-sharedPart:i])) {
			return true
		}
	}
	return false
}
