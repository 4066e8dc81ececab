package ranking

import (
	"slices"
	"strings"
	"unicode"

	"vademecum/docs/struck"
	"vademecum/index/lexical/analysis"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// reduceToLine reduces a passage to the line that answers the question, and to the items of the same list or
// table that answer nearly as well and are near. Such items that are not near are recorded in OmittedSpans.
func (p *Passage) reduceToLine(words *questionWords, units []weighedUnit, document string) {
	isStruckOut := newStrikes(document)
	cited := words.inTitles(p)
	line := words.answeringLine(units, document, cited, isStruckOut)
	end := line + 1
	if !isStruckOut(units[line]) {
		end = words.answerEnd(units, line, document, cited, p.Traits.Language)
	}
	if end < len(units) && isStruckOut(units[end-1]) && !isStruckOut(units[end]) && !units[end].isHeadingOrLead() {
		end++ // includes what may be valid instead
	}
	least, mostLacking := namedOfBest*words.lineValue(units[line], cited), (1-namedOfBest)*words.weight(units[line].words)
	isEqual := func(i int) bool {
		return least > 0 && units[line].IsItemRowOrCodeLine && units[i].IsItemRowOrCodeLine && !isStruckOut(units[i]) &&
			words.lineValue(units[i], cited) >= least && words.weight(units[line].words&^units[i].words) <= mostLacking
	}
	start, end := wholeItem(units, line, end)
	first, end := extendToItems(units, start, end, isEqual)
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

// answerEnd returns the end of what is shown of a single line. It includes the next line if this one may be a title
// without the marks of one, only repeats the question, has no word of it that is not cited, is very short and has
// less than half of it, or lacks words of it that the next one has.
func (q *questionWords) answerEnd(units []weighedUnit, line int, document string, cited wordSet, language script.Language) int {
	next := line + 1
	if next == len(units) || units[next].isHeadingOrLead() {
		return next
	}
	said := document[units[line].Start:units[line].End]
	if isQuestion(said) && isPartOfSame(units[next], units[line]) || mayBeTitle(units, line, said) {
		return next + 1
	}
	if !continues(units, line) || lengthOfUnits(units[line:next+1]) > shownItems {
		return next
	}
	matched, more := q.weight(units[line].words&^cited), q.weight(units[next].words&^(units[line].words|cited))
	isTerse := units[line].size <= longestTerse && q.weight(^(units[line].words|cited)) > matched
	end := next
	if isTerse || more > 0 && more >= otherOfBest*matched || q.repeatsQuestion(said, language) {
		end++
	}
	for matched == 0 && end < len(units) && continues(units, end-1) && lengthOfUnits(units[line:end+1]) <= shownBrief {
		end++ // nothing tells which of the lines answers
	}
	return end
}

// mayBeTitle reports whether a line that stands alone, or has lines below it, may be a title without the marks of
// one: it is short and no sentence.
func mayBeTitle(units []weighedUnit, line int, said string) bool {
	next := line + 1
	if units[line].size > longestTitle || strings.ContainsRune(sentenceEnds, lastRune(strings.TrimRight(said, formatMarks))) {
		return false
	}
	isAlone := groupStart(units, line) == line && groupEnd(units, line) == next && !isListed(units[line])
	return isAlone || len(units[next].Context) > len(units[line].Context)
}

// isQuestion reports whether a line is a question itself.
func isQuestion(said string) bool {
	return strings.ContainsRune("?？", lastRune(strings.TrimRight(said, formatMarks)))
}

// isPartOfSame reports whether a unit is in the paragraph or list item of the unit before it, or an item in that one.
func isPartOfSame(u, before weighedUnit) bool {
	return u.GroupNumber == before.GroupNumber && (!u.IsItemRowOrCodeLine || len(u.Context) > len(before.Context))
}

// repeatsQuestion reports whether a line has words of the question and little else.
func (q *questionWords) repeatsQuestion(said string, language script.Language) bool {
	if strings.ContainsFunc(said, unicode.IsDigit) { // a number may be the answer
		return false
	}
	asked := q.halfWords(said, language)
	return asked > 0 && float64(asked) >= repeatedShare*float64(analysis.ContentHalfWords(said))
}

// halfWords returns the length of the words of the question in a text, as analysis.ContentHalfWords counts.
func (q *questionWords) halfWords(said string, language script.Language) (n int) {
	counted := make(map[int]bool)
	for at, term := range analysis.TermOccurrences(language, said, &q.begin) {
		if _, isAsked := q.numbers[term]; !isAsked {
			continue
		}
		if !analysis.IsUnspacedScriptTerm(term) {
			if !counted[at] {
				n += 2
			}
			counted[at] = true
			continue
		}
		for i := range term {
			if !counted[at+i] {
				n++
			}
			counted[at+i] = true
		}
	}
	return n
}

// continues reports whether the unit after the given one is another sentence of its paragraph or list item.
func continues(units []weighedUnit, of int) bool {
	next := of + 1
	return next < len(units) && units[next].GroupNumber == units[of].GroupNumber && !units[next].IsItemRowOrCodeLine && !units[next].isHeadingOrLead()
}

// wholeItem extends a range to the whole list item that its first unit belongs to, if the item has at most
// shownItems characters.
func wholeItem(units []weighedUnit, first, end int) (int, int) {
	start, last := itemStart(units, first), first
	if !units[start].IsItemRowOrCodeLine {
		return first, end
	}
	for continues(units, last) {
		last++
	}
	if last == start || lengthOfUnits(units[start:last+1]) > shownItems {
		return first, end
	}
	return start, max(end, last+1)
}

// itemStart returns the unit that begins the list item of a unit; the unit itself if it is in none.
func itemStart(units []weighedUnit, of int) int {
	start := of
	for start > 0 && isListed(units[start]) && continues(units, start-1) {
		start--
	}
	if units[start].IsItemRowOrCodeLine {
		return start
	}
	return of
}
