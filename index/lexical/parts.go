package lexical

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/script"
)

// Parts are what the words of a question are made of: the characters of what is
// written without spaces, and the letters of the other words.
type Parts struct {
	characters Marks
	words      []string // folded
}

// NewParts analyses a question. Function words have no parts, nor has what only asks.
func NewParts(question string) Parts {
	p := Parts{characters: make(Marks)}
	text := normal(question)
	for r := range runsOf(text) {
		run := fold(text[r.start:r.end])
		if !r.unspaced {
			if utf8.RuneCountInString(run) >= shortestPart && !script.IsFunction(run) && len(p.words) < longestSought {
				p.words = append(p.words, run)
			}
			continue
		}
		characters := []rune(run)
		asks := asking(characters)
		for i, c := range characters {
			if !asks[i] && !isFunction(string(c)) {
				p.characters[string(c)] = true
			}
		}
	}
	return p
}

// What two words must share to be related by a part, in characters: one of them is all
// of the part, or else it is longer.
const (
	shortestPart = 3
	sharedPart   = 5
)

// In lists where a text has them, as Marks does.
func (p Parts) In(text string) (spans [][2]int) {
	if len(p.words) == 0 && len(p.characters) == 0 {
		return nil
	}
	for r := range runsOf(text) {
		if run := text[r.start:r.end]; r.unspaced {
			spans = p.characters.addCharacters(spans, run, r.start)
		} else if p.isRelated(fold(norm.NFKC.String(run))) {
			spans = joinSpan(spans, r.start, r.end)
		}
	}
	return spans
}

// isRelated tells whether a word shares a part with one of the question.
func (p Parts) isRelated(word string) bool {
	if utf8.RuneCountInString(word) < shortestPart || len(word) > maxTermBytes || script.IsFunction(word) {
		return false
	}
	return slices.ContainsFunc(p.words, func(asked string) bool {
		return strings.Contains(word, asked) || strings.Contains(asked, word) || share(asked, word)
	})
}

// share tells whether two words have so many letters in a row.
func share(a, b string) bool {
	letters := []rune(a)
	for i := sharedPart; i <= len(letters); i++ {
		if strings.Contains(b, string(letters[i-sharedPart:i])) {
			return true
		}
	}
	return false
}
