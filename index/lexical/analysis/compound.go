package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// compoundTerm returns the term of two adjacent words that are also written as one: hyphenated
// words, such as Wi-Fi and B-12, and a verb followed by a particle, such as set up. It returns ""
// for other words.
func compoundTerm(text string, before, r wordRun) string {
	if before.end == 0 || before.unspaced || r.unspaced || r.start-before.end > len(hyphen) || r.start == before.end {
		return ""
	}
	first, second := text[before.start:before.end], text[r.start:r.end]
	switch text[before.end:r.start] {
	case "-", hyphen:
		if _, isGreek := greekNames[FoldRune([]rune(first)[0])]; isGreek && utf8.RuneCountInString(first) == 1 {
			return "" // "β-blocker" is beta blocker
		}
		if isNumeral(first) || !unicode.IsLetter(rune(first[0])) && first[0] < utf8.RuneSelf {
			return ""
		}
		return closedTerm(foldWord(first), foldWord(second))
	case "·", "⋅": // N·m is Nm
		if len(first)+len(second) <= 2*len("mol") {
			return closedTerm(foldWord(first), foldWord(second))
		}
	case " ":
		if isParticle(second) && isVerb(first, second) {
			return closedTerm(termOfWord(first), second)
		}
	}
	return ""
}

// closedForm returns the term of a compound that is written as two words in a text. The words are
// terms too. The closed form is ignored in the search for similar words.
func closedForm(compound string) string { return string(stemField) + "=:" + compound }

// hyphen is the Unicode hyphen. Keyboards have only the hyphen-minus, which is also a minus sign.
const hyphen = "\u2010"

// closedTerm returns the term of two words written as one, or "" if it would be too long.
func closedTerm(first, second string) string {
	if len(first)+len(second) > maxTermBytes {
		return ""
	}
	return stemEnglishWord(first + second)
}

// isParticle reports whether a word is an English particle used in phrasal verbs.
func isParticle(word string) bool {
	switch word {
	case "up", "out", "off", "down", "over", "back", "away", "in", "on":
		return true
	}
	return false
}

// isVerb reports whether a word may be a verb before a particle. Many words can precede in and on,
// so only the few verbs combined with them are accepted.
func isVerb(word, particle string) bool {
	if len(word) < 2 || len(word) > maxTermBytes {
		return false
	}
	if particle == "in" || particle == "on" {
		switch termOfWord(word) {
		case "log", "sign", "plug", "check", "add", "drop", "opt", "roll", "built", "follow", "stand":
			return true
		}
		return false
	}
	return !script.IsFunctionWord(strings.ToLower(word))
}

// openCompound returns the term of two words of a query that may also be written as one, or "" for
// other words.
func openCompound(text string, before, r wordRun) string {
	if t := compoundTerm(text, before, r); t != "" {
		return t
	}
	if before.unspaced || r.start != before.end+1 || text[before.end] != ' ' {
		return ""
	}
	first, second := text[before.start:before.end], text[r.start:r.end]
	if !isContentWord(first) || !isContentWord(second) {
		return ""
	}
	return closedTerm(foldWord(first), foldWord(second))
}

func isContentWord(word string) bool {
	return len(word) > 1 && runLength(word, unicode.IsLetter) == len(word) && !script.IsFunctionWord(strings.ToLower(word))
}
