package analysis

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"vademecum/internal/base/lazyregexp"
)

// dayOfMonth matches a day and a month, without a year: 14 March, March 14th, 3月14日.
var dayOfMonth = lazyregexp.New(`\b([0-9]{1,2})(?:st|nd|rd|th|er|\.)?[ -](?:of )?(\pL{3,9})|(\pL{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?\b|([0-9]{1,2})月([0-9]{1,2})[日号號]`)

// yearlessDay is a day and month without a year in a text.
type yearlessDay struct {
	wordRun
	month, day int
}

// daysWithoutYear returns the days of a month in a text that have no year.
func daysWithoutYear(text string) (days []yearlessDay) {
	for from := 0; from < len(text); {
		at := dayOfMonth.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[from+at[2*i] : from+at[2*i+1]]
		}
		d := yearlessDay{wordRun: wordRun{start: from + at[0], end: from + at[1]}}
		next := at[1]
		switch dayFirst, monthFirst := group(2), group(3); {
		case dayFirst != "":
			d.month, next = monthAmidNumbers(dayFirst), at[2*2] // "meeting 2 May": what is not a month may end before one
			d.day, _ = parseDigits(group(1), 2)
		case monthFirst != "":
			d.month, next = monthAmidNumbers(monthFirst), at[2*4]
			d.day, _ = parseDigits(group(4), 2)
		default:
			d.month, _ = parseDigits(group(5), 2)
			d.day, _ = parseDigits(group(6), 2)
		}
		if d.month > 0 {
			next = at[1]
		}
		from += next
		if _, n := parseYearAfter(text[d.end:]); n == 0 && !strings.HasSuffix(strings.TrimRight(text[:d.start], " "), "年") && formatDay(2000, d.month, d.day) != "" {
			days = append(days, d)
		}
	}
	return days
}

// monthAmidNumbers returns the number of a month by its name, or 0. Mars with a number is the planet.
func monthAmidNumbers(name string) int {
	if name == "Mars" {
		return 0
	}
	return months[strings.ToLower(name)]
}

// askedDays returns the days without a year in a normalised query: neither amounts, as in "may 20 mg", nor the
// verb, as in "stage 4 may progress", nor parts of other tokens, which isPart reports.
func askedDays(text string, isPart func(wordRun) bool) []yearlessDay {
	days := daysWithoutYear(text)
	for _, d := range writtenDates(text) {
		if !d.isInDigits && len(d.numbers) == 2 && !strings.HasSuffix(text[:d.start], "年") {
			days = append(days, yearlessDay{d.wordRun, d.numbers[0], d.numbers[1]})
		}
	}
	return slices.DeleteFunc(days, func(d yearlessDay) bool {
		_, end := unitAt(text, d.end)
		return end > d.end || isPart(d.wordRun) || strings.HasSuffix(text[d.start:d.end], " may") && strings.TrimLeft(text[d.end:], " ?!.") != ""
	})
}

// askedDaysOf returns the days without a year in a normalised query.
func askedDaysOf(text string) []yearlessDay {
	tokens := sync.OnceValue(func() []specialToken { return specialTokens(text) })
	return askedDays(text, func(r wordRun) bool {
		return slices.ContainsFunc(tokens(), func(w specialToken) bool {
			return !w.isGeneral && !w.isVariant && w.start < r.end && r.start < w.end
		})
	})
}

// term returns the term of the day, which no text has.
func (d yearlessDay) term() string { return fmt.Sprintf("%c--%02d-%02d", specialField, d.month, d.day) }

// forms returns the terms of the day in each year of now.
func (d yearlessDay) forms() (terms []string) {
	for year := firstYearOfMonths; year <= lastYearOfMonths; year++ {
		terms = append(terms, string(specialField)+formatDay(year, d.month, d.day))
	}
	return terms
}

// dayPart is the weight of a day without a year beside the words that say it. With 0.3, "what did we buy on May 2"
// finds a plan of room 2 before the notes of that day; with 1, a text with the day as asked falls far behind files of it.
const dayPart = 0.6

// addYearlessDays adds the days without a year in a query: the day of any year counts as each of the words that say
// it, and raises a text above those that have the words apart.
func (q *Question) addYearlessDays(text string) {
	for _, d := range askedDaysOf(text) {
		forms := d.forms()
		q.OtherSpellings[d.term()] += dayPart
		q.EquivalentTerms[d.term()] = forms
		for r := range runsOf(text[d.start:d.end]) {
			if t := termOfWord(text[d.start+r.start : d.start+r.end]); q.ContentTerms[t] > 0 {
				q.EquivalentTerms[t] = slices.Concat(q.EquivalentTerms[t], forms)
			}
		}
	}
}
