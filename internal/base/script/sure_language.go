package script

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What prose shows of its language when that is sure. Of 30,900 pages of tldr in 37 languages
// these name that of the folder for 20,133, another for 10 (and Hindi for those in Nepali, which
// has its letters), and none for the others, which are lists of commands. Of 11,900 notes,
// slides, papers and lists of links in Chinese, English and German they name another language
// for one, and for two that are about Japanese.
const (
	leastDistinct = 3  // function words that differ
	leastShare    = 14 // one word in so many is a function word, at least
	leastInNote   = 2  // that differ in a note of a line or two, where
	shareInNote   = 7  // one word in so many is one, at least
	leastOwnTimes = 2  // times as many words that another language does not have, as that has of its own
	leastScript   = 6  // letters of a writing system that is that of one language
	scriptShare   = 4  // one letter in so many is one of them, at least
	leastWord     = 3  // letters in a word that is none of a formula or program
	persianShare  = 99 // one letter of Arabic in so many, at most, is one that only others have
)

// SureLanguageOf returns the language that the prose of a text is certainly in, or Unknown if
// it is too short, mixed, or no prose. Programs, tables and lists of links contain words that
// are function words of some language by chance ("com", "as", "v"), and LanguageOf takes the
// most frequent of them; this requires as many as sentences have.
func SureLanguageOf(text string) Language {
	c := countProse(text[:min(len(text), languageBytes)])
	if l := c.byLetters(); l != Unknown {
		return l
	}
	return c.byWords()
}

// proseCounts is what counts of the words that are written as sentences have them.
type proseCounts struct {
	words    int
	letters  int
	function map[string]int // how often each function word is there
	script   []int          // letters of writing systems, by the language that has one
	persian  int            // of those of Arabic, which other languages have beside it
}

func countProse(text string) *proseCounts {
	c := &proseCounts{function: make(map[string]int), script: make([]int, len(languages)+1)}
	isCode := false
	for line := range strings.Lines(text) {
		if isFence(line) {
			isCode = !isCode
			continue
		}
		if isCode {
			continue
		}
		c.addLine(line)
	}
	return c
}

// addLine counts the words of a line, but for those between backquotes, which are code.
func (c *proseCounts) addLine(line string) {
	isCode := false
	for part := range strings.SplitSeq(line, "`") {
		if !isCode {
			for field := range strings.FieldsSeq(part) {
				c.addField(field)
			}
		}
		isCode = !isCode
	}
}

// isFence reports whether a line begins or ends a code block in Markdown.
func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// addField counts a field between two spaces. Addresses, file names and the like have signs
// between their letters, and do not count.
func (c *proseCounts) addField(field string) {
	if c.addUnspaced(field) {
		return
	}
	for word := range strings.FieldsFuncSeq(strings.TrimFunc(field, isNoLetter), isJoint) {
		if !strings.ContainsFunc(word, isNoLetter) {
			c.addWord(word)
		}
	}
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// isJoint reports whether a character may join two words: "d'accès", "such-like".
func isJoint(r rune) bool { return r == '\'' || r == '’' || r == '-' }

// addUnspaced counts the letters of systems without spaces, and reports whether there are
// any.
func (c *proseCounts) addUnspaced(field string) (found bool) {
	for _, r := range field {
		if !IsUnspaced(r) || WritingSystemOf(r) == SouthEastAsian {
			continue
		}
		found = true
		c.letters++
		c.script[eastAsian[WritingSystemOf(r)]]++
	}
	return found
}

func (c *proseCounts) addWord(word string) {
	n := utf8.RuneCountInString(word)
	c.words++
	c.letters += n
	first, size := utf8.DecodeRuneInString(word)
	if at := alphabetOf(first, -1); at >= 0 {
		if n >= leastWord {
			c.script[languageOf[alphabets[at].code]] += n
			c.persian += countPersian(word)
		}
		return
	}
	isSymbol := n == 1 && first < utf8.RuneSelf // a variable, or the letter of a list
	if isSymbol || len(word) > 2*LongestFunctionWord {
		return
	}
	lower := strings.ToLower(word)
	if lower[min(size, len(lower)):] == word[size:] && spokenBy[lower] != nil { // "AS" and "DE" are abbreviations
		c.function[lower]++
	}
}

// countPersian counts the letters that Persian and Urdu have, and Arabic has not.
func countPersian(word string) (n int) {
	for _, r := range word {
		if strings.ContainsRune("پچژگکی", r) {
			n++
		}
	}
	return n
}

// byLetters returns the language of a writing system that is its own.
func (c *proseCounts) byLetters() Language {
	japanese, chinese := languageOf["ja"], languageOf["zh"]
	if c.script[japanese]*scriptShare > c.script[chinese] { // Japanese has both
		c.script[japanese] += c.script[chinese]
		c.script[chinese] = 0
	}
	best := Unknown
	for l, n := range c.script {
		if n > c.script[best] {
			best = Language(l)
		}
	}
	if best == languageOf["ar"] && c.persian*persianShare > c.script[best] {
		return Unknown
	}
	if c.script[best] < leastScript || c.script[best]*scriptShare < c.letters {
		return Unknown
	}
	return best
}

// byWords returns the language that has clearly more of the function words than each
// other.
func (c *proseCounts) byWords() Language {
	best := Unknown
	spoken := c.functionWords()
	for l, of := range spoken {
		if of.all > spoken[best].all {
			best = Language(l)
		}
	}
	if !spoken[best].areOfProse(c.words) || !c.isClear(best) {
		return Unknown
	}
	return best
}

// functionCounts counts the function words of one language.
type functionCounts struct {
	all, distinct int
	hasLong       bool // not only such as variables and options are called, "do" and "as"
}

// functionWords counts those of each language.
func (c *proseCounts) functionWords() []functionCounts {
	spoken := make([]functionCounts, len(languages)+1)
	for word, n := range c.function {
		for _, l := range spokenBy[word] {
			spoken[l].all += n
			spoken[l].distinct++
			spoken[l].hasLong = spoken[l].hasLong || len(word) >= leastWord
		}
	}
	return spoken
}

// areOfProse reports whether there are as many function words among some words as in
// sentences.
func (f functionCounts) areOfProse(words int) bool {
	isNote := f.distinct >= leastInNote && f.all*shareInNote >= words
	isLong := f.distinct >= leastDistinct && f.all*leastShare >= words
	return f.hasLong && (isNote || isLong)
}

// isClear reports whether the best language has function words that no other candidate
// has, and far more of them than that candidate has of its own: related languages share
// most.
func (c *proseCounts) isClear(best Language) bool {
	common := make([]int, len(languages)+1) // with best
	counts := make([]int, len(languages)+1)
	for word, n := range c.function {
		isOfBest := slices.Contains(spokenBy[word], best)
		for _, l := range spokenBy[word] {
			counts[l] += n
			if isOfBest {
				common[l] += n
			}
		}
	}
	for l, n := range counts {
		own := counts[best] - common[l]
		if Language(l) != best && n > 0 && (own == 0 || own < leastOwnTimes*(n-common[l])) {
			return false
		}
	}
	return true
}
