package analysis

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// Limits on the unknown words that are reported.
const (
	mostUnknown    = 8  // number of words
	longestUnknown = 40 // characters per word
)

// Characters that are grammar in Chinese ("-ly" and "many") but also stand in the names of many drugs.
const (
	adverbMarker  = '\u5730'
	muchCharacter = '\u591a'
)

// TermSet reports whether any chunk has a term.
type TermSet func(term string) bool

// UnknownWords returns the words of a query that occur nowhere according to has, so that the user can be
// told that the response was made without them, or with similar words. In Chinese, these are names as they
// are written, and other runs of characters in which no adjacent pair is known. If a name in the query is
// known, what the query asks of it ("dose") is left out: a passage may state it without the word.
func UnknownWords(question string, has TermSet) []string {
	u := unknownWords{has: has}
	text := normalizeQuestion(question)
	told, rows := has.markKnownTokens(text), functionRows(text)
	markEditionWords(text, told)
	markAskingWords(text, told)
	markAddressForms(text, told)
	has.markWrittenDates(text, told)
	u.hasName = slices.ContainsFunc(numberTokens(text), func(tokens []specialToken) bool {
		w := tokens[0]
		return (w.written != "" || w.isPlace) && has.hasNumber(w, text[w.start:w.end])
	})
	for _, n := range has.unknownNumbers(text, told) {
		u.note(text[n.start:n.end], false)
		markAll(told[n.start:n.end])
	}
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		switch {
		case r.unspaced:
			u.addRun(word, told[r.start:r.end])
		case told[r.start] || isFunctionWordIn(rows, word):
		case !has.knowsWord(word):
			u.note(word, isCommonTerm(termOfWord(word)))
		case isNameTerm(termOfWord(word)):
			u.hasName = true
		}
	}
	return u.words()
}

// unknownWords collects the words of a query that occur nowhere.
type unknownWords struct {
	has     TermSet
	all     []unknownWord
	hasName bool // a word of the query that may be a name is known
}

type unknownWord struct {
	text     string
	isCommon bool // it is no name
}

func (u *unknownWords) note(word string, isCommon bool) {
	if r := []rune(word); len(r) > longestUnknown {
		word = string(r[:longestUnknown]) + "…"
	}
	if w := (unknownWord{word, isCommon}); !slices.Contains(u.all, w) {
		u.all = append(u.all, w)
	}
}

// words returns the words to report, without more than mostUnknown.
func (u *unknownWords) words() (out []string) {
	for _, w := range u.all {
		if w.isCommon && u.hasName {
			continue
		}
		if len(out) == mostUnknown {
			return append(out, "…")
		}
		out = append(out, w.text)
	}
	return out
}

// addRun adds the unknown words in a run in a script without spaces: its unknown names or, if it has none, its
// parts that occur nowhere. told marks the bytes of known tokens.
func (u *unknownWords) addRun(run string, told []bool) {
	written, characters := []rune(run), []rune(foldWord(run))
	inName := make([]bool, len(written))
	if len(written) == len(characters) {
		for _, part := range u.unknownNames(written, characters, told) {
			u.note(string(written[part.start:part.end]), false)
			markAll(inName[part.start:part.end])
		}
	}
	if slices.Contains(inName, true) {
		return // what remains is what is asked of the name, in parts of words
	}
	for _, part := range u.has.unknownRuns(run, told) {
		u.note(part, true)
	}
}

// unknownNames returns the names in a run that occur nowhere, or their parts that do not. characters are
// the folded characters of the run, and told marks the bytes of known tokens.
func (u *unknownWords) unknownNames(run, characters []rune, told []bool) (unknown []characterSpan) {
	isOther, at := markAskingPhrases(characters), 0
	for i, r := range run {
		isOther[i] = isOther[i] || told[at] || isVerbBeforeAspect(characters, isOther, i)
		at += utf8.RuneLen(r)
	}
	for _, s := range nameSpansIn(characters, isOther) {
		parts := u.has.unknownParts(characters, s)
		if n := len(parts); n > 0 && parts[0].start == s.start && u.has.isOfName(characters, isOther, s.start-1) {
			parts[0].start--
		}
		if n := len(parts); n > 0 && parts[n-1].end == s.end {
			parts[n-1].end = u.has.endAfterInnerMarker(characters, isOther, s.end)
		}
		unknown = append(unknown, parts...)
		u.hasName = u.hasName || len(parts) == 0 && (s.length() > 2 || s.length() == len(characters))
	}
	return unknown
}

