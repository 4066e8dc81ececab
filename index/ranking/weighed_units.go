package ranking

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"vademecum/docs/chunk"
	"vademecum/index/lexical/analysis"
	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// questionWords holds the words of a question, to be found in texts.
type questionWords struct {
	weights []float64      // weights of the words, heaviest first, as many as fit in a wordSet
	numbers map[string]int // by term, the index in weights of the word
	begin   analysis.TermPrefixFilter
	asked   []askedNumber // numbers that may fall into the ranges of a table
}

// wordSet is a bit set of the words of a question.
type wordSet uint64

// mostWords is the capacity of a wordSet.
const mostWords = 64

// newQuestionWords combines the words of all phrasings: a word in several phrasings has its highest
// weight.
func newQuestionWords(words []search.Word) *questionWords {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b search.Word) int { return cmp.Compare(b.Weight, a.Weight) })
	q := &questionWords{numbers: make(map[string]int)}
	for _, w := range words {
		if number := q.addWord(w); number < mostWords {
			for _, t := range w.Forms {
				q.numbers[t] = number
				q.begin.Add(t)
			}
		}
	}
	return q
}

// addWord returns the number of a word, which is a new one if none of its forms is known.
func (q *questionWords) addWord(w search.Word) int {
	for _, t := range w.Forms {
		if number, known := q.numbers[t]; known {
			return number
		}
	}
	if len(q.weights) < mostWords {
		q.weights = append(q.weights, w.Weight)
		return len(q.weights) - 1
	}
	return mostWords
}

// weight returns the total weight of the words in a set.
func (q *questionWords) weight(words wordSet) (sum float64) {
	for words &= 1<<len(q.weights) - 1; words != 0; words &= words - 1 {
		sum += q.weights[bits.TrailingZeros64(uint64(words))]
	}
	return sum
}

// weighedUnit is a unit of a text with the words of the question in it.
type weighedUnit struct {
	chunk.PassageUnit
	size  int // length in characters
	words wordSet
	label wordSet // words of the question before its colon, as in "fax: 030 1234", or in the header of a mail
	// words in the headers of its columns, or in the lead of its list, which are shown with it
	above wordSet
}

// isHeadingOrLead reports whether a unit introduces the following units.
func (u weighedUnit) isHeadingOrLead() bool { return u.IsHeading || u.IsIntroduction }

// isText reports whether a unit does not introduce others.
func (u weighedUnit) isText() bool { return !u.isHeadingOrLead() }

// hasQuestionWord reports whether a unit has a word of the question.
func (u weighedUnit) hasQuestionWord() bool { return u.words != 0 }

// weighUnits splits a passage into units, and finds the words of the question in each.
func (q *questionWords) weighUnits(p *Passage, document string) []weighedUnit {
	var units []weighedUnit
	for _, u := range chunk.SplitPassage(document, p.Span, p.Document.TextMIME) {
		units = append(units, weighedUnit{PassageUnit: u, size: utf8.RuneCountInString(document[u.Start:u.End])})
	}
	for at, term := range analysis.TermOccurrences(p.Traits.Language, p.Text, &q.begin) {
		number, isAsked := q.numbers[term]
		if !isAsked {
			continue
		}
		behind := sort.Search(len(units), func(i int) bool { return units[i].Start > p.Span.StartByte+at })
		u := &units[max(0, behind-1)]
		u.words |= 1 << number
		if isInLabel(document[u.Start:u.End], p.Span.StartByte+at-u.Start) {
			u.label |= 1 << number
		}
	}
	addLeadWords(units)
	q.markRanges(units, document)
	labelMailHeaders(units, document)
	return units
}

// mailHeader matches the header of a mail as docs/extract/mail writes it.
var mailHeader = lazyregexp.New(`^(?:From|To|Cc|Date): .*(?:\n(?:From|To|Cc|Date): .*)+(?:\n|$)`)

// labelMailHeaders makes the words in the header of a mail labels, which are shown with the text if they are
// near, if the text has words of the question too: names in addresses tell less than what the mail says.
func labelMailHeaders(units []weighedUnit, document string) {
	isHeader := func(u weighedUnit) bool {
		return u.words != 0 && !u.IsItemRowOrCodeLine && mailHeader.MatchString(document[u.Start:u.End])
	}
	answers := func(u weighedUnit) bool { return u.words != 0 && !u.isHeadingOrLead() && !isHeader(u) }
	if !slices.ContainsFunc(units, isHeader) || !slices.ContainsFunc(units, answers) {
		return
	}
	for i := range units {
		if u := &units[i]; isHeader(*u) {
			u.words, u.label = 0, u.label|u.words
		}
	}
}

// inTitles returns the words of the question in the title of a passage's document and in its headings.
func (q *questionWords) inTitles(p *Passage) wordSet {
	return q.inText(p.Traits.Language, strings.Join(append([]string{p.Document.Title}, p.Heading...), "\n"))
}

// inText returns the words of the question in a text.
func (q *questionWords) inText(language script.Language, text string) (words wordSet) {
	for _, term := range analysis.TermOccurrences(language, text, &q.begin) {
		if number, isAsked := q.numbers[term]; isAsked {
			words |= 1 << number
		}
	}
	return words
}

// isInLabel reports whether an offset in a text is before the colon of a label in its line.
func isInLabel(of string, at int) bool {
	if at < 0 {
		return false
	}
	start := strings.LastIndexByte(of[:at], '\n') + 1
	line, _, _ := strings.Cut(of[start:], "\n")
	label, what, isNamed := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	return isNamed && at-start < len(label) && strings.TrimSpace(what) != "" && utf8.RuneCountInString(label) <= mostLabel
}

// addLeadWords adds the words of its lead to each unit of a list or table: the lead is shown with
// any of them, and does not distinguish them.
func addLeadWords(units []weighedUnit) {
	var lead wordSet
	for i := range units {
		if i > 0 && units[i].GroupNumber != units[i-1].GroupNumber {
			lead = 0
		}
		if units[i].IsIntroduction {
			lead |= units[i].words
		} else {
			units[i].above = lead
		}
	}
}
