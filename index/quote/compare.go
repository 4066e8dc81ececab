package quote

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/index/match"
)

// FoundWording is what a text has in place of a part of a quotation.
type FoundWording struct {
	match.Range              // place in the text
	SharedFraction float64   // share of the quotation that the range contains
	Closeness      float64   // Dice's coefficient of the two: less if the range has much that the quotation lacks
	Runs           []DiffRun // differences between the text and the quotation
	IsStruckOut    bool      // words of the quotation are struck out in the text
}

// MinSharedFraction is the minimum share of a quotation that a place must contain to be a wording of it,
// and not another text. Of 297 quotations from 100 documents with a changed number, name, negation
// or unit, none had less; of 293 invented ones, 5 had more, all but one of them chains of longer
// pieces of the document.
const MinSharedFraction = 0.625

// NearestWording returns what a text has, at a similar place, in place of a part of a quotation, or of the
// whole if it has no parts.
func (q Quotation) NearestWording(ctx context.Context, part int, text string, place PartialMatch) (FoundWording, error) {
	p := q.pieces()[part]
	if place.Exact.End > 0 {
		return FoundWording{Range: place.Exact, SharedFraction: 1, Closeness: 1}, nil
	}
	if place.StruckOut.End > 0 {
		return FoundWording{Range: place.StruckOut, SharedFraction: 1, Closeness: 1, IsStruckOut: true}, nil
	}
	stretches := struck.Find(text)
	if place.ComparesStruckText || q.marksStruck || len(stretches) == 0 {
		return q.compareWith(ctx, p, text, stretches, place)
	}
	valid := struck.WithoutStruck(text, stretches)
	w, err := q.compareWith(ctx, p, valid.Text, nil, place)
	if w.End > 0 {
		w.Range = match.Range(valid.ToSource(struck.Range(w.Range)))
	}
	return w, err
}

// compareWith compares a part of a quotation with a similar place of a text in which the given stretches
// are struck out.
func (q Quotation) compareWith(ctx context.Context, p quotedPart, text string, stretches []struck.Stretch, place PartialMatch) (FoundWording, error) {
	size := len(p.folded)
	around := match.Range{Start: max(0, place.window.Start-size-seedSize), End: place.window.End + size + seedSize}
	written, err := charsIn(ctx, text, q.foldingOptions, []match.Range{around})
	if err != nil {
		return FoundWording{}, err
	}
	c := wordingComparison{quotedPart: p, text: text, stretches: stretches, written: written, pairs: align(p.chars, written)}
	c.endWithSentence()
	return c.wording(), nil
}

// wordingComparison compares a part of a quotation with a text.
type wordingComparison struct {
	quotedPart
	text      string
	stretches []struck.Stretch // what is struck out in text
	written   []foldedChar
	pairs     []alignedPair
	differs   []bool // for each pair, whether it differs
	isTail    bool   // one of the two is a question because of what follows
}

func (c *wordingComparison) wording() (w FoundWording) {
	c.markDifferences()
	c.widenToWords()
	w.SharedFraction = c.sharedPart()
	w.Closeness = w.SharedFraction * c.lengthRatio()
	w.Runs = c.diffRuns()
	for _, p := range c.pairs {
		if p.written < 0 {
			continue
		}
		if w.End == 0 {
			w.Start = c.written[p.written].start
		}
		w.End = c.written[p.written].end
		own, other := c.isStruck(p)
		w.IsStruckOut = w.IsStruckOut || p.quoted >= 0 && other && !own && c.chars[p.quoted].loose == c.written[p.written].loose
	}
	return w
}

// isStruck reports whether the characters of a pair are struck out in the quotation and in the text.
func (c *wordingComparison) isStruck(p alignedPair) (quoted, written bool) {
	if p.quoted >= 0 {
		_, quoted = struck.At(c.quotedPart.struck, c.chars[p.quoted].start)
	}
	if p.written >= 0 {
		_, written = struck.At(c.stretches, c.written[p.written].start)
	}
	return quoted, written
}

// markDifferences sets differs: whether the characters of each pair, one of the quotation and one of the
// text, differ, or one of them is missing, or only one of them is struck out, or what precedes them differs.
func (c *wordingComparison) markDifferences() {
	c.differs = make([]bool, len(c.pairs))
	for i, p := range c.pairs {
		if p.quoted < 0 || p.written < 0 {
			c.differs[i] = true
			continue
		}
		own, other := c.chars[p.quoted].strict, c.written[p.written].strict
		c.differs[i] = own != other && (p.quoted > 0 || !sameLetter(own, other))
		if quoted, written := c.isStruck(p); quoted != written {
			c.differs[i] = true
		}
		if i > 0 && c.pairs[i-1].quoted == p.quoted-1 && c.pairs[i-1].written == p.written-1 && p.quoted > 0 && p.written > 0 &&
			!c.sameGapAt(p.quoted, c.text, c.written[p.written-1], c.written[p.written]) {
			c.differs[i-1], c.differs[i] = true, true
		}
	}
	c.extendEnds()
}

