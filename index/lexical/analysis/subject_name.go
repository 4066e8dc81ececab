package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// leastSubject is the minimum length of a Chinese name that a question is about. Two characters that are in
// no list are an ordinary word more often than a name, unless they begin with a surname.
const leastSubject = 3

// verbMarkers are the words after which an English verb follows rather than a name.
var verbMarkers = map[string]bool{"i": true, "you": true, "we": true, "they": true, "he": true, "she": true, "it": true, "can": true, "not": true}

// HasUnknownSubject reports whether one of the unknown words of a question is a name that the question
// is about, so that texts with all of its other words do not answer it. Such a name has a capital amid
// English or Chinese words or with digits, or it is the only possible name of the question: all else
// ("dose", "renal impairment") can be said of anything.
func HasUnknownSubject(question string, unknown []string) bool {
	if slices.ContainsFunc(unknown, NamesSingleThing) && !hasKnownNumber(question, unknown) {
		return true
	}
	names := questionNames{unknown: unknown}
	before := ""
	text := normalizeQuestion(question)
	rows, forms := functionRows(text), addressSpans(text)
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		switch {
		case isAddressForm(forms, r):
			continue
		case r.unspaced:
			names.addRun(word)
		case isFunctionWordIn(rows, word):
			names.isEnglish = names.isEnglish || script.IsFunctionWord(strings.ToLower(word))
		case !verbMarkers[before]:
			names.addWord(word)
		}
		before = strings.ToLower(word)
	}
	return names.hasUnknown && !names.hasKnown || names.hasCapital && (names.hasHan || names.hasSmall && names.isEnglish)
}

// questionNames says which possible names a question has.
type questionNames struct {
	unknown    []string
	hasUnknown bool // a possible name is unknown
	hasKnown   bool // a possible name is known
	hasCapital bool // an unknown name has a capital
	hasSmall   bool // a word before an unknown name has no capital, so that capitals tell names
	isEnglish  bool // it has English function words; in German, capitals do not tell names
	hasHan     bool
}

// addWord adds a word in a script with spaces.
func (n *questionNames) addWord(word string) {
	first, _ := utf8.DecodeRuneInString(word)
	isUnknown := slices.Contains(n.unknown, word)
	switch {
	case !isNameTerm(termOfWord(word)):
	case !isUnknown:
		n.hasKnown = true
	case unicode.IsUpper(first):
		n.hasUnknown, n.hasCapital = true, true
	default:
		n.hasUnknown = true
	}
	if !n.hasCapital && unicode.IsLower(first) {
		n.hasSmall = true
	}
}

// addRun adds a run in a script without spaces.
func (n *questionNames) addRun(run string) {
	n.hasHan = n.hasHan || strings.ContainsFunc(run, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	characters := []rune(foldWord(run))
	if utf8.RuneCountInString(run) != len(characters) {
		return
	}
	written := []rune(run)
	for _, s := range nameSpansIn(characters, markAskingPhrases(characters)) {
		name := string(written[s.start:s.end])
		at := slices.IndexFunc(n.unknown, func(word string) bool { return strings.Contains(name, word) || strings.Contains(word, name) })
		if at >= 0 {
			n.hasUnknown = n.hasUnknown || utf8.RuneCountInString(n.unknown[at]) >= leastSubject || n.unknown[at] == name && isSurname(characters[s.start])
		} else if s.length() > 2 || s.length() == len(characters) {
			n.hasKnown = true
		}
	}
}
