package index

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/blob"
)

// maxTermBytes bounds a term: longer runs of letters are base64 or hashes,
// which nobody types.
const maxTermBytes = 64

// terms splits text into the terms of the lexical index, folded: English words
// by their stems, identifiers whole and in parts, and for scripts written
// without spaces every character and every pair of neighbours. None is empty.
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
// without spaces, in Unicode form NFKC. A word has a letter or a digit: of a
// free-standing accent, such as ¯ or ´, that form leaves only a mark.
func runs(text string) iter.Seq2[string, bool] {
	if !isASCII(text) {
		text = unwrap(norm.NFKC.String(text))
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
			run := strings.Trim(text[i:end], "_")
			if (isUnspaced(r) || strings.ContainsFunc(run, isLetterOrDigit)) && !yield(run, isUnspaced(r)) {
				return
			}
			i = end
		}
	}
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
		if t := term(part); t != "" { // an accent may stand alone between two seams
			out = append(out, t)
		}
	}
	return out
}

// term is what a word counts as, "" when that is accents only.
func term(word string) string {
	folded := fold(word)
	if name, ok := greekNames[folded]; ok {
		return name
	}
	return stem(folded)
}

// isUnspaced tells the scripts that are written without spaces between words.
// Korean has spaces, but its endings make pairs the better terms; the long
// vowel mark belongs to no script.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return !isUnspaced(r) && (isLetterOrDigit(r) || unicode.IsMark(r))
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	r := blob.Reader{Rest: c}
	for len(r.Rest) > 0 && r.Err == nil {
		term := r.Bytes()
		n := r.Number()
		if r.Err == nil {
			f(term, n)
		}
	}
	return r.Err
}
