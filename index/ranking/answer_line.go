package ranking

import (
	"slices"
	"strings"

	"vademecum/docs/struck"
	"vademecum/internal/base/lazyregexp"
)

// reduceToLine reduces a passage to the line that answers the question, and to the items of the same list or
// table that answer nearly as well and are near. Such items that are not near are recorded in OmittedSpans.
func (p *Passage) reduceToLine(words *questionWords, units []weighedUnit, document string) {
	isStruckOut := newStrikes(document)
	cited := words.inTitles(p)
	line := words.answeringLine(units, document, cited, isStruckOut)
	end := answerEnd(units, line, document)
	if end < len(units) && isStruckOut(units[end-1]) && !isStruckOut(units[end]) && !units[end].isHeadingOrLead() {
		end++ // includes what may be valid instead
	}
	least, mostLacking := namedOfBest*words.lineValue(units[line], cited), (1-namedOfBest)*words.weight(units[line].words)
	isEqual := func(i int) bool {
		return least > 0 && units[line].IsItemRowOrCodeLine && units[i].IsItemRowOrCodeLine && !isStruckOut(units[i]) &&
			words.lineValue(units[i], cited) >= least && words.weight(units[line].words&^units[i].words) <= mostLacking
	}
	first, end := extendToItems(units, line, end, isEqual)
	p.showUnits(words, units, first, end, document)
	p.addRuns(units, document, func(i int) bool { return isEqual(i) && (i < first || i >= end) })
}

// extendToItems extends a range, which begins with an item, to the other items of the same list or table for
// which isEqual returns true, as long as it has at most shownItems characters.
func extendToItems(units []weighedUnit, item, end int, isEqual func(int) bool) (first, last int) {
	first, last = item, end
	for i := item - 1; i >= 0 && isBesideOrBelow(units[i], units[item]) && lengthOfUnits(units[i:last]) <= shownItems; i-- {
		if isEqual(i) {
			first = i
		}
	}
	for i := end; i < len(units) && isBesideOrBelow(units[i], units[item]) && lengthOfUnits(units[first:i+1]) <= shownItems; i++ {
		if isEqual(i) {
			last = i + 1
		}
	}
	return first, last
}

// isBesideOrBelow reports whether a unit belongs to the same list or table as an item, and not to an item that
// contains that one.
func isBesideOrBelow(u, item weighedUnit) bool {
	n := len(item.Context)
	return u.GroupNumber == item.GroupNumber && !u.isHeadingOrLead() && len(u.Context) >= n && slices.Equal(u.Context[:n], item.Context)
}

// bestLine returns the unit that best answers the question, without headings, leads and what is struck out if
// another unit has a word of the question.
func (q *questionWords) bestLine(units []weighedUnit, isStruckOut func(weighedUnit) bool) (best int) {
	most := -1.0
	for i := range units {
		value := q.weight(units[i].words)
		if units[i].isHeadingOrLead() || isStruckOut(units[i]) {
			value /= 1000
		}
		if value > most {
			most, best = value, i
		}
	}
	return best
}

// answeringLine returns the unit that best answers the question, to be shown alone. It returns no heading
// or lead, which the citation shows, even if nothing below has a word of the question; the words of a lead
// count half for what it introduces. The words in cited, those of the title and the headings, apply to each
// line, so they only decide between lines with the same other words. A unit that is struck out as a whole
// is returned only if no other unit has a word of the question.
func (q *questionWords) answeringLine(units []weighedUnit, document string, cited wordSet, isStruckOut func(weighedUnit) bool) int {
	best, most := -1, -1.0
	for i, u := range units {
		if u.isHeadingOrLead() || !strings.ContainsFunc(document[u.Start:u.End], isWritten) {
			continue
		}
		value := q.lineValue(u, cited)
		if isStruckOut(u) {
			value /= 1000
		}
		if value > most {
			best, most = i, value
		}
	}
	if best < 0 {
		return q.bestLine(units, isStruckOut)
	}
	return best
}

// lineValue returns how well a unit answers the question if it is shown alone: see answeringLine.
func (q *questionWords) lineValue(u weighedUnit, cited wordSet) float64 {
	valueOf := func(words wordSet) float64 {
		return q.weight(words&u.words) + leadShare*q.weight(words&u.above&^u.words)
	}
	return valueOf(^cited) + citedShare*valueOf(cited)
}

// newStrikes returns a function that reports whether a unit of a document is struck out as a whole.
func newStrikes(document string) func(weighedUnit) bool {
	stretches := struck.Find(document)
	if len(stretches) == 0 {
		return func(weighedUnit) bool { return false }
	}
	return func(u weighedUnit) bool {
		unit := struck.Excerpt(document, stretches, u.Start, u.End)
		parts := struck.Find(unit)
		return len(parts) > 0 && emptyItem.MatchString(struck.WithoutStruck(unit, parts).Text)
	}
}

// emptyItem matches what is left of a line, such as a list item, of which all is struck out.
var emptyItem = lazyregexp.New(`^[^\pL\pN]*(?:\d+[.)])?[^\pL\pN]*$`)

// answerEnd returns the end of the text that is shown for a single line. A short line that stands alone and
// is no sentence may be an unmarked title, so the next line is included.
func answerEnd(units []weighedUnit, line int, document string) int {
	next := line + 1
	said := strings.TrimRight(document[units[line].Start:units[line].End], formatMarks)
	if next == len(units) || units[next].isHeadingOrLead() || units[line].size > longestTitle || strings.ContainsRune(sentenceEnds, lastRune(said)) {
		return next
	}
	isAlone := groupStart(units, line) == line && groupEnd(units, line) == next && !isListed(units[line])
	if isAlone || len(units[next].Context) > len(units[line].Context) {
		return next + 1
	}
	return next
}
