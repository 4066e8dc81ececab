package ranking

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// askedNumber is a number of a question.
type askedNumber struct {
	value float64
	word  int // its index in questionWords.weights
}

// numberInQuestion matches a number, and what may make it a part of a date, code or name.
var numberInQuestion = lazyregexp.New(`[\pL\d][\pL\d.,:/_\-–]*`)

// Years are no values that are looked up in a table of ranges.
const (
	firstYear = 1900
	lastYear  = 2099
)

// addNumbers records the numbers of a question that may fall into the ranges of a table. A number that occurs in no
// document is a word as heavy as the heaviest.
func (q *questionWords) addNumbers(question string) {
	for _, word := range numberInQuestion.FindAllString(question, -1) {
		word = strings.TrimRight(word, ".,:-–")
		value, ok := parseNumber(word)
		if !ok || firstYear <= value && value <= lastYear {
			continue
		}
		number, isWord := q.numbers[word]
		if !isWord {
			weight := 1.0
			if len(q.weights) > 0 {
				weight = slices.Max(q.weights)
			}
			number = q.addWord(search.Word{Weight: weight})
		}
		if number < mostWords {
			q.asked = append(q.asked, askedNumber{value, number})
		}
	}
}

// thousands matches a number with a comma after each three digits.
var thousands = lazyregexp.New(`^[1-9]\d{0,2}(?:,\d{3})+$`)

// parseNumber returns the value of a number with a decimal point or comma.
func parseNumber(word string) (float64, bool) {
	if thousands.MatchString(word) {
		word = strings.ReplaceAll(word, ",", "")
	}
	value, err := strconv.ParseFloat(strings.Replace(word, ",", ".", 1), 64)
	return value, err == nil && '0' <= word[0] && word[0] <= '9' && !strings.ContainsAny(word, "eExX_pP")
}

// A numberRange holds the numbers from low to high.
type numberRange struct {
	low, high       float64
	noLow, noHigh   bool // whether there is no such end
	hasLow, hasHigh bool // whether the end belongs to the range
}

// contains reports whether a number is in the range.
func (n numberRange) contains(value float64) bool {
	return (n.noLow || value > n.low || n.hasLow && value == n.low) && (n.noHigh || value < n.high || n.hasHigh && value == n.high)
}

// isDisjoint reports whether no number is in both ranges.
func (n numberRange) isDisjoint(o numberRange) bool {
	isBelow := func(a, b numberRange) bool {
		return !a.noHigh && !b.noLow && (a.high < b.low || a.high == b.low && !(a.hasHigh && b.hasLow))
	}
	return isBelow(n, o) || isBelow(o, n)
}

const number = `(\d{1,3}(?:,\d{3})+|\d+(?:[.,]\d+)?)`

// rangeForms match a range at the beginning of a row, and tell whether the numbers in it are its ends.
var rangeForms = []struct {
	form          *lazyregexp.Regexp
	low, high     bool // the ends that are given
	isLow, isHigh bool // whether they belong to the range
}{
	{rowBeginning(number + ` ?(?:–|—|-|~|～|bis|to|à|至|到) ?` + number), true, true, true, true},
	{rowBeginning(`(?:between|zwischen) ` + number + ` (?:and|und) ` + number), true, true, true, true},
	{rowBeginning(`(?:<|below|under|less than|fewer than|unter|weniger als|moins de|小于|低于|少于|不足|未满) ?` + number), false, true, false, false},
	{rowBeginning(`(?:≤|<=|up to|at most|bis|bis zu|höchstens|jusqu'à|不超过|至多) ?` + number), false, true, false, true},
	{rowBeginning(number + ` ?(?:or less|or fewer|or below|and below|and less|oder weniger|及以下|或以下|以下)`), false, true, false, true},
	{rowBeginning(`(?:>|above|over|more than|über|mehr als|plus de|大于|高于|超过) ?` + number), true, false, false, false},
	{rowBeginning(`(?:≥|>=|at least|from|ab|mindestens|à partir de|至少|不少于) ?` + number), true, false, true, false},
	{rowBeginning(number + ` ?(?:or more|or above|or over|and above|and over|and more|oder mehr|und mehr|及以上|或以上|以上|\+)`), true, false, true, false},
}

// rowBeginning returns an expression for a form of a range, behind the marks of a row and without a unit after it.
func rowBeginning(form string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)^[|\-*+•"\s]*` + form + `(?:[^\d.,/:\-–]|[.,:]?(?:\s|$))`)
}