// sameInRow is how many equal characters in a row show that two texts correspond, rather than that
// scattered letters of one occur in the other.
const sameInRow = 6

// endWithSentence cuts off the next sentence of the text if the quotation ends with the previous
// one: stray letters of its last words may be found there.
func (c *wordingComparison) endWithSentence() {
	tail, inRow := len(c.pairs), 0
	for tail > 0 && inRow < sameInRow {
		tail--
		if inRow++; c.pairs[tail].quoted < 0 || c.pairs[tail].written < 0 || c.chars[c.pairs[tail].quoted].loose != c.written[c.pairs[tail].written].loose {
			inRow = 0
		}
	}
	if inRow < sameInRow {
		return
	}
	tail += inRow
	at := slices.IndexFunc(c.pairs[tail:], func(p alignedPair) bool { return p.written > 0 && c.beginsSentence(p.written) })
	if at < 0 {
		return
	}
	from, to := c.chars[c.pairs[tail-1].quoted].end, c.chars[len(c.chars)-1].start
	if _, goesOn := sentenceEndIn(c.quotedPart.text, from, max(from, to)); goesOn {
		return
	}
	kept := c.pairs[:tail+at]
	for _, p := range c.pairs[tail+at:] {
		if p.quoted >= 0 {
			kept = append(kept, alignedPair{p.quoted, -1})
		}
	}
	c.pairs = kept
}

// extendEnds extends the compared text at both ends: by the text in place of characters that only
// the quotation has there, by the rest of words and numbers, and by a preceding "not".
func (c *wordingComparison) extendEnds() {
	first := slices.IndexFunc(c.pairs, func(p alignedPair) bool { return p.written >= 0 })
	if first < 0 {
		return
	}
	last := len(c.pairs) - 1
	for c.pairs[last].written < 0 {
		last--
	}
	onlyBefore, onlyAfter := first, len(c.pairs)-1-last
	from, to := c.pairs[first].written, c.pairs[last].written
	for n := 0; from > 0 && (n < onlyBefore && !c.hasBreakBefore(from) || isInsideWord(c.text, c.written[from].start, true)); n++ {
		from--
	}
	from = c.withNegation(from)
	for n := 0; to+1 < len(c.written) && (n < onlyAfter && !c.hasBreakBefore(to+1) || isInsideWord(c.text, c.written[to].end, false)); n++ {
		to++
	}
	var pairs []alignedPair
	var differs []bool
	add := func(more []alignedPair, same []bool) {
		pairs = append(pairs, more...)
		for i := range more {
			differs = append(differs, same == nil || same[i])
		}
	}
	only := func(from, to int) (all []alignedPair) {
		for j := from; j < to; j++ {
			all = append(all, alignedPair{-1, j})
		}
		return all
	}
	add(c.pairs[:first], nil)
	add(only(from, c.pairs[first].written), nil)
	add(c.pairs[first:last+1], c.differs[first:last+1])
	add(c.pairs[last+1:], nil)
	add(only(c.pairs[last].written+1, to+1), nil)
	c.pairs, c.differs = pairs, differs
	c.isTail = !c.endsSentenceLike(c.text[c.written[to].end:])
	isSame := !slices.Contains(c.differs, true) && c.isExactly(c.written[from:to+1], c.text)
	if c.isTail || !isSame && !slices.Contains(c.differs, true) {
		c.differs[len(c.differs)-1] = true
	}
}

// rangeBefore returns the range of the text between the previous character and the given one.
func (c *wordingComparison) rangeBefore(i int) (start, end int) {
	start, end = c.written[i-1].end, c.written[i].start
	return min(start, end), end
}

// beginsSentence reports whether a sentence of the text ends between the previous character and the given one.
func (c *wordingComparison) beginsSentence(i int) bool {
	start, end := c.rangeBefore(i)
	_, ok := sentenceEndIn(c.text, start, end)
	return ok
}

// hasBreakBefore reports whether the end of a paragraph, a cell or a sentence is between the previous character
// and the given one.
func (c *wordingComparison) hasBreakBefore(i int) bool {
	start, end := c.rangeBefore(i)
	between := c.text[start:end]
	return strings.Contains(between, "\n\n") || strings.Contains(between, "|") || c.beginsSentence(i)
}

// withNegation moves back to the beginning of a "not" that a quotation omits in order to make a
// sentence of what follows.
func (c *wordingComparison) withNegation(from int) int {
	at := c.written[from].start
	word := NegationBefore(c.text, at)
	if word == "" || !unicode.IsUpper(c.chars[0].strict) || !unicode.IsLower(c.written[from].strict) {
		return from
	}
	begin := strings.LastIndex(c.text[:at], word)
	for from > 0 && c.written[from-1].start >= begin {
		from--
	}
	return from
}

