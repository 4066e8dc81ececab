package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// Phrases are texts that a passage must contain literally. They are folded, with single spaces between
// words.
type Phrases []string

// QuotedPhrases returns the phrases in quotation marks of a query that have more than one
// character.
func QuotedPhrases(question string) Phrases {
	marks := map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』'}
	var out Phrases
	for rest := question; rest != ""; {
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
		if phrase = FoldText(phrase); utf8.RuneCountInString(phrase) > 1 {
			out = append(out, phrase)
		}
	}
	return out
}

// FoldText folds a text for comparison, with single spaces between words.
func FoldText(text string) string {
	var out strings.Builder
	before := true // whether the previous run was in a script without spaces
	for run, unspaced := range wordsAndRuns(text) {
		if out.Len() > 0 && !(before && unspaced) {
			out.WriteByte(' ')
		}
		out.WriteString(foldWord(run))
		before = unspaced
	}
	return out.String()
}

// AreAllIn reports whether a text contains all phrases, at word boundaries.
func (all Phrases) AreAllIn(text string) bool {
	text = " " + FoldText(text) + " "
	for _, p := range all {
		if first, _ := utf8.DecodeRuneInString(p); !script.IsUnspaced(first) {
			p = " " + p
		}
		if last, _ := utf8.DecodeLastRuneInString(p); !script.IsUnspaced(last) {
			p += " "
		}
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// WordSequence is the sequence of terms of the words of a query, including function words. It omits
// scripts without spaces, for which pairs of adjacent characters are terms.
type WordSequence []string

// NewWordSequence analyses a query. It returns nil for a single word, which is not a phrase.
func NewWordSequence(question string) WordSequence {
	var words WordSequence
	content := 0
	for run, unspaced := range wordsAndRuns(question) {
		if unspaced {
			continue
		}
		t := termOfWord(run)
		if t == "" { // the word consists only of accents
			continue
		}
		words = append(words, t)
		if !IsFunctionTerm(t) {
			content++
		}
	}
	if content == 0 || len(words) < 2 {
		return nil
	}
	return words[:min(len(words), longestSought)]
}

// longestSought is the maximum number of words of a query in a WordSequence. A whole page given as
// a query is not a phrase.
const longestSought = 64

// LongestRunShare returns the share of the query covered by the longest sequence of its words in a
// text, which is given in pieces: 1 means the whole query, 0 fewer than two words.
func (q WordSequence) LongestRunShare(pieces ...string) float64 {
	longest := 0
	ending := make([]int, len(q)+1) // length of the sequence that ends before each word of q
	isRun := false                  // whether ending has values other than 0
	for _, text := range pieces {
		for word, unspaced := range wordsAndRuns(text) {
			t := ""
			if !unspaced && q.mayHave(word) {
				t = termOfWord(word)
			}
			if !slices.Contains(q, t) { // like most words; q never contains ""
				if isRun {
					clear(ending)
					isRun = false
				}
				continue
			}
			isRun = true
			for i := len(q); i > 0; i-- {
				if q[i-1] != t {
					ending[i] = 0
					continue
				}
				ending[i] = ending[i-1] + 1
				longest = max(longest, ending[i])
			}
		}
	}
	return float64(max(0, longest-1)) / float64(max(1, len(q)-1))
}

// mayHave reports, by a fast check, whether a word may be one of the query: most words begin differently and
// need not be stemmed. It cannot exclude words with accents, or with ae and oe, which have two
// spellings.
func (q WordSequence) mayHave(word string) bool {
	if word[0] >= utf8.RuneSelf || len(word) < 2 || word[1] >= utf8.RuneSelf {
		return true
	}
	first, second := lowerByte(word[0]), lowerByte(word[1])
	if second == 'e' && (first == 'a' || first == 'o') || len(word) > 2 && lowerByte(word[2]) == 'e' && (second == 'a' || second == 'o') {
		return true
	}
	return slices.ContainsFunc(q, func(t string) bool { return t[0] == first && (len(t) == 1 || t[1] == second) })
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}
