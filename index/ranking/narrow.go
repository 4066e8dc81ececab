package ranking

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/search"
	"vademecum/internal/base/lazyregexp"
)

// narrowPassages reduces each long passage to the part that answers the question: the units with
// the most of its words, and as much around them as is worth reading. Passages found by meaning or
// by parts of words stay whole, unless many passages are wanted.
func narrowPassages(_ context.Context, r *Ranking) error {
	if r.SingleLines {
		whole := make([]Passage, len(r.chosen))
		for i, p := range r.chosen {
			whole[i] = *p
		}
		defer func() { r.addLinesOfNames(whole) }()
	}
	for _, p := range r.chosen {
		shown := r.shownLength(p)
		if !r.SingleLines && !p.isLongerThan(min(shown, shownMost)) {
			continue
		}
		document := r.bodies[p.Document].Text
		words := newQuestionWords(p.weighWords(r.found.Words))
		units := words.weighUnits(p, document)
		if !slices.ContainsFunc(units, weighedUnit.hasQuestionWord) && (r.PassagesPerPage <= shownWhole && !r.SingleLines || len(units) == 0) {
			continue
		}
		if r.SingleLines {
			p.reduceToLine(words, units, document)
			continue
		}
		first, end := words.bestRange(units, shown)
		if shown > shownMost {
			shown = min(shown, max(shownMost, spread(units[first:end])+shownAround))
			end = rangeEnd(units, first, shown)
		}
		if !p.isLongerThan(shown) {
			continue
		}
		first, end = extendToLabels(units, skipRepeatedGroups(units, first, end), end)
		first, end = extendToGroups(units, first, end, shown)
		p.showUnits(words, units, first, end, document)
		p.addCut(words, units, first, end, document)
	}
	return nil
}

