package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// CommonWordName is a name in a question that consists of words which are common in lower case, such as Will or
// Grace Long, so that its terms do not tell it.
type CommonWordName struct {
	words   []string
	isMonth bool
}

// monthsAndNames are names of months that are also names of people.
var monthsAndNames = strings.Fields("April May June August")

// timeWords precede the name of a month.
var timeWords = strings.Fields("in since until till by from to last next before after during early late mid every each this")

// CommonWordNameIn returns the only name of common words in a question; ok is false if it has none, or other
// names. Such a name has a capital amid words without, and does not begin the question, unless it is a
// possessive.
func CommonWordNameIn(question string) (name CommonWordName, ok bool) {
	words := onlyCapitalisedWords(normalizeQuestion(question))
	if len(words) == 0 {
		return CommonWordName{}, false
	}
	var terms []string
	hasCommon := len(words) > 1
	for _, word := range words {
		terms = append(terms, termOfWord(word))
		hasCommon = hasCommon || isCommonTerm(termOfWord(word)) || script.IsFunctionWord(strings.ToLower(word))
	}
	isOther := func(name []string) bool { return len(name) != 1 || !slices.Contains(terms, name[0]) }
	if !hasCommon || slices.ContainsFunc(NewQuestion(question).PossibleNames, isOther) {
		return CommonWordName{}, false
	}
	return CommonWordName{words: words, isMonth: len(words) == 1 && slices.Contains(monthsAndNames, words[0])}, true
}

// onlyCapitalisedWords returns the words with a capital in a normalised question if they stand in a row, amid more
// words without; nil otherwise, or if they are a month.
func onlyCapitalisedWords(text string) (words []string) {
	var before wordRun
	others, isOpen := 0, false
	for r := range runsOf(text) {
		isName := mayBeCapitalisedName(text, before, r)
		switch {
		case !isName:
			others++
		case isMonthIn(text, before, r) || len(words) > 0 && (!isOpen || text[before.end:r.start] != " "):
			return nil
		default:
			words = append(words, text[r.start:r.end])
		}
		isOpen, before = isName, r
	}
	if len(words) >= others {
		return nil
	}
	return words
}

// mayBeCapitalisedName reports whether a word of a question may be a name by its capital: one that does not begin
// the question or a sentence, unless it is a possessive.
func mayBeCapitalisedName(text string, before, r wordRun) bool {
	word := text[r.start:r.end]
	first, size := utf8.DecodeRuneInString(word)
	if r.unspaced || !unicode.IsUpper(first) || len(word) <= 2 || strings.ToLower(word[size:]) != word[size:] {
		return false
	}
	begins := before.end == 0 || strings.ContainsAny(text[before.end:r.start], ".?!:\n")
	return !begins || strings.HasPrefix(text[r.end:], "'s")
}

// isMonthIn reports whether a word of a question is a month by what stands beside it: a word for a time, or a
// number. "of May" may also be a person.
func isMonthIn(text string, before, r wordRun) bool {
	if months[strings.ToLower(text[r.start:r.end])] == 0 {
		return false
	}
	isAfterTime := slices.Contains(timeWords, strings.ToLower(text[before.start:before.end]))
	_, n := parseDigits(text[before.start:before.end], 2)
	isAfterDay := n > 0 && n == before.end-before.start && strings.Trim(text[before.end:r.start], ". ") == ""
	return isAfterTime || isAfterDay || strings.ContainsAny(text[r.end:min(len(text), r.end+2)], "0123456789")
}

// IsIn reports whether a text has the name with its capitals: not as the first word of a sentence that
// goes on, nor as a month.
func (n CommonWordName) IsIn(text string) bool {
	for start, end := range occurrencesOf(text, strings.Join(n.words, " ")) {
		if n.standsAt(text, start, end) {
			return true
		}
	}
	return false
}

// standsAt reports whether what is at a place of a text is the name.
func (n CommonWordName) standsAt(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	if unicode.IsLetter(before) && !script.IsUnspaced(before) || unicode.IsLetter(after) && !script.IsUnspaced(after) {
		return false
	}
	preceding := strings.TrimRight(text[:start], " ")
	if n.isMonth {
		last := strings.ToLower(preceding[strings.LastIndexAny(preceding, " \n")+1:])
		if last == "of" || slices.Contains(timeWords, last) || unicode.IsDigit(firstRuneOf(strings.TrimLeft(text[end:], " "))) {
			return false
		}
	}
	isFirst := preceding == "" || strings.ContainsRune(".?!\n#", lastRuneOf(preceding))
	return len(n.words) > 1 || !isFirst || after != ' ' || !unicode.IsLower(firstRuneOf(strings.TrimLeft(text[end:], " ")))
}

func firstRuneOf(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

func lastRuneOf(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}
