package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// Phrases are what a passage must contain literally, folded, with single spaces between words.
type Phrases []string

// QuotedPhrases lists the phrases of a question in quotation marks that are longer than a
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

// FoldText returns a text for comparison: folded, with single spaces between words.
func FoldText(text string) string {
	var out strings.Builder
	before := true // the previous run was of a script without spaces
	for run, unspaced := range wordsAndRuns(text) {
		if out.Len() > 0 && !(before && unspaced) {
			out.WriteByte(' ')
		}
		out.WriteString(foldWord(run))
		before = unspaced
	}
	return out.String()
}

// AllIn reports whether a text contains all phrases, at word boundaries.
func (all Phrases) AllIn(text string) bool {
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

// WordSequence is the words of a question in order, including function words. Scripts without
// spaces have none: there pairs of neighbours are terms.
type WordSequence []string

// NewWordSequence analyses a question. A single word is not a phrase.
func NewWordSequence(question string) WordSequence {
	var words WordSequence
	content := 0
	for run, unspaced := range wordsAndRuns(question) {
		if unspaced {
			continue
		}
		t := termOfWord(run)
		if t == "" { // only accents
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

// longestSought is the most words of a question that are searched: a page given as a question is
// not a phrase.
const longestSought = 64

// LongestRunShare returns the share of the question in the longest run of words that a text, in
// several pieces, has too: 1 is all of it, 0 fewer than two words.
func (q WordSequence) LongestRunShare(pieces ...string) float64 {
	longest := 0
	ending := make([]int, len(q)+1) // the length of the run that ends before each word of the question
	isRun := false                  // there is such a run
	for _, text := range pieces {
		for word, unspaced := range wordsAndRuns(text) {
			t := ""
			if !unspaced && q.mayHave(word) {
				t = termOfWord(word)
			}
			if !slices.Contains(q, t) { // as most: "" is none of them
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

// mayHave reports whether a word may be one of the question: most begin otherwise, and need not
// be stemmed. The bytes of letters with accents, and of æ and œ, which have two spellings, do not
// show it.
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