// endAfterInnerMarker returns the end of a name of which a part before the character at end is unknown. The
// character at end is an adverb marker elsewhere, but may belong to the name, as in the names of drugs in
// -dipine.
func (has TermSet) endAfterInnerMarker(characters []rune, isOther []bool, end int) int {
	if !has.isOfName(characters, isOther, end) || isOther[end+1] || end+2 < len(characters) && isCommonTerm(string(characters[end+1:end+3])) {
		return end
	}
	return end + 2
}

// isOfName reports whether the i-th character is one that is often grammar but belongs to a name here: the
// pair that it begins is known, and is no common word.
func (has TermSet) isOfName(characters []rune, isOther []bool, i int) bool {
	if i < 0 || i+1 >= len(characters) || isOther[i] || characters[i] != adverbMarker && characters[i] != muchCharacter {
		return false
	}
	pair := string(characters[i : i+2])
	return !isCommonTerm(pair) && has.occursAnywhere(pair)
}

// unknownParts returns the parts of a name that occur nowhere. A known pair may be the end of another
// name, as two drugs may end alike, so only three or more characters whose pairs are known are a word of
// their own.
func (has TermSet) unknownParts(characters []rune, s characterSpan) (parts []characterSpan) {
	start := s.start
	note := func(end int) {
		if part := (characterSpan{start, end}); has.isUnknownName(characters, part, part.length() == len(characters)) {
			parts = append(parts, part)
		}
	}
	for i := s.start; i < s.end; {
		end := i + 1
		for end < s.end && has.occursAnywhere(string(characters[end-1:end+1])) {
			end++
		}
		if end-i > 2 {
			note(i)
			start = end
		}
		i = end
	}
	note(s.end)
	return parts
}

// isUnknownName reports whether a part of a run occurs nowhere: at least two of its characters are in no known
// pair. With one, it may be two words side by side, unless it is all of the run or the character itself is
// unknown.
func (has TermSet) isUnknownName(characters []rune, part characterSpan, isWhole bool) bool {
	inPair := make([]bool, part.length())
	for i := part.start + 1; i < part.end; i++ {
		if has.occursAnywhere(string(characters[i-1 : i+1])) {
			inPair[i-1-part.start], inPair[i-part.start] = true, true
		}
	}
	alone := 0
	for i, in := range inPair {
		if !in {
			alone++
			isWhole = isWhole || !has(string(characters[part.start+i]))
		}
	}
	return part.length() > 1 && (alone > 1 || alone == 1 && isWhole)
}

// markKnownTokens marks the bytes of a query in tokens that occur as a whole, even if their parts
// do not: a date in another format, or words that are written as one elsewhere, such as "gpt 4".
func (has TermSet) markKnownTokens(text string) []bool {
	told := make([]bool, len(text))
	for _, w := range specialTokens(text) {
		if !w.isGeneral && (has(w.term) || slices.ContainsFunc(w.allForms(), has)) {
			markAll(told[w.start:w.end])
		}
	}
	before := wordRun{}
	for r := range runsOf(text) {
		if joined := joinedTerm(text, before, r); joined != "" && (has(joined) || has(closedForm(joined))) {
			markAll(told[before.start:r.end])
		}
		before = r
	}
	return told
}

// occursAnywhere reports whether a term occurs in a text or in the name of a folder. Other names
// are indexed with the texts.
func (has TermSet) occursAnywhere(term string) bool {
	return has(term) || has(string(FolderField)+term)
}

func (has TermSet) knowsWord(word string) bool {
	if utf8.RuneCountInString(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) || has.occursAnywhere(termOfWord(word)) || slices.ContainsFunc(formsOf(word), has) ||
		slices.ContainsFunc(respelledTerms(word), has) || slices.ContainsFunc(derivedTerms(word), has) || has.knowsLongNumberIn(word) {
		return true
	}
	for _, part := range identifierParts(word) {
		if utf8.RuneCountInString(part) > 1 && has.occursAnywhere(termOfWord(part)) {
			return true
		}
	}
	return false
}

// knowsLongNumberIn reports whether the digits of an identifier occur apart from its letters.
func (has TermSet) knowsLongNumberIn(word string) bool {
	number := longNumberIn(word)
	return number != "" && (has(number) || has(closedForm(number)))
}

