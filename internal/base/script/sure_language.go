package script

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Thresholds for certainty about the language of prose. Of 30,900 pages of tldr in 37 languages,
// the result is the language of the folder for 20,133, another for 10 (in addition to Hindi for
// those in Nepali, which has the same letters), and none for the others, which are lists of
// commands. Of 11,900 notes, slides, papers and lists of links in Chinese, English and German, the
// result is another language for one, and for two that are about Japanese.
const (
	leastDistinct = 3  // distinct function words
	leastShare    = 14 // function words are at least 1/leastShare of all words
	leastInNote   = 2  // distinct function words in a note of a line or two
	shareInNote   = 7  // function words are at least 1/shareInNote of all words in such a note
	leastOwnTimes = 2  // minimum ratio of the best language's words that another lacks to the reverse
	leastScript   = 6  // letters of a writing system with a single language
	scriptShare   = 4  // they are at least 1/scriptShare of all letters
	leastWord     = 3  // letters in a word that is not part of a formula or program
	persianShare  = 99 // letters that Arabic lacks are at most 1/persianShare of the Arabic script
)

// CertainLanguageOf returns the language that the prose of a text is certainly in; the unknown one
// if it is too short, mixed, or not prose. Programs, tables and lists of links contain function
// words of some language by chance ("com", "as", "v"), and LanguageOf returns the language with the
// most of them; this function requires as many as sentences have.
func CertainLanguageOf(text string) Language {
	c := countProse(text[:min(len(text), languageBytes)])
	if l := c.byLetters(); l != UnknownLanguage {
		return l
	}
	return c.byWords()
}

// proseCounts counts words and letters in the prose of a text.
type proseCounts struct {
	words    int
	letters  int
	function map[string]int // number of occurrences of each function word
	script   []int          // letters of writing systems with a single language, by language
	persian  int            // letters of the Arabic script that Arabic itself lacks
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

// addLine counts the words of a line, except those between backquotes, which are code.
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

// addField counts the words in a field between spaces. URLs, file names and the like have
// punctuation between their letters, and do not count.
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

// addUnspaced counts the letters of writing systems without spaces, and reports whether there are
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
	isSymbol := n == 1 && first < utf8.RuneSelf // a variable, or the letter of a list item
	if isSymbol || len(word) > 2*MaxFunctionWordRunes {
		return
	}
	lower := strings.ToLower(word)
	if lower[min(size, len(lower)):] == word[size:] && spokenBy()[lower] != nil { // "AS" and "DE" are abbreviations
		c.function[lower]++
	}
}

// countPersian counts the letters that Persian and Urdu have and Arabic lacks.
func countPersian(word string) (n int) {
	for _, r := range word {
		if strings.ContainsRune("پچژگکی", r) {
			n++
		}
	}
	return n
}

// byLetters returns the language that a writing system identifies; the unknown one if none does.
func (c *proseCounts) byLetters() Language {
	japanese, chinese := languageOf["ja"], languageOf["zh"]
	if c.script[japanese]*scriptShare > c.script[chinese] { // Japanese uses both
		c.script[japanese] += c.script[chinese]
		c.script[chinese] = 0
	}
	best := UnknownLanguage
	for l, n := range c.script {
		if n > c.script[best] {
			best = Language(l)
		}
	}
	if best == languageOf["ar"] && c.persian*persianShare > c.script[best] {
		return UnknownLanguage
	}
	if c.script[best] < leastScript || c.script[best]*scriptShare < c.letters {
		return UnknownLanguage
	}
	return best
}

// byWords returns the language that has clearly more function words than any other; the unknown one
// if none has.
func (c *proseCounts) byWords() Language {
	best := UnknownLanguage
	spoken := c.functionWords()
	for l, of := range spoken {
		if of.all > spoken[best].all {
			best = Language(l)
		}
	}
	if !spoken[best].areOfProse(c.words) || !c.isClear(best) {
		return UnknownLanguage
	}
	return best
}

// functionCounts counts the function words of a language in a text.
type functionCounts struct {
	all, distinct int
	hasLong       bool // whether one of them is longer than variables and options such as "do" and "as"
}

// functionWords counts the function words of each language.
func (c *proseCounts) functionWords() []functionCounts {
	spoken := make([]functionCounts, len(languages)+1)
	for word, n := range c.function {
		for _, l := range spokenBy()[word] {
			spoken[l].all += n
			spoken[l].distinct++
			spoken[l].hasLong = spoken[l].hasLong || len(word) >= leastWord
		}
	}
	return spoken
}

// areOfProse reports whether the function words are as frequent among a number of words as in
// sentences.
func (f functionCounts) areOfProse(words int) bool {
	isNote := f.distinct >= leastInNote && f.all*shareInNote >= words
	isLong := f.distinct >= leastDistinct && f.all*leastShare >= words
	return f.hasLong && (isNote || isLong)
}

// isClear reports whether the best language is clearly ahead of each other candidate. Related
// languages share most function words, so it compares only those that the other one lacks with
// those that best lacks: there must be some of the former, and far more than of the latter.
func (c *proseCounts) isClear(best Language) bool {
	common := make([]int, len(languages)+1) // function words that a language shares with best
	counts := make([]int, len(languages)+1)
	for word, n := range c.function {
		isOfBest := slices.Contains(spokenBy()[word], best)
		for _, l := range spokenBy()[word] {
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
