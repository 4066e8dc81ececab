// Package sentence decides which full stops end a sentence, and which belong to an abbreviation or an
// ordinal number.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsPartOfWord reports whether the full stop at text[dot] belongs to the word before it, as in "Dr. Ito",
// "No. 5", "Co. KG", "30. November" and "im 3. Quartal", or to a short field of a BibTeX entry, as in
// "booktitle={Proc. OCEANS}", and therefore ends no sentence.
func IsPartOfWord(text string, dot int) bool {
	return isAbbreviation(text, dot) || isInField(text, dot)
}

// isAbbreviation reports whether the word before the full stop at text[dot] includes it.
func isAbbreviation(text string, dot int) bool {
	word, before := wordBefore(text, dot)
	if word == "" {
		return false
	}
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return !lettered[strings.ToLower(lastWord(before))] // an initial, or a part of "z. B."
	}
	if isDayNumber(word) {
		return months[nextWord(text[dot+1:])] || germanArticles[strings.ToLower(lastWord(before))]
	}
	switch abbreviations()[strings.ToLower(word)] {
	case beforeWord:
		return true
	case beforeNumber:
		return startsReference(text[dot+1:])
	case beforeName:
		return !sentenceStarters[nextWord(text[dot+1:])]
	}
	return false
}

// isInField reports whether the full stop at text[dot] is in the braces of a short field of a BibTeX entry. A long
// one, such as an abstract, has sentences of its own.
func isInField(text string, dot int) bool {
	from, to := max(0, dot-longestField), min(len(text), dot+longestField)
	if strings.IndexByte(text[from:dot], '{') < 0 || strings.IndexByte(text[dot:to], '}') < 0 {
		return false
	}
	open, depth := dot, 0
	for depth >= 0 {
		if open--; open < from {
			return false
		}
		switch text[open] {
		case '}':
			depth++
		case '{':
			depth--
			if depth < 0 && !isFieldStart(text[from:open]) {
				depth = 0 // braces within the field
			}
		}
	}
	end := strings.IndexByte(text[dot:to], '}')
	return dot+end-open <= longestField
}

// isFieldStart reports whether a text ends with the name of a field and an equals sign.
func isFieldStart(text string) bool {
	name, isField := strings.CutSuffix(strings.TrimRight(text, " "), "=")
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(name, " "))
	return isField && unicode.IsLetter(r)
}

// Bounds on what is read around a full stop, in bytes.
const (
	longestField = 160
	longestWord  = 24
	longestSpace = 64
)

// wordBefore returns the word that ends at an offset, and the text before it; "" if the word is longer than
// any abbreviation.
func wordBefore(text string, end int) (word, before string) {
	from := max(0, end-longestWord)
	at := strings.LastIndexFunc(text[from:end], func(r rune) bool {
		return r != '.' && r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	if at < 0 {
		if from > 0 {
			return "", ""
		}
		return text[:end], ""
	}
	_, size := utf8.DecodeRuneInString(text[from+at:])
	at += from + size
	return text[at:end], text[:at]
}

// lastWord returns the word that ends a text, apart from white space.
func lastWord(text string) string {
	text = text[max(0, len(text)-longestSpace):]
	word, _ := wordBefore(text, len(strings.TrimRightFunc(text, unicode.IsSpace)))
	return word
}

// nextWord returns the word that begins a text, apart from white space, as it is written.
func nextWord(text string) string {
	text = strings.TrimLeftFunc(text[:min(len(text), longestSpace)], unicode.IsSpace)
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// isDayNumber reports whether a word is a number of one or two digits, such as that of a day.
func isDayNumber(word string) bool {
	return word != "" && len(word) <= 2 && strings.Trim(word, "0123456789") == ""
}

// startsReference reports whether a text begins with what an abbreviation such as "No." refers to: something
// with a digit, a section sign or a Roman number.
func startsReference(text string) bool {
	fields := strings.Fields(text[:min(len(text), longestSpace)])
	if len(fields) == 0 {
		return false
	}
	first := strings.TrimRight(fields[0], ".,;:)")
	return strings.ContainsAny(first, "0123456789§") || first != "" && strings.Trim(first, "IVXLC") == ""
}
