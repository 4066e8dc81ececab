package analysis

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

var (
	// numberedName matches a word with a number that may be a name: a word with a capital, or one that names what is
	// numbered.
	numberedName = lazyregexp.New(`\b([A-Z][a-z]{2,}|room|type|class|grade|stage|phase|level|ward|gate|mark|model|version|chapter|section|article|unit|batch|lot|bus|platform|locker|bed|day|week)[ -]([0-9]{1,4}(?:-?[A-Za-z])?)\b`)
	// romanName matches a word with a number in Roman numerals that may be a name.
	romanName = lazyregexp.New(`\b((?i:room|type|class|grade|stage|phase|level|ward|gate|mark|model|version|chapter|section|article|unit|batch|lot|bus|platform|locker|bed))[ -]([IVX]{1,4}[a-dA-D]?)\b`)
	// codeOfYear matches a word with a year and the number of a thing in it, which looks like a month: "Resolution 2025-09".
	codeOfYear = lazyregexp.New(`\b((?i:resolution|decision|motion|order|case|ticket|proposal|decree|regulation|directive|ordinance|beschluss|antrag|bescheid|verordnung|vorlage))[ -]((?:19|20)[0-9]{2}[-/][0-9]{2,4})\b`)
)

// numberGoesOn matches what follows the beginning of a decimal, a share or a range.
var numberGoesOn = lazyregexp.New(`^(?:[.,:/-]?[0-9]|\s?%|[-–])`)

// pronounGoesOn matches what follows the pronoun I: "the room I booked".
var pronounGoesOn = lazyregexp.New(`^['’]| \p{Ll}`)

// numberRange matches a range of numbers after a word: "stage 3-5", "grades 1 to 4".
var numberRange = lazyregexp.New(`^s?[ -]?([0-9]{1,4}) ?(?:[-–—~]|to|bis|through) ?([0-9]{1,4})\b`)

// romanNumerals lists the numbers from 1 as names are also numbered.
var romanNumerals = strings.Fields("I II III IV V VI VII VIII IX X")

// numberedNames returns the words with a number in a normalised question that may be names, unless the number may
// be a year, or the word is a function word, as in "After 30 days".
func numberedNames(text string) (names []AskedName) {
	for _, at := range numberedName.FindAllStringSubmatchIndex(text, -1) {
		word, number := strings.ToLower(text[at[2]:at[3]]), strings.ToLower(text[at[4]:at[5]])
		if numberGoesOn.MatchString(text[at[1]:]) || mayBeYear(number) || script.IsFunctionWord(word) {
			continue
		}
		names = append(names, AskedName{Text: text[at[0]:at[1]], word: word, number: number})
	}
	for _, pattern := range []*lazyregexp.Regexp{romanName, codeOfYear} {
		for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
			if after := text[at[1]:]; !numberGoesOn.MatchString(after) && !(text[at[4]:at[5]] == "I" && pronounGoesOn.MatchString(after)) {
				names = append(names, AskedName{Text: text[at[0]:at[1]], word: strings.ToLower(text[at[2]:at[3]]), number: strings.ToLower(text[at[4]:at[5]])})
			}
		}
	}
	return names
}

// mayBeYear reports whether a number may be a year of now.
func mayBeYear(number string) bool {
	n, length := parseDigits(number, len("2006"))
	return length == len(number) && isYearOfNow(n)
}

// numberPresenceIn returns whether a text has a word with its number, or the word only with other numbers.
func (n AskedName) numberPresenceIn(text string) NamePresence {
	folded := strings.ToLower(text)
	switch {
	case n.isCountedIn(folded):
		return NamePresent
	case !strings.Contains(folded, n.word):
		return NameAbsent
	case n.hasNumberIn(folded) || n.isInRange(folded) || n.hasUnitIn(folded):
		return NamePresent
	}
	if i, err := strconv.Atoi(n.number); err == nil && 0 < i && i <= len(romanNumerals) && hasWholeWord(text, romanNumerals[i-1]) {
		return NamePresent
	}
	for _, end := range occurrencesOf(folded, n.word) {
		after := folded[end:]
		if number := strings.TrimLeft(after, " -"); number != "" && number != after && (isDigitByte(number[0]) || n.isRoman() && romanNumber.MatchString(number)) {
			return OnlySimilarName
		}
	}
	return NameAbsent
}

// countedTimes are the words for spans of time that are numbered, with those of other languages and scripts.
var countedTimes = map[string][]string{
	"day":  {"day", "tag", "jour", "\u5929", "\u65e5"},
	"week": {"week", "woche", "semaine", "\u5468", "\u9031", "\u661f\u671f"},
}

// spelledNumbers are the first numbers in words, and their ordinals.
var (
	spelledNumbers  = strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
	spelledOrdinals = strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth")
)

