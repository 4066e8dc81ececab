package ranking

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/docs/text"
	"vademecum/index/search"
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
	for i, p := range r.chosen {
		shown := r.shownLength(p)
		if !r.SingleLines {
			shown = max(shown, longestVersion(p, r.chosen[:i]))
		}
		if !r.SingleLines && !p.isLongerThan(min(shown, shownMost)) {
			continue
		}
		document := r.bodies[p.Document].Text
		words := newQuestionWords(p.weighWords(r.found.Words))
		words.addNumbers(r.Text)
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
		end = dropTrailingHeader(units, first, end, document)
		p.showUnits(words, units, first, end, document)
		p.addCut(words, units, first, end, document)
	}
	return nil
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

// isLongerThan reports whether a passage is much longer than the given number of characters, and long enough for
// what is cut to save any reading.
func (p *Passage) isLongerThan(shown int) bool {
	return utf8.RuneCountInString(p.Text) > max(shownShort, int(shownSlack*float64(shown)))
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

// longestVersion returns the length in characters of the longest of the passages before p that is from another edition
// or draft of its document. What differs in p may be at the end.
func longestVersion(p *Passage, before []*Passage) (length int) {
	for _, o := range before {
		if areEditions(&p.Candidate, &o.Candidate) || areSimilarIfSameName(&p.Candidate, &o.Candidate) && areNumbered(p.Document, o.Document) {
			length = max(length, utf8.RuneCountInString(o.Text))
		}
	}
	return length
}

// areNumbered reports whether the paths of two documents differ only in their numbers: "Draft 3/a.md", "Draft 4/a.md".
func areNumbered(a, b *search.Document) bool {
	return a != b && a.Folder == b.Folder && withoutDigits(a.Path) == withoutDigits(b.Path)
}

func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, name)
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
	if start := itemStart(units, first); size+lengthOfUnits(units[start:first]) <= most {
		size += lengthOfUnits(units[start:first])
		first = start
	}
	for first > 0 {
		start := itemStart(units, first-1)
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
