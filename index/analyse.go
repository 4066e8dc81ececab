package index

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/embed"
)

// maxTermBytes bounds a term: longer runs of letters are base64 or hashes,
// which nobody types.
const maxTermBytes = 64

// terms splits text into the terms of the lexical index: lower-cased words
// with a light English plural stemmer (Harman's S stemmer, "How effective is
// suffixing?", 1991), and for scripts written without spaces every character
// and every pair of neighbours. The text is compared in Unicode NFKC form.
func terms(text string) []string {
	text = norm.NFKC.String(text)
	var out []string
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isUnspaced(r):
			end := i + runLength(text[i:], isUnspaced)
			out = appendGrams(out, text[i:end])
			i = end
		case isWord(r):
			end := i + runLength(text[i:], isWord)
			if end-i <= maxTermBytes {
				out = append(out, stem(strings.ToLower(text[i:end])))
			}
			i = end
		default:
			i += size
		}
	}
	return out
}

// isUnspaced tells the scripts that are written without spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
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

// stem takes the plural ending off an English word.
func stem(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's':
		return w
	case strings.HasSuffix(w, "ies") && w[n-4] != 'e' && w[n-4] != 'a':
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "es") && w[n-3] != 'a' && w[n-3] != 'e' && w[n-3] != 'o':
		return w[:n-1]
	case w[n-2] != 'u' && w[n-2] != 's' && w[n-2] != 'e':
		return w[:n-1]
	}
	return w
}

// functionPart is the weight of a function word in a question: in a small
// collection its document frequency alone would not tell it from a rare word.
const functionPart = 0.1

// queryTerms weighs the terms of a question: how often each stands in it,
// function words little.
func queryTerms(text string) map[string]float64 {
	weights := make(map[string]float64)
	for _, t := range terms(text) {
		if embed.IsFunction(t) {
			weights[t] += functionPart
		} else {
			weights[t]++
		}
	}
	return weights
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