// unknownRuns returns the parts of a run in a script without spaces that are not covered by known pairs
// of adjacent characters: from the first to the last unknown character of such a part, or all of it if it has
// three or more characters, all known. A part between two known pairs is not a word of its own but
// consists of the ends of others.
func (has TermSet) unknownRuns(run string, told []bool) []string {
	runes := []rune(run)
	asks, grammar, at := markAskingPhrases([]rune(foldWord(run))), kanaParticlesOf(runes), 0
	covered := make([]bool, len(runes)+1) // the last element terminates the last part
	covered[len(runes)] = true
	inPair := make([]bool, len(runes)+1)
	for i := range runes {
		if asks[i] || told[at] || bool(grammar) && isHiragana(runes[i]) || script.IsFunctionWord(string(runes[i])) {
			covered[i] = true
		}
		at += utf8.RuneLen(runes[i])
		if i > 0 && has.occursAnywhere(foldWord(string(runes[i-1:i+1]))) {
			covered[i-1], covered[i] = true, true
			inPair[i-1], inPair[i] = true, true
		}
	}
	var out []string
	start := 0
	for i, ok := range covered {
		if !ok {
			continue
		}
		isBetween := start > 0 && inPair[start-1] && inPair[i]
		if part := has.trimKnownEnds(runes[start:i], isBetween); len(part) > 0 {
			out = append(out, string(part))
		}
		start = i + 1
	}
	return out
}

// trimKnownEnds returns the part of an uncovered run that is worth reporting: all of it if nearly
// all characters are unknown, and nothing if it lies between two pairs and all are known. Most
// words have two characters, so a single unknown character is reported with a neighbour.
func (has TermSet) trimKnownEnds(part []rune, isBetween bool) []rune {
	first, last, count := -1, -1, 0
	for i, r := range part {
		if has(foldWord(string(r))) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		count++
	}
	switch {
	case count == 0 && (len(part) < 3 || isBetween):
		return nil
	case count == 0, 3*count > 2*len(part):
		return part
	case first == last && first > 0:
		return part[first-1 : last+1]
	case first == last && last+1 < len(part):
		return part[first : last+2]
	}
	return part[first : last+1]
}

// wordAmount is the weight of a word relative to a character in scripts without spaces, in which
// most words have two.
const wordAmount = 2

// ContentHalfWords returns the length of a query without function words: wordAmount for each word, and 1
// for each character of a script without spaces.
func ContentHalfWords(question string) (halfWords int) {
	text := normalizeQuestion(question)
	rows, asks := functionRows(text), make([]bool, len(text))
	markAskingWords(text, asks)
	for _, s := range addressSpans(text) {
		markAll(asks[s.start:s.end])
	}
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		if !r.unspaced {
			if !asks[r.start] && !isFunctionWordIn(rows, word) {
				halfWords += wordAmount
			}
			continue
		}
		characters := []rune(foldWord(word))
		for i, asks := range markAskingPhrases(characters) {
			if !asks && !IsFunctionTerm(string(characters[i])) {
				halfWords++
			}
		}
	}
	return halfWords
}

// NamesNothing reports whether a query has only function words and words of asking, as "What is it about?" does. A
// capital within it may begin a name: "Who is Will?", "What is IT?".
func NamesNothing(question string) bool {
	return ContentHalfWords(question) == 0 && len(specialTokens(normalizeQuestion(question))) == 0 && !mayHaveName(question)
}

// mayHaveName reports whether a word but the first, or all of the first, has capitals.
func mayHaveName(question string) bool {
	for i, word := range strings.FieldsFunc(question, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
		first, size := utf8.DecodeRuneInString(word)
		isPronoun := first == 'I' && (len(word) == size || strings.HasPrefix(word[size:], "'") || strings.HasPrefix(word[size:], "’"))
		if unicode.IsUpper(first) && !isPronoun && (i > 0 || len(word) > size && word == strings.ToUpper(word)) {
			return true
		}
	}
	return false
}

// UnknownWordLookupTerms returns all terms of a query that UnknownWords may look up, so that a caller can find
// out beforehand which of them occur.
func UnknownWordLookupTerms(question string) []string {
	all := make(map[string]bool)
	text, q := normalizeQuestion(question), NewQuestion(question)
	for _, t := range appendTerms(nil, text) {
		all[t], all[string(FolderField)+t] = true, true
	}
	for _, w := range specialTokens(text) {
		all[w.term] = true
		for _, form := range w.allForms() {
			all[form] = true
		}
	}
	for t := range maps.Keys(q.OtherSpellings) {
		all[t] = true
	}
	for _, terms := range q.FallbackTerms {
		for _, t := range terms {
			all[t] = true
		}
	}
	numberLookupTerms(all, text)
	writtenDateLookupTerms(all, text)
	before := wordRun{}
	for r := range runsOf(text) {
		if joined := joinedTerm(text, before, r); joined != "" {
			all[joined] = true
		}
		if !r.unspaced {
			for _, form := range slices.Concat(formsOf(text[r.start:r.end]), derivedTerms(text[r.start:r.end])) {
				all[form] = true
			}
		}
		before = r
	}
	return slices.Sorted(maps.Keys(all))
}