// reduceToLine reduces a passage to the line that answers the question, and to the items of the same list or
// table that answer nearly as well and are near. Such items that are not near are recorded in OmittedSpans.
func (p *Passage) reduceToLine(words *questionWords, units []weighedUnit, document string) {
	isStruckOut := newStrikes(document)
	cited := words.inTitles(p)
	line := words.answeringLine(units, document, cited, isStruckOut)
	end := answerEnd(units, line, document)
	if end < len(units) && isStruckOut(units[end-1]) && !isStruckOut(units[end]) && !units[end].isHeadingOrLead() {
		end++ // includes what may hold instead
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

// showUnits reduces a passage to a range of units.
func (p *Passage) showUnits(words *questionWords, units []weighedUnit, first, end int, document string) {
	best := units[first+words.bestLine(units[first:end], newStrikes(document))]
	p.BestLine = document[best.Start:best.End]
	last := units[end-1].End
	p.keepOnly(afterEndMark(document[:last], units[first].Start), last, document)
	p.addHeadings(units[first].Context)
}

// addCut records in OmittedSpans the rest of a list or table that was cut, and other parts that were cut
// and match the question nearly as well as the best part shown, or have words of it that are not shown.
func (p *Passage) addCut(words *questionWords, units []weighedUnit, first, end int, document string) {
	if rest := groupEnd(units, end-1); rest > end && isListed(units[end]) {
		p.addRest(text.SpanOf(document, units[end].Start, units[rest-1].End))
	}
	most, shown := 0.0, words.inTitles(p)
	for _, u := range units[first:end] {
		most, shown = max(most, words.weight(u.words)), shown|u.words|u.above|u.label
	}
	isNamed := func(i int) bool {
		isCut, u := i < first || i >= end, units[i]
		if !isCut || u.isHeadingOrLead() {
			return false
		}
		return u.label != 0 || u.words != 0 && (words.weight(u.words) >= namedOfBest*most || words.weight(u.words&^shown) >= otherOfBest*most)
	}
	p.addRuns(units, document, isNamed)
}

// addRuns records in OmittedSpans each run of units for which isNamed returns true, up to mostRest.
func (p *Passage) addRuns(units []weighedUnit, document string, isNamed func(int) bool) {
	for i := 0; i < len(units) && len(p.OmittedSpans) < mostRest; i++ {
		if !isNamed(i) {
			continue
		}
		start := i
		for i+1 < len(units) && isNamed(i+1) {
			i++
		}
		p.addRest(text.SpanOf(document, units[start].Start, units[i].End))
	}
}

// weighWords weighs the words of a question for a passage: the words of each phrasing by the square
// of the passage's score for it, relative to the phrasing that found the passage.
func (p *Passage) weighWords(words []search.Word) []search.Word {
	most := slices.Max(p.ScoresByPhrasing[:])
	if most == 0 {
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		share := float64(p.ScoresByPhrasing[words[i].PhrasingIndex] / most)
		words[i].Weight *= share * share
	}
	return words
}

// isLongerThan reports whether a passage is much longer than the given number of characters.
func (p *Passage) isLongerThan(shown int) bool {
	return utf8.RuneCountInString(p.Text) > int(shownSlack*float64(shown))
}

// shownLength returns how many characters of a passage are worth reading.
func (r *Ranking) shownLength(p *Passage) int {
	if r.SingleLines {
		return shownBrief
	}
	most, joined, many := float64(shownMost), shownJoined*float64(p.last-p.first), 1.0
	if r.PassagesPerPage > shownWhole {
		many = shownWhole / float64(r.PassagesPerPage)
	}
	if p == r.chosen[0] {
		return int(many * (shownBest + joined))
	}
	share := ShareOfBest(p.Score, r.chosen[0].Score)
	return int(max(shownLeast, many*(most+joined)*share*share*share*share))
}

// keepOnly reduces a passage to the text between two offsets in its document.
func (p *Passage) keepOnly(start, end int, document string) {
	p.Span = text.SpanOf(document, start, end)
	p.Text = document[start:end]
	var shown []search.Chunk
	for _, c := range p.chunks {
		if c.Span.EndByte <= start || end <= c.Span.StartByte {
			p.OmittedSpans = append(p.OmittedSpans, c.Span)
		} else {
			shown = append(shown, c)
		}
	}
	if len(p.OmittedSpans) == 0 || len(shown) == 0 {
		return
	}
	p.chunks, p.Heading, p.first, p.last = shown, shown[0].Heading, shown[0].Number, shown[0].Number
	for _, c := range shown[1:] {
		p.Heading, p.first, p.last = commonStart(p.Heading, c.Heading), min(p.first, c.Number), max(p.last, c.Number)
	}
	p.sortRest()
}

// isListed reports whether a unit belongs to a list or a table.
func isListed(u weighedUnit) bool { return len(u.Context) > 0 }

// addRest records in OmittedSpans the rest of a list or table that was cut, unless it overlaps with
// another chunk that matches too.
func (p *Passage) addRest(rest text.Span) {
	for _, r := range p.OmittedSpans {
		if r.StartByte < rest.EndByte && rest.StartByte < r.EndByte {
			return
		}
	}
	p.OmittedSpans = append(p.OmittedSpans, rest)
	p.sortRest()
}

func (p *Passage) sortRest() {
	slices.SortFunc(p.OmittedSpans, func(a, b text.Span) int { return cmp.Compare(a.StartByte, b.StartByte) })
}

// addHeadings appends the further headings above a passage to its headings.
func (p *Passage) addHeadings(above []string) {
	if n := len(p.Heading); n > 0 && len(above) > 0 && p.Heading[n-1] == above[len(above)-1] {
		return
	}
	p.Heading = append(slices.Clip(p.Heading), above...)
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

// answeringLine returns the unit that best answers the question, to be shown alone. Headings and leads,
// which are in the citation, are none, even if nothing below them has a word of the question; what a lead
// introduces has half of its words. The words of cited, which title and headings have, hold for each line,
// so they only decide between lines with the same other words. A unit that is struck out as a whole is taken
// only if no other unit has a word of the question.
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

// afterEndMark returns an offset of a document, or, if the mark there ends struck-out text, the offset after it:
// in "~~One。~~Two。", the second sentence begins after the mark.
func afterEndMark(document string, offset int) int {
	if rest, ok := strings.CutPrefix(document[offset:], struck.Mark); !ok || rest == "" {
		return offset
	}
	for _, s := range struck.Find(document) {
		if s.Inner().End == offset {
			return s.End
		}
	}
	return offset
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

// answerEnd returns the end of what is shown of a single line. A short line that stands alone and is no
// sentence may be a title without the marks of one, so it includes the next line.
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

// bestRange returns the range of units of a given length that best answers the question: among
// those that begin with a word of the question, or the first range if none does.
func (q *questionWords) bestRange(units []weighedUnit, shown int) (first, end int) {
	end = rangeEnd(units, 0, shown)
	most := 0.0
	for i := range units {
		if units[i].words == 0 {
			continue
		}
		e := rangeEnd(units, i, shown)
		value := q.valueOf(units[i:e])
		if !slices.ContainsFunc(units[i:e], weighedUnit.isText) {
			value /= 1000 // the citation has the headings
		}
		if value > most {
			most, first, end = value, i, e
		}
	}
	return first, end
}

// spread returns the length, in characters, of the units up to the last one with a word of the question.
func spread(units []weighedUnit) int {
	last := 0
	for i, u := range units {
		if u.words != 0 {
			last = i + 1
		}
	}
	return lengthOfUnits(units[:last])
}

// skipRepeatedGroups returns the start of a range without the groups at its beginning whose words
// of the question also occur in the rest.
func skipRepeatedGroups(units []weighedUnit, first, end int) int {
	for {
		next := groupEnd(units, first)
		if next >= end || wordsOfUnits(units[first:next])&^wordsOfUnits(units[next:end]) != 0 {
			return first
		}
		first = next
	}
}

func wordsOfUnits(units []weighedUnit) (words wordSet) {
	for _, u := range units {
		words |= u.words
	}
	return words
}

// valueOf returns how well the units match the question: the weight of its words in them, and more for
// repeated words and for many words in one unit.
func (q *questionWords) valueOf(units []weighedUnit) float64 {
	all, again, densest := wordSet(0), wordSet(0), 0.0
	for _, u := range units {
		again |= all & u.words
		all |= u.words | u.above
		if !u.IsIntroduction { // a lead is shown with each unit that it introduces
			densest = max(densest, q.weight(u.words))
		}
	}
	return q.weight(all) + againPart*q.weight(again) + denserPart*densest
}

// rangeEnd returns the end of the range of units that begins with the given one and has at most the
// given length, unless the first unit alone is longer. It does not end with a heading or lead.
func rangeEnd(units []weighedUnit, first, shown int) (end int) {
	left := shown - units[first].size
	for end = first + 1; end < len(units) && units[end].size <= left; end++ {
		left -= units[end].size
	}
	return dropTrailingLeads(units, first, end)
}

// dropTrailingLeads removes headings and leads from the end of a range, except its first unit.
func dropTrailingLeads(units []weighedUnit, first, end int) int {
	for end > first+1 && units[end-1].isHeadingOrLead() {
		end--
	}
	return end
}

// extendToLabels extends a range to nearby lines whose label contains a word of the question, if no
// label in the range does.
func extendToLabels(units []weighedUnit, first, end int) (int, int) {
	labels := wordSet(0)
	for _, u := range units[first:end] {
		labels |= u.label
	}
	from, to := first, end
	for i, u := range units {
		switch {
		case u.label&^labels == 0:
		case i < from && lengthOfUnits(units[i:first]) <= mostToLabel:
			from = i
		case i >= to && lengthOfUnits(units[end:i+1]) <= mostToLabel:
			to = i + 1
		}
	}
	return from, to
}

// extendToGroups extends a range to whole groups of units, such as paragraphs, at both ends, if that does
// not make it much longer than shown characters, and then by preceding units as long as there is room.
func extendToGroups(units []weighedUnit, first, end, shown int) (int, int) {
	most := int(wholeSlack * float64(shown))
	size := lengthOfUnits(units[first:end])
	if rest := lengthOfUnits(units[end:groupEnd(units, end-1)]); size+rest <= most {
		size += rest
		end = groupEnd(units, end-1)
	}
	if before := lengthOfUnits(units[groupStart(units, first):first]); size+before <= most {
		size += before
		first = groupStart(units, first)
	}
	for first > 0 {
		start := first - 1
		if units[start].GroupNumber != units[first].GroupNumber { // a part of another group is of little use
			start = groupStart(units, start)
		}
		before := lengthOfUnits(units[start:first])
		if size+before > shown {
			break
		}
		size += before
		first = start
	}
	end = dropTrailingLeads(units, first, end)
	for end < len(units) && units[end-1].isHeadingOrLead() {
		end++ // includes what it introduces
	}
	return first, end
}

func lengthOfUnits(units []weighedUnit) (size int) {
	for _, u := range units {
		size += u.size
	}
	return size
}

// groupStart returns the first unit of a unit's group.
func groupStart(units []weighedUnit, of int) int {
	for of > 0 && units[of-1].GroupNumber == units[of].GroupNumber {
		of--
	}
	return of
}

// groupEnd returns the end of a unit's group.
func groupEnd(units []weighedUnit, of int) int {
	group := units[of].GroupNumber
	for of < len(units) && units[of].GroupNumber == group {
		of++
	}
	return of
}
