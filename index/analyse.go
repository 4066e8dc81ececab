package index

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"

	"vademecum/embed"
)

// maxTermBytes bounds a term: longer runs of letters are base64 or hashes,
// which nobody types.
const maxTermBytes = 64

// terms splits text into the terms of the lexical index, folded: English words
// by their stems, identifiers whole and in parts, and for scripts written
// without spaces every character and every pair of neighbours.
func terms(text string) []string {
	var out []string
	for run, unspaced := range runs(text) {
		if unspaced {
			out = appendGrams(out, fold(run))
		} else {
			out = appendWord(out, run)
		}
	}
	return out
}

// runs yields the words of a text, and the runs of characters that are written
// without spaces, in Unicode form NFKC.
func runs(text string) iter.Seq2[string, bool] {
	if !isASCII(text) {
		text = norm.NFKC.String(text)
	}
	return func(yield func(string, bool) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			in := isWord
			if isUnspaced(r) {
				in = isUnspaced
			} else if !isWord(r) {
				i += size
				continue
			}
			end := i + runLength(text[i:], in)
			if run := strings.Trim(text[i:end], "_"); run != "" && !yield(run, isUnspaced(r)) {
				return
			}
			i = end
		}
	}
}

// spacedShare is how much of a text is of writing with spaces, 0 to 1.
func spacedShare(text string) float64 {
	spaced, all := 0, 0
	for run, unspaced := range runs(text) {
		n := utf8.RuneCountInString(run)
		all += n
		if !unspaced {
			spaced += n
		}
	}
	return float64(spaced) / float64(max(all, 1))
}

// appendWord adds a word's stem, and the parts of an identifier beside it.
func appendWord(out []string, word string) []string {
	if len(word) > maxTermBytes {
		return out
	}
	out = append(out, term(word))
	parts := identifierParts(word)
	if len(parts) < 2 {
		return out
	}
	for _, part := range parts {
		out = append(out, term(part))
	}
	return out
}

func term(word string) string {
	folded := fold(word)
	if name, ok := greekNames[folded]; ok {
		return name
	}
	return stem(folded)
}

// identifierParts splits camelCase, snake_case and a number from its unit:
// "runTarget", "run_target", "XMLParser", "5mg". A code such as "E11000" has no
// seam.
func identifierParts(word string) []string {
	var parts []string
	start := 0
	runes := []rune(word)
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !splits(runes, i) {
			continue
		}
		if part := strings.Trim(string(runes[start:i]), "_"); part != "" {
			parts = append(parts, part)
		}
		start = i
	}
	return parts
}

// splits tells whether an identifier has a seam before its i-th character.
func splits(runes []rune, i int) bool {
	before, at := runes[i-1], runes[i]
	switch {
	case before == '_' || at == '_':
		return true
	case unicode.IsLower(before) && unicode.IsUpper(at):
		return true
	case unicode.IsUpper(before) && unicode.IsUpper(at):
		return i+1 < len(runes) && unicode.IsLower(runes[i+1]) // XMLParser
	}
	return unicode.IsDigit(before) && unicode.IsLetter(at) && leadingDigits(runes) == i // 5mg
}

func leadingDigits(runes []rune) int {
	for i, r := range runes {
		if !unicode.IsDigit(r) {
			return i
		}
	}
	return len(runes)
}

// isUnspaced tells the scripts that are written without spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return !isUnspaced(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

func runLength(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}

// appendGrams adds each character of run and each pair of neighbours.
func appendGrams(out []string, run string) []string {
	previous := -1
	for i, r := range run {
		end := i + utf8.RuneLen(r)
		out = append(out, run[i:end])
		if previous >= 0 {
			out = append(out, run[previous:end])
		}
		previous = i
	}
	return out
}

// stems remembers stems: a few thousand words make up most of any text.
var stems = stemCache{known: make(map[string]string)}

type stemCache struct {
	mu    sync.RWMutex
	known map[string]string
}

// most is how many words are remembered.
const mostStems = 1 << 16

// stem takes the endings off an English word, by Porter's second algorithm
// (https://snowballstem.org/algorithms/english/stemmer.html). Words with
// digits or letters of other languages stay as they are.
func stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	stems.mu.RLock()
	s, ok := stems.known[w]
	stems.mu.RUnlock()
	if ok {
		return s
	}
	s = english.Stem(w, false)
	stems.mu.Lock()
	defer stems.mu.Unlock()
	if len(stems.known) >= mostStems {
		clear(stems.known)
	}
	stems.known[strings.Clone(w)] = s
	return s
}

// functionPart is the weight of a function word in a question: in a small
// collection its document frequency alone would not tell it from a rare word.
const functionPart = 0.1

// question is the weighted terms of a query, by how often each stands in it.
type question struct {
	content map[string]float64 // any of them is a reason to answer
	support map[string]float64 // only add to what the others found: function words, single characters of longer runs
}

func newQuestion(text string) question {
	q := question{content: make(map[string]float64), support: make(map[string]float64)}
	for run, unspaced := range runs(text) {
		alone := utf8.RuneCountInString(run) == 1
		for _, t := range terms(run) {
			switch {
			case embed.IsFunction(t):
				q.support[t] += functionPart
			case unspaced && !alone && utf8.RuneCountInString(t) == 1:
				q.support[t]++
			default:
				q.content[t]++
			}
		}
	}
	if len(q.content) == 0 {
		return question{content: q.support}
	}
	return q
}

// termCounts is the terms of one chunk with how often each stands in it, in
// the form that the catalogue keeps: for each term, sorted, its length, its
// bytes and its count, numbers as unsigned varints.
type termCounts []byte

// countTerms analyses the texts of one chunk.
func countTerms(texts ...string) termCounts {
	counts := make(map[string]int)
	for _, text := range texts {
		for _, t := range terms(text) {
			counts[t]++
		}
	}
	var out termCounts
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
		out = binary.AppendUvarint(out, uint64(counts[t]))
	}
	return out
}

// each calls f with every term and its count.
func (c termCounts) each(f func(term []byte, n int)) error {
	r := reader{rest: c}
	for len(r.rest) > 0 && r.err == nil {
		term := r.bytes()
		n := r.number()
		if r.err == nil {
			f(term, n)
		}
	}
	return r.err
}
