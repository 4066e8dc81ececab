// Package analysis turns texts and questions, in any writing, into terms: those by
// which a chunk is found and how often each stands in it, those of a question and what
// each weighs, and where a text has what a question asks for. It knows no index.
package analysis

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// maxTermBytes bounds a term: longer runs of letters are base64 or hashes,
// which nobody types.
const maxTermBytes = 64

// appendTerms adds the terms that a text is found by, folded: English words by their
// stems, identifiers whole and in parts, compounds as one word too, and for scripts
// written without spaces every character and every pair of neighbours. None is empty. The
// text is normal.
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

// normalize is a text in Unicode form NFKC, without the ends of lines that part what
// is one, and with words apart from the numbers of their notes.
func normalize(text string) string {
	if isASCII(text) {
		return text
	}
	return joinLines(norm.NFKC.String(splitReferences(text)))
}

// normalizeQuestion is normalize of a question, without negations that are joined to another word of
// function: of "isn't" and "won't" the first part is no word that a text would have for them.
func normalizeQuestion(question string) string {
	text := normalize(question)
	if !strings.ContainsAny(text, "'’") {
		return text
	}
	rest := contraction.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	if strings.TrimSpace(rest) == "" { // it asks for nothing else
		return text
	}
	return rest
}

var contraction = regexp.MustCompile(`(?i)\b(?:is|are|was|were|do|does|did|has|have|had|wo|ca|could|would|should|must|need|might|ai|sha)n['’]t\b`)

// wordsAndRuns yields the words of a text, and the runs of characters that are written
// without spaces, in the form that normal gives them.
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

// wordRun is where a word stands in a text, or characters that are written without
// spaces.
type wordRun struct {
	start, end int
	unspaced   bool
}

// runsOf yields the runs of a text that is normal. A word has a letter or a digit:
// of a free-standing accent, such as ¯ or ´, that form leaves only a mark.
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

// appendWord adds a word's stem, and the parts of an identifier beside it.
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

// termOfWord is what a word counts as, "" when that is accents only.
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

// asciiWord tells the characters below 128 of words.
var asciiWord = func() (is [utf8.RuneSelf]bool) {
	for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" {
		is[r] = true
	}
	return is
}()

// wordLength is the length of the word at the beginning of a text, in bytes.
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
