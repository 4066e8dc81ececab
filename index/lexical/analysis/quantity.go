package analysis

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A unit of measurement is a multiple of the smallest one of its dimension.
type unit struct {
	dimension string
	factor    float64
}

// count is the dimension of numbers without a unit, which may be written with words such as million.
const count = "count"

// leastCount is the smallest number that is written with such a word.
const leastCount = 1000

// unitsByName are units of doses and amounts of substances, which texts hardly ever write in words, as they do
// "two days".
var unitsByName = map[string]unit{
	"mg": {"mass", 1e3}, "milligram": {"mass", 1e3}, "milligrams": {"mass", 1e3}, "毫克": {"mass", 1e3},
	"\u00b5g": {"mass", 1}, "\u03bcg": {"mass", 1}, "mcg": {"mass", 1}, "ug": {"mass", 1}, "microgram": {"mass", 1}, "micrograms": {"mass", 1}, "微克": {"mass", 1},
	"g": {"mass", 1e6}, "gram": {"mass", 1e6}, "grams": {"mass", 1e6}, "克": {"mass", 1e6},
	"kg": {"mass", 1e9}, "公斤": {"mass", 1e9}, "千克": {"mass", 1e9},
	"ml": {"volume", 1}, "毫升": {"volume", 1}, "cl": {"volume", 10}, "l": {"volume", 1e3}, "升": {"volume", 1e3},
	"million": {count, 1e6}, "millions": {count, 1e6}, "mio": {count, 1e6}, "millionen": {count, 1e6}, "万": {count, 1e4}, "萬": {count, 1e4}, "亿": {count, 1e8}, "億": {count, 1e8},
	"mmol": {"substance", 1}, "mol": {"substance", 1e3}, "iu": {"activity", 1}, "ie": {"activity", 1},
}

// longestUnit is the maximum length of the name of a unit, in bytes.
const longestUnit = len("micrograms")

// Words and signs between numbers that have one unit: those of a list, and those of a range.
var (
	listMarks  = strings.Fields(", / ; | 、 and or und oder et ou 和 或 及")
	rangeMarks = strings.Fields("- – — ~ to bis à 至 到")
)

// A quantity is a number with a unit.
type quantity struct {
	dimension  string
	least      float64 // in the smallest unit; less than most in a range
	most       float64
	start, end int // byte offsets
}

// contains reports whether a quantity is the same as another or, if it is a range, contains it.
func (q quantity) contains(other quantity) bool {
	const slack = 1e-9
	return q.dimension == other.dimension && q.least <= other.most*(1+slack) && other.least <= q.most*(1+slack)
}

// quantitiesIn returns the quantities in a text. Each number of a list is one: "20, 30 and 40 mg".
func quantitiesIn(text string) (all []quantity) {
	var numbers []quantity // a list of numbers without a unit so far
	for at := 0; at < len(text); {
		if !isDigitByte(text[at]) {
			at++
			continue
		}
		value, length := parseValue(text[at:])
		number, err := strconv.ParseFloat(value, 64)
		if length == 0 || err != nil {
			at += max(1, runLength(text[at:], func(r rune) bool { return r == ' ' || unicode.IsDigit(r) }))
			numbers = nil
			continue
		}
		next := quantity{least: number, most: number, start: at, end: at + length}
		if last := len(numbers) - 1; last >= 0 {
			switch between := strings.ToLower(strings.TrimSpace(text[numbers[last].end:at])); {
			case slices.Contains(rangeMarks, between):
				next.start, next.least = numbers[last].start, numbers[last].most
				numbers = numbers[:last]
			case !slices.Contains(listMarks, between):
				numbers = nil
			}
		}
		if number >= leastCount {
			all = append(all, quantity{dimension: count, least: number, most: number, start: at, end: next.end})
		}
		numbers = append(numbers, next)
		at = next.end
		if unit, end := unitAt(text, at); end > at {
			for _, n := range numbers {
				n.dimension, n.least, n.most, n.end = unit.dimension, n.least*unit.factor, n.most*unit.factor, end
				all = append(all, n)
			}
			// "20 mg to 40 mg" is a range too
			numbers, at = []quantity{{least: number, most: number, start: next.start, end: end}}, end
		}
	}
	return all
}

