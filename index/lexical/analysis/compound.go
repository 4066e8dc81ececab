package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// compoundTerm is the term of two words that are one to others: those that a hyphen joins,
// as Wi-Fi and B-12, and a verb with the particle behind it, as set up. It is "" where
// there are no such two.
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
	case " ":
		if isParticle(second) && isVerb(first, second) {
			return closedTerm(termOfWord(first), second)
		}
	}
	return ""
}

// closedForm is the term of a compound where a text writes it as two words. Its words are
// terms too: it is none that a word is like.
func closedForm(compound string) string { return string(stemField) + "=:" + compound }

// hyphen is what Unicode has for the sign that typewriters use for a minus too.
const hyphen = "\u2010"

// closedTerm is the term of two words as one.
func closedTerm(first, second string) string {
	if len(first)+len(second) > maxTermBytes {
		return ""
	}
	return stemEnglishWord(first + second)
}

// isParticle tells the particles of English that verbs are written together with.
func isParticle(word string) bool {
	switch word {
	case "up", "out", "off", "down", "over", "back", "away", "in", "on":
		return true
	}
	return false
}

// isVerb reports whether a word may be a verb with a particle. In and on stand behind most
// words: few are verbs that they are written together with.
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

// openCompound is the term of two words of a question that others may write as one, ""
// where there are no such two.
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