// isCountedIn reports whether a folded text may have a numbered day or week in another writing: D15, Tag 15,
// the fifteenth day.
func (n AskedName) isCountedIn(folded string) bool {
	number, length := parseDigits(n.number, 4)
	isThere := func(word string) bool { return strings.Contains(folded, word) }
	if length != len(n.number) || !slices.ContainsFunc(countedTimes[n.word], isThere) {
		return false
	}
	if 0 < number && number <= len(spelledNumbers) && (hasWholeWord(folded, spelledNumbers[number-1]) || hasWholeWord(folded, spelledOrdinals[number-1])) {
		return true
	}
	for start, end := range occurrencesOf(folded, n.number) {
		isWhole := (start == 0 || !isDigitByte(folded[start-1])) && (end == len(folded) || !isDigitByte(folded[end]))
		if isWhole {
			return true
		}
	}
	return false
}

// romanNumber matches a Roman numeral at the beginning of a folded text, with or without the letter of a part.
var romanNumber = lazyregexp.New(`^[ivx]{1,4}[a-d]?\b`)

func (n AskedName) isRoman() bool { return romanNumber.MatchString(n.number) }

// hasNumberIn reports whether a folded text has the number as a word: not as the beginning of a date, and also
// without its hyphen, with the letter of a part after it, and in digits for Roman numerals.
func (n AskedName) hasNumberIn(folded string) bool {
	switch {
	case len(n.number) >= len("2025-09") && isDigitByte(n.number[0]):
		return slices.ContainsFunc(writingsOfCode(n.number), func(code string) bool { return hasWholeCode(folded, code) })
	case n.isRoman():
		return n.hasRomanIn(folded)
	}
	return hasWholeWord(folded, n.number) || strings.Contains(n.number, "-") && (hasWholeWord(folded, strings.ReplaceAll(n.number, "-", "")) || hasWholeWord(folded, strings.ReplaceAll(n.number, "-", " ")))
}

// writingsOfCode returns a code of a year and a number as people write it: 2025-09, 2025/09, 09/2025 and 9/2025.
func writingsOfCode(code string) []string {
	slashed := strings.ReplaceAll(code, "-", "/")
	all := []string{strings.ReplaceAll(code, "/", "-"), slashed}
	if first, last, ok := strings.Cut(slashed, "/"); ok {
		all = append(all, last+"/"+first, strings.TrimLeft(last, "0")+"/"+first)
	}
	return all
}

// hasWholeCode reports whether a text has a code that is no part of a longer one.
func hasWholeCode(text, code string) bool {
	goesOn := func(r rune) bool { return isLetterOrDigit(r) || r == '-' || r == '/' }
	for start, end := range occurrencesOf(text, code) {
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !goesOn(before) && !goesOn(after) {
			return true
		}
	}
	return false
}

// hasRomanIn reports whether a folded text has the Roman numeral of the name after the name's word, or a part of
// it, or its number in digits.
func (n AskedName) hasRomanIn(folded string) bool {
	numeral := strings.TrimRight(n.number, "abcd")
	part := n.number[len(numeral):]
	if i := slices.Index(romanNumerals, strings.ToUpper(numeral)); i >= 0 && hasWholeWord(folded, strconv.Itoa(i+1)+part) {
		return true
	}
	if hasWholeWord(folded, n.number) {
		return true
	}
	return part == "" && slices.ContainsFunc([]string{"a", "b", "c", "d"}, func(letter string) bool { return hasWholeWord(folded, numeral+letter) })
}

// isInRange reports whether the number is within a range that follows the word in a folded text.
func (n AskedName) isInRange(folded string) bool {
	number, length := parseDigits(n.number, 4)
	if length != len(n.number) {
		return false
	}
	for _, end := range occurrencesOf(folded, n.word) {
		if m := numberRange.FindStringSubmatch(folded[end:]); m != nil {
			first, _ := parseDigits(m[1], 4)
			last, _ := parseDigits(m[2], 4)
			if first <= number && number <= last {
				return true
			}
		}
	}
	return false
}

// hasUnitIn reports whether a folded text has the number directly before a unit, as in "5mg". A single letter
// belongs to the number, as in "room 101b".
func (n AskedName) hasUnitIn(folded string) bool {
	for start, end := range occurrencesOf(folded, n.number) {
		before, _ := utf8.DecodeLastRuneInString(folded[:start])
		if !isLetterOrDigit(before) && runLength(folded[end:], unicode.IsLetter) > 1 {
			return true
		}
	}
	return false
}

// hasWholeWord reports whether a text has a word that no letter or digit precedes or follows.
func hasWholeWord(text, word string) bool {
	for start, end := range occurrencesOf(text, word) {
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !isLetterOrDigit(before) && !isLetterOrDigit(after) {
			return true
		}
	}
	return false
}

// occurrencesOf yields the byte ranges in which a word stands in a text.
func occurrencesOf(text, word string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for at := 0; ; {
			i := strings.Index(text[at:], word)
			if i < 0 || !yield(at+i, at+i+len(word)) {
				return
			}
			at += i + len(word)
		}
	}
}
