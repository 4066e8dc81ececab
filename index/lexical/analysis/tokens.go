// Package analysis turns texts and queries, in any script, into terms: the terms of a chunk with
// their frequencies, the terms of a query with their weights, and the positions of the terms of a
// query in a text. It is independent of the index.
package analysis

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// maxTermBytes is the maximum length of a term. Longer runs of letters are base64 or hashes, which
// people do not type.
const maxTermBytes = 64

// appendTerms appends the terms of a text, folded: English words by their stems, identifiers as a
// whole and in parts, compounds also as one word, and, for scripts without spaces, every character
// and every pair of adjacent characters. No term is empty. The text must be normalised.
func appendTerms(out []string, text string) []string {
	before := wordRun{}
	for r := range runsOf(text) {
		if run := text[r.start:r.end]; r.unspaced {
			out = appendGrams(out, foldWord(run))
		} else {
			out = appendWord(out, run)
			if t := compoundTerm(text, before, r); t != "" {
				out = append(out, closedForm(t))
			}
		}
		before = r
	}
	return out
}

// normalize returns a text in Unicode form NFKC, without line breaks inside words, and with
// superscript numbers separated from words.
func normalize(text string) string {
	if isASCII(text) {
		return text
	}
	return joinLines(norm.NFKC.String(splitReferences(text)))
}

// normalizeQuestion is normalize for a query, and removes contracted negations: the first parts of
// "isn't" and "won't" are not words that a relevant text would contain.
func normalizeQuestion(question string) string {
	text := normalize(question)
	if !strings.ContainsAny(text, "'’") {
		return text
	}
	rest := contraction.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	if strings.TrimSpace(rest) == "" { // the query consists of nothing else
		return text
	}
	return rest
}

var contraction = lazyregexp.New(`(?i)\b(?:is|are|was|were|do|does|did|has|have|had|wo|ca|could|would|should|must|need|might|ai|sha)n['’]t\b`)

// wordsAndRuns normalises a text and yields its words, and its runs of characters in scripts
// without spaces. The second value reports whether it is such a run.
func wordsAndRuns(text string) iter.Seq2[string, bool] {
	text = normalize(text)
	return func(yield func(string, bool) bool) {
		for r := range runsOf(text) {
			if !yield(text[r.start:r.end], r.unspaced) {
				return
			}
		}
	}
}

// wordRun is the byte range of a word in a text, or of a run of characters in a script without
// spaces.
type wordRun struct {
	start, end int
	unspaced   bool
}

// runsOf yields the runs of a normalised text. A word contains at least one letter or digit:
// normalisation turns a free-standing accent, such as ¯ or ´, into a mere mark.
func runsOf(text string) iter.Seq[wordRun] {
	return func(yield func(wordRun) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			unspaced := r >= utf8.RuneSelf && script.IsUnspaced(r)
			if !unspaced && !isWord(r) {
				i += size
				continue
			}
			end := i
			if unspaced {
				end += runLength(text[i:], script.IsUnspaced)
			} else {
				end += wordLength(text[i:])
			}
			word := strings.TrimLeft(text[i:end], "_")
			start := end - len(word)
			word = strings.TrimRight(word, "_")
			if (unspaced || strings.ContainsFunc(word, isLetterOrDigit)) && !yield(wordRun{start, start + len(word), unspaced}) {
				return
			}
			i = end
		}
	}
}

// appendWord appends the stem of a word, and those of its parts if it is an identifier.
func appendWord(out []string, word string) []string {
	if len(word) > maxTermBytes {
		return out
	}
	out = append(out, termOfWord(word))
	if isPlainWord(word) {
		return out
	}
	parts := identifierParts(word)
	if len(parts) < 2 {
		return out
	}
	for _, part := range parts {
		if t := termOfWord(part); t != "" { // an accent may stand alone between two seams
			out = append(out, t)
		}
	}
	return out
}

// termOfWord returns the term of a word, or "" if it consists only of accents.
func termOfWord(word string) string {
	if isAcronyms(word) {
		word = word[:len(word)-1]
	}
	folded := foldWord(word)
	if r, size := utf8.DecodeRuneInString(folded); size > 1 && size == len(folded) {
		if name, ok := greekNames[r]; ok {
			return name
		}
	}
	return stemEnglishWord(folded)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[r]
	}
	return !script.IsUnspaced(r) && (isLetterOrDigit(r) || unicode.IsMark(r))
}

// asciiWord marks the ASCII characters that occur in words.
var asciiWord = func() (is [utf8.RuneSelf]bool) {
	for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" {
		is[r] = true
	}
	return is
}()

// wordLength returns the length of the word at the beginning of a text, in bytes.
func wordLength(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf {
			return i + runLength(text[i:], isWord)
		} else if !asciiWord[c] {
			return i
		}
	}
	return len(text)
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

// appendGrams appends each character of a run and each pair of adjacent characters.
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

// leastReferred is the minimum number of letters of a word for a superscript after it to be a
// reference. After a shorter word it is a power, as in m² and cm³.
const leastReferred = 4

// splitReferences inserts a space between a word and a superscript number, which NFKC would
// otherwise make a part of the word: "hypoglycaemia¹²".
func splitReferences(text string) string {
	if !hasSuperscript(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 8)
	letters := 0 // letters directly before the position
	for i, r := range text {
		if letters >= leastReferred && isSuperscript(r) {
			out.WriteByte(' ')
		}
		if unicode.IsLetter(r) {
			letters++
		} else if !unicode.IsMark(r) {
			letters = 0
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		out.WriteString(text[i : i+size])
	}
	return out.String()
}

// hasSuperscript is a fast check whether a text may contain a superscript digit.
func hasSuperscript(text string) bool {
	for _, s := range []string{"¹", "²", "³", "\xe2\x81"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func isSuperscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r == '⁰' || '⁴' <= r && r <= '⁹'
}
