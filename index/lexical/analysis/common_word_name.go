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
var timeWords = strings.Fields("in since until till by from to last next before after during early late mid every each this of")

// CommonWordNameIn returns the only name of common words in a question; ok is false if it has none, or other
// names. Such a name has a capital amid words without, and does not begin the question, unless it is a
// possessive.
func CommonWordNameIn(question string) (name CommonWordName, ok bool) {
	text := normalizeQuestion(question)
	var runs [][]string
	var before wordRun
	capitals, others, isOpen := 0, 0, false
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		first, size := utf8.DecodeRuneInString(word)
		isName := !r.unspaced && unicode.IsUpper(first) && len(word) > 2 && strings.ToLower(word[size:]) == word[size:]
		if isName && !strings.HasPrefix(text[r.end:], "'s") && (before.end == 0 || strings.ContainsAny(text[before.end:r.start], ".?!:\n")) {
			isName = false
		}
		switch {
		case isName && isOpen && text[before.end:r.start] == " ":
			runs[len(runs)-1] = append(runs[len(runs)-1], word)
			capitals++
		case isName:
			if months[strings.ToLower(word)] > 0 && (slices.Contains(timeWords[:len(timeWords)-1], strings.ToLower(text[before.start:before.end])) || strings.ContainsAny(text[r.end:min(len(text), r.end+2)], "0123456789")) {
				return CommonWordName{}, false
			}
			runs = append(runs, []string{word})
			capitals++
		default:
			others++
		}
		isOpen, before = isName, r
	}
	if len(runs) != 1 || capitals >= others {
		return CommonWordName{}, false
	}
	words := runs[0]
	var terms []string
	hasCommon := len(words) > 1
	for _, word := range words {
		terms = append(terms, termOfWord(word))
		hasCommon = hasCommon || isCommonTerm(termOfWord(word)) || script.IsFunctionWord(strings.ToLower(word))
	}
	isOfName := func(n []string) bool { return len(n) == 1 && slices.Contains(terms, n[0]) }
	if !hasCommon || slices.ContainsFunc(NewQuestion(question).PossibleNames, func(n []string) bool { return !isOfName(n) }) {
		return CommonWordName{}, false
	}
	return CommonWordName{words: words, isMonth: len(words) == 1 && slices.Contains(monthsAndNames, words[0])}, true
}

// IsIn reports whether a text has the name with its capitals: not as the first word of a sentence that
// goes on, nor as a month.
func (n CommonWordName) IsIn(text string) bool {
	name := strings.Join(n.words, " ")
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		if n.standsAt(text, start, end) {
			return true
		}
		at = end
	}
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
		if slices.Contains(timeWords, last) || unicode.IsDigit(firstRuneOf(strings.TrimLeft(text[end:], " "))) {
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
