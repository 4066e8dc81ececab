package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// writtenDate is a month, with or without a day, or a year in a query that texts may write otherwise: in Chinese
// characters or in digits, or a month by its name.
type writtenDate struct {
	wordRun
	isInDigits bool
	numbers    []int // of a month, and of a day if there is one; or of a year
	isYear     bool
}

// chineseDate matches what may be a date in Chinese, without a year or only one.
var chineseDate = lazyregexp.New(`([0-9]{1,2}|[一二三四五六七八九十]{1,3})月(?:([0-9]{1,2}|[一二三四五六七八九十廿]{1,3})[日号號])?|([0-9]{4}|[一二][〇○零一二三四五六七八九]{3})年`)

// writtenDates returns the dates in Chinese in a normalised query.
func writtenDates(text string) (dates []writtenDate) {
	if !strings.ContainsAny(text, "月年") {
		return nil
	}
	for _, at := range chineseDate.FindAllStringSubmatchIndex(text, -1) {
		d := writtenDate{wordRun: wordRun{start: at[0], end: at[1]}}
		if before, _ := utf8.DecodeLastRuneInString(text[:at[0]]); isChineseDigit(before) || chineseUnits[before] > 0 || '0' <= before && before <= '9' {
			continue
		}
		for i := 2; i < len(at); i += 2 {
			if at[i] < 0 {
				continue
			}
			written := text[at[i]:at[i+1]]
			n, length := parseChineseNumber(written)
			if length < len(written) {
				continue
			}
			d.numbers, d.isInDigits, d.isYear = append(d.numbers, n), isDigitByte(written[0]), i == 6
		}
		if d.isPossible() {
			dates = append(dates, d)
		}
	}
	return dates
}

func (d writtenDate) isPossible() bool {
	switch {
	case len(d.numbers) == 0:
		return false
	case d.isYear:
		return isYearOfNow(d.numbers[0])
	}
	return formatDay(2000, d.numbers[0], append(slices.Clone(d.numbers), 1)[1]) != ""
}

// otherTerms returns the terms of each number of a date in the other way of writing.
func (d writtenDate) otherTerms() (terms []string) {
	for i, n := range d.numbers {
		switch {
		case !d.isInDigits:
			terms = append(terms, strconv.Itoa(n))
		case d.isYear:
			terms = append(terms, pairsOf([]rune(chineseYear(n)))...)
		default:
			unit := "月"
			if i > 0 {
				unit = "日"
			}
			terms = append(terms, pairsOf([]rune(chineseNumeral(n)+unit))...)
		}
	}
	return terms
}

var chineseNumerals = []rune("〇一二三四五六七八九")

// chineseNumeral returns a number below 100 in Chinese characters.
func chineseNumeral(n int) string {
	tens, ones := n/10, n%10
	out := ""
	if tens > 1 {
		out = string(chineseNumerals[tens])
	}
	if tens > 0 {
		out += "十"
	}
	if ones > 0 || tens == 0 {
		out += string(chineseNumerals[ones])
	}
	return out
}

func chineseYear(n int) string {
	out := ""
	for _, digit := range strconv.Itoa(n) {
		out += string(chineseNumerals[digit-'0'])
	}
	return out + "年"
}

// addWrittenDates adds the numbers of dates in the other way of writing. Those in Chinese characters count as much
// in digits, and the pairs of their characters, which are also in other numbers, as parts of a whole: isPart marks
// the bytes of such.
func (q *Question) addWrittenDates(text string, isPart []bool) {
	for _, d := range writtenDates(text) {
		weight := seamPart
		if !d.isInDigits {
			weight = 1
			markAll(isPart[d.start:d.end])
		}
		for _, t := range d.otherTerms() {
			q.OtherSpellings[t] += weight
		}
	}
}

// markWrittenDates marks the bytes of dates in a query that the texts may have in another way of writing.
func (has TermSet) markWrittenDates(text string, told []bool) {
	for _, d := range writtenDates(text) {
		if !slices.ContainsFunc(d.otherTerms(), func(t string) bool { return !has(t) && !has("0"+t) }) {
			markAll(told[d.start:d.end])
		}
	}
	for _, d := range askedDaysOf(text) {
		if slices.ContainsFunc(d.forms(), has) {
			markAll(told[d.start:d.end])
		}
	}
	for _, m := range namedMonths(text) {
		if slices.ContainsFunc(monthTerms(m.number), has) || has(monthCharacter) && has(strconv.Itoa(m.number)) {
			markAll(told[m.start:m.end])
		}
	}
}

// namedMonth is the name of a month in a query.
type namedMonth struct {
	wordRun
	number int
}

// namedMonths returns the names of months in a query, without those that may be of persons and planets.
func namedMonths(text string) (all []namedMonth) {
	before := wordRun{}
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		number := months[strings.ToLower(word)]
		isName := word == "Mars" || slices.ContainsFunc(monthsAndNames, func(m string) bool { return strings.EqualFold(m, word) })
		if number > 0 && (!isName || word != "Mars" && isMonthIn(text, before, r)) {
			all = append(all, namedMonth{r, number})
		}
		before = r
	}
	return all
}

// Years whose months are looked up for a month without a year.
const (
	firstYearOfMonths = 1950
	lastYearOfMonths  = 2050
)

// monthTerms returns the terms of a month in each year of now.
func monthTerms(month int) (terms []string) {
	for year := firstYearOfMonths; year <= lastYearOfMonths; year++ {
		terms = append(terms, fmt.Sprintf("%c%04d-%02d", specialField, year, month))
	}
	return append(terms, lastCharacterAndMonth(month))
}

// monthCharacter follows the number of a month in Chinese.
const monthCharacter = "月"

// lastCharacterAndMonth returns the pair of characters with which the name of a month in Chinese ends.
func lastCharacterAndMonth(month int) string {
	pairs := pairsOf([]rune(chineseNumeral(month) + "月"))
	return pairs[len(pairs)-1]
}

// writtenDateLookupTerms adds all terms of a query that markWrittenDates may look up.
func writtenDateLookupTerms(to map[string]bool, text string) {
	for _, d := range writtenDates(text) {
		for _, t := range d.otherTerms() {
			to[t], to["0"+t] = true, true
		}
	}
	for _, d := range askedDaysOf(text) {
		for _, t := range d.forms() {
			to[t] = true
		}
	}
	for _, m := range namedMonths(text) {
		for _, t := range append(monthTerms(m.number), monthCharacter, strconv.Itoa(m.number)) {
			to[t] = true
		}
	}
}