// unitAt returns the unit that follows a number at an offset of a text, and its end; the offset if there is none.
func unitAt(text string, at int) (u unit, end int) {
	rest := strings.TrimLeft(text[at:], " -\u00a0\u202f")
	start := len(text) - len(rest)
	if start-at > len("\u202f") {
		return unit{}, at
	}
	if name := rest[:runLength(rest, isWord)]; len(name) > 0 && len(name) <= longestUnit {
		if u, ok := unitsByName[strings.ToLower(name)]; ok {
			return u, start + len(name)
		}
	}
	for _, length := range []int{len("毫克"), len("克")} { // the characters of a sign, before others
		if length <= len(rest) {
			if u, ok := unitsByName[rest[:length]]; ok && rest[0] >= 0x80 {
				return u, start + length
			}
		}
	}
	return unit{}, at
}

// askedQuantities returns the quantities of a question as names: texts with others do not answer it as asked.
func askedQuantities(text string) (names []AskedName) {
	return slices.DeleteFunc(numbersIn(text), func(n AskedName) bool { return n.quantity.dimension == count })
}

// AskedNumbers returns the numbers of a question that texts may have in another unit or with a word such as million.
func AskedNumbers(question string) []AskedName { return numbersIn(normalizeQuestion(question)) }

func numbersIn(text string) (names []AskedName) {
	for _, q := range quantitiesIn(text) {
		if q.least == q.most && q.least > 0 {
			names = append(names, AskedName{Text: text[q.start:q.end], quantity: q, number: text[q.start : q.start+runLength(text[q.start:], unicode.IsDigit)]})
		}
	}
	return names
}

// IsQuantity reports whether the name is a number with a unit.
func (n AskedName) IsQuantity() bool { return n.quantity.dimension != "" }

// IsNumberOf reports whether a word has the number of a quantity, and no other.
func (n AskedName) IsNumberOf(word string) bool {
	if !n.IsQuantity() || strings.Contains(n.Text, word) {
		return n.IsQuantity()
	}
	before, after, found := strings.Cut(word, n.Text)
	last, _ := utf8.DecodeLastRuneInString(before)
	return found && !containsDigit(before+after) && !isLetterOrDigit(last) && last != '-' // not of a code
}

// quantityStandingIn returns how a text has a quantity: itself, in any unit or as part of a range, or only others
// of its dimension.
func (n AskedName) quantityStandingIn(text string) NamePresence {
	standing := NameAbsent
	for _, q := range quantitiesIn(text) {
		if q.contains(n.quantity) {
			return NamePresent
		}
		if q.dimension == n.quantity.dimension && q.dimension != count {
			standing = OnlySimilarName
		}
	}
	if standing == OnlySimilarName && n.mayBeInTable(text) {
		return NamePresent
	}
	return standing
}

// mayBeInTable reports whether a text has the number of a quantity where its unit may be in the head of a
// column.
func (n AskedName) mayBeInTable(text string) bool {
	for start, end := range occurrencesOf(text, n.number) {
		before, after := strings.TrimRight(text[:start], " "), strings.TrimLeft(text[end:], " ")
		if endsCell(lastRuneOf(before)) && endsCell(firstRuneOf(after)) {
			return true
		}
	}
	return false
}

// endsCell reports whether a character stands between cells of a table; at either end of a text there is none.
func endsCell(r rune) bool { return r == utf8.RuneError || strings.ContainsRune("|\t,;\n", r) }

// isQuantity reports whether a word is a number with a unit, which does not name a thing.
func isQuantity(word string) bool {
	all := quantitiesIn(word)
	return len(all) > 0 && all[len(all)-1].end == len(word) && !slices.ContainsFunc(all, func(q quantity) bool { return q.start > 0 })
}