// rangeOf returns the range of numbers with which a row begins.
func rangeOf(row string) (numberRange, bool) {
	row = row[:min(len(row), longestRange)]
	if !mayBeginWithRange(row) {
		return numberRange{}, false
	}
	for _, f := range rangeForms {
		m := f.form.FindStringSubmatch(row)
		if m == nil {
			continue
		}
		first, _ := parseNumber(m[1])
		n := numberRange{low: first, high: first, noLow: !f.low, noHigh: !f.high, hasLow: f.isLow, hasHigh: f.isHigh}
		if f.low && f.high {
			n.high, _ = parseNumber(m[2])
		}
		return n, n.low <= n.high
	}
	return numberRange{}, false
}

// rangeWords holds the first words of ranges that begin with no number.
var rangeWords = setOf("between zwischen below under less fewer unter weniger moins up at bis höchstens jusqu'à above over more über mehr plus from ab mindestens à")

// mayBeginWithRange reports whether a row begins with a number, a sign or a word as a range does. It is faster than the
// forms, which nearly no row has.
func mayBeginWithRange(row string) bool {
	row = strings.TrimLeft(row, "|-*+•\" \t\n")
	if row == "" || !strings.ContainsAny(row, "0123456789") {
		return false
	}
	if '0' <= row[0] && row[0] <= '9' {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(row); strings.ContainsRune("<≤>≥小低少不未大高超至", r) {
		return true
	}
	word, _, _ := strings.Cut(row, " ")
	return rangeWords[strings.ToLower(word)]
}

// longestRange is the maximum number of bytes of a row in which its range is sought.
const longestRange = 64

// markRanges adds the numbers of the question to the rows into whose ranges they fall. The rows must follow each
// other, and their ranges must be disjoint.
func (q *questionWords) markRanges(units []weighedUnit, document string) {
	if len(q.asked) == 0 {
		return
	}
	for i := 0; i < len(units); i++ {
		first, ranges := i, []numberRange(nil)
		for ; i < len(units) && !units[i].isHeadingOrLead(); i++ {
			n, ok := rangeOf(document[units[i].Start:units[i].End])
			if !ok || slices.ContainsFunc(ranges, func(o numberRange) bool { return !n.isDisjoint(o) }) {
				break
			}
			ranges = append(ranges, n)
		}
		if len(ranges) > 1 {
			q.markRows(units, first, ranges, document)
		}
		if len(ranges) > 0 {
			i-- // the row that ended them may begin others
		}
	}
}

// markRows adds the numbers of the question, and its words in the names of the columns, to the rows from the given
// unit on into whose ranges they fall. Rows in
// a text without marks for tables, such as that of a PDF, get the short line before them as the names of their
// columns.
func (q *questionWords) markRows(units []weighedUnit, first int, ranges []numberRange, document string) {
	rows := units[first : first+len(ranges)]
	isAsked := func(n numberRange) bool {
		return slices.ContainsFunc(q.asked, func(a askedNumber) bool { return n.contains(a.value) })
	}
	if !slices.ContainsFunc(ranges, isAsked) {
		return
	}
	if first > 0 && !rows[0].IsItemRowOrCodeLine && isHeaderLine(units[first-1], document) {
		makeTable(&units[first-1], rows, document)
	}
	for i, n := range ranges {
		for _, a := range q.asked {
			if n.contains(a.value) {
				rows[i].words |= 1<<a.word | rows[i].above
			}
		}
	}
}

// isHeaderLine reports whether a unit may hold the names of columns: it is short and no sentence.
func isHeaderLine(u weighedUnit, document string) bool {
	said := document[u.Start:u.End]
	return !u.isHeadingOrLead() && !isListed(u) && u.size <= longestHeader && !strings.ContainsRune(sentenceEnds, lastRune(said))
}

// makeTable makes a unit the header of the following ones, which become rows.
func makeTable(header *weighedUnit, rows []weighedUnit, document string) {
	header.IsIntroduction = true
	columns := []string{strings.Join(strings.Fields(document[header.Start:header.End]), " ")}
	for i := range rows {
		row := &rows[i]
		row.GroupNumber, row.IsItemRowOrCodeLine, row.Context, row.above = header.GroupNumber, true, columns, header.words
	}
}

// dropTrailingHeader removes the names of columns from the end of a range of which no row is shown: a short line
// without a number before a line with numbers, neither of them a sentence.
func dropTrailingHeader(units []weighedUnit, first, end int, document string) int {
	if end == len(units) || end < first+2 || !isHeaderLine(units[end-1], document) || !isHeaderLine(units[end], document) {
		return end
	}
	last, next := document[units[end-1].Start:units[end-1].End], document[units[end].Start:units[end].End]
	if strings.Contains(last, "\n") || strings.ContainsAny(last, "0123456789") || !strings.ContainsAny(next, "0123456789") {
		return end
	}
	return end - 1
}
