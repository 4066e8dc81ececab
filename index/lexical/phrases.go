package lexical

import (
	"strings"
	"unicode/utf8"

	"vademecum/internal/script"
)

// Phrases are what a passage must hold to the letter, folded, with single spaces
// between words.
type Phrases []string

// Quoted lists the phrases of a question that stand in quotation marks, and are
// longer than a character.
func Quoted(question string) Phrases {
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
		if phrase = plain(phrase); utf8.RuneCountInString(phrase) > 1 {
			out = append(out, phrase)
		}
	}
	return out
}

// plain is a text for comparison: folded, with single spaces between words.
func plain(text string) string {
	var out strings.Builder
	before := true // the run before was of writing without spaces
	for run, unspaced := range runs(text) {
		if out.Len() > 0 && !(before && unspaced) {
			out.WriteByte(' ')
		}
		out.WriteString(fold(run))
		before = unspaced
	}
	return out.String()
}

// AllIn tells whether a text holds all phrases, at the borders of words.
func (all Phrases) AllIn(text string) bool {
	text = " " + plain(text) + " "
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