// widenToWords extends differences to whole words and numbers.
func (c *wordingComparison) widenToWords() {
	for again := true; again; {
		again = c.widenOnce(1)
		again = c.widenOnce(-1) || again
	}
}

// widenOnce extends each difference to the next pair in the same word, forward or backward. It
// reports whether anything changed.
func (c *wordingComparison) widenOnce(step int) (changed bool) {
	first, end := 0, len(c.pairs)
	if step < 0 {
		first, end = end-1, -1
	}
	for i := first + step; i != end && first != end; i += step {
		if c.differs[i-step] && !c.differs[i] && c.isInWordOfDifference(i, -step) {
			c.differs[i] = true
			changed = true
		}
	}
	return changed
}

// isInWordOfDifference reports whether pair i is in one word or number with the nearest character of the
// difference beside it, in the quotation or in the text. The difference is in the direction of step.
func (c *wordingComparison) isInWordOfDifference(i, step int) bool {
	own := c.pairs[i]
	quoted, written := alignedPair.quotedIndex, alignedPair.writtenIndex
	return areInOneWordInOrder(c.quotedPart.text, c.chars, own.quoted, c.nearestOfDifference(i+step, step, quoted)) ||
		areInOneWordInOrder(c.text, c.written, own.written, c.nearestOfDifference(i+step, step, written))
}

// nearestOfDifference returns the first index of a character, as returned by indexOf, in the difference that
// begins at pair i and goes on in the direction of step; -1 if it has none.
func (c *wordingComparison) nearestOfDifference(i, step int, indexOf func(alignedPair) int) int {
	for ; i >= 0 && i < len(c.pairs) && c.differs[i]; i += step {
		if at := indexOf(c.pairs[i]); at >= 0 {
			return at
		}
	}
	return -1
}

// areInOneWordInOrder reports whether two characters of a text, given by their indexes in any order, are
// adjacent in a word or a number. Neither is if its index is negative.
func areInOneWordInOrder(text string, chars []foldedChar, i, j int) bool {
	return i >= 0 && j >= 0 && areInOneWord(text, chars[min(i, j)], chars[max(i, j)])
}

// areInOneWord reports whether two characters are adjacent in a word, or in a number with its
// signs.
func areInOneWord(text string, a, b foldedChar) bool {
	// "I48" is one word, "5mg" is two
	if a.end > b.start || a.end == b.start && isSpacedLetter(a.strict) && isSpacedLetter(b.strict) && (!isDigit(a.strict) || isDigit(b.strict)) {
		return true
	}
	isPart := func(c foldedChar) bool { return isDigit(c.strict) || strings.ContainsRune(".,:/-^_*", c.strict) }
	if isPart(a) && isPart(b) {
		return !strings.ContainsFunc(text[a.start:b.end], unicode.IsSpace)
	}
	between := text[a.end:b.start] // part of a word in "co-op", "I48.0", "doctor's"
	return isSpacedLetter(a.strict) && isSpacedLetter(b.strict) && between != "" && utf8.RuneCountInString(between) == 1 && strings.ContainsAny(between, "-'’.")
}

// leastRun is the minimum weight of equal characters in a row to count as shared rather than equal
// by chance: four letters, or two Chinese characters.
const leastRun = 4

// sharedPart returns the share of the quotation, from 0 to 1, that the text contains.
func (c *wordingComparison) sharedPart() float64 {
	all, run, same := 0, 0, 0
	for i, p := range c.pairs {
		weight := 0
		if p.quoted >= 0 {
			weight = weightOf(c.chars[p.quoted].loose)
			all += weight
		}
		isSame := p.quoted >= 0 && p.written >= 0 && c.chars[p.quoted].loose == c.written[p.written].loose
		if isSame {
			run += weight
		}
		if !isSame || i == len(c.pairs)-1 {
			if run >= leastRun {
				same += run
			}
			run = 0
		}
	}
	return float64(same) / float64(max(1, all))
}

// lengthRatio returns the length of the quotation as a share of the mean of its length and that of the text
// compared with it.
func (c *wordingComparison) lengthRatio() float64 {
	quoted, written := 0, 0
	for _, p := range c.pairs {
		if p.quoted >= 0 {
			quoted += weightOf(c.chars[p.quoted].loose)
		}
		if p.written >= 0 {
			written += weightOf(c.written[p.written].loose)
		}
	}
	return 2 * float64(quoted) / float64(max(1, quoted+written))
}

// weightOf counts a character of a script without spaces as two letters, and a sign as nothing,
// because tables are drawn with signs.
func weightOf(r rune) int {
	switch {
	case isSpacedLetter(r):
		return 1
	case charClassOf(r) == solid:
		return 2
	}
	return 0
}
