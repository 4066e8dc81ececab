package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// A boundary is the kind of position at which a text may be cut.
type boundary int

const (
	betweenItems     boundary = iota // paragraphs, items of a list
	lineAndSentence                  // the end of a sentence at the end of a line
	betweenSentences                 // the end of a sentence within a line
	betweenLines
	betweenClauses
	betweenWords
	betweenRunes
	boundaries // how many there are
)

var (
	proseOrder = [...]boundary{betweenItems, lineAndSentence, betweenSentences, betweenLines, betweenClauses, betweenWords, betweenRunes}
	rowsOrder  = [...]boundary{betweenLines, lineAndSentence, betweenItems, betweenSentences, betweenClauses, betweenWords, betweenRunes}
)

// A costRange is the permitted cost of a piece of text.
type costRange struct{ least, want, most int }

// A cutCandidate is a position to cut at and the cost of the piece before it. Position 0
// stands for none.
type cutCandidate struct{ at, cost int }

// A cutFinder looks for the best position to end a piece of a block. It reads no
// further than the piece can reach.
type cutFinder struct {
	text   string // up to the end of the block
	room   costRange
	indent int  // of the block: items indented further are sub-items
	rows   bool // every line end is as good as another
	best   [boundaries]cutCandidate
}

// bestCut returns where to end the piece of b that begins at from, and what the
// piece costs. The text from there on must cost more than r.most.
func bestCut(text string, b block, from int, r costRange) cutCandidate {
	c := cutFinder{text: text[:b.end], room: r, indent: indentOf(text[b.start:b.end]), rows: b.kind == rows}
	last := c.collectCandidates(from)
	order := proseOrder
	if c.rows {
		order = rowsOrder
	}
	for _, kind := range order {
		if found := c.best[kind]; found.at > 0 {
			return found
		}
	}
	return last
}

// collectCandidates collects the candidates after from. It returns the last position at
// which the piece could end.
func (c *cutFinder) collectCandidates(from int) (last cutCandidate) {
	sum, stop := 0, none
	gap := cutCandidate{} // the start of the white space that i is in
	lines := 0            // line ends in that white space
	enough := c.room.want + c.room.want/4
	for i := from; i < len(c.text); {
		r, size := rune(c.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.text[i:])
		}
		here := cutCandidate{i, sum}
		if gap.at == 0 && i > from {
			last = here
		}
		if sum > enough && c.hasBestPossible() {
			return last
		}
		switch {
		case !unicode.IsSpace(r):
			if gap.at == 0 && i > from {
				c.considerRune(here, r, stop)
			}
			gap, lines = cutCandidate{}, 0
			stop = stop.afterRune(c.text, i, r)
		case r == '\n':
			if lines++; lines == 1 && i > from {
				if gap.at > 0 && i-gap.at > maxPadding {
					here = gap
				}
				c.consider(c.boundaryAtLineEnd(i+size, stop), here)
			}
			if gap.at == 0 {
				gap = here
			}
		case gap.at == 0 && i > from:
			gap = here
			c.consider(stop.boundaryBeforeSpace(c.text, i), here)
		}
		if sum += script.TokenUnitsOf(r); sum > c.room.most {
			return last
		}
		i += size
	}
	return last
}

// hasBestPossible reports whether there is a candidate so good that none further away
// could be preferred.
func (c *cutFinder) hasBestPossible() bool {
	if c.rows {
		return c.best[betweenLines].at > 0
	}
	return c.best[betweenItems].at > 0 || c.best[lineAndSentence].at > 0 || c.best[betweenSentences].at > 0
}

// consider keeps the candidate if it is nearer to the wanted length than the
// one so far.
func (c *cutFinder) consider(kind boundary, found cutCandidate) {
	if found.cost < c.room.least || found.cost > c.room.most {
		return
	}
	if best := &c.best[kind]; best.at == 0 || absDiff(found.cost, c.room.want) < absDiff(best.cost, c.room.want) {
		*best = found
	}
}

func absDiff(a, b int) int { return max(a-b, b-a) }

// considerRune considers the position before r, which follows another
// character.
func (c *cutFinder) considerRune(here cutCandidate, r rune, stop ending) {
	switch kind := stop.boundaryBefore(r); {
	case kind != betweenRunes:
		c.consider(kind, here)
	case here.cost >= c.room.want && c.best[betweenRunes].at == 0 && !unicode.In(r, unicode.M, unicode.Cf):
		c.consider(betweenRunes, here)
	}
}

// boundaryAtLineEnd returns the boundary at a line end, given where the next line
// starts.
func (c *cutFinder) boundaryAtLineEnd(next int, stop ending) boundary {
	if c.rows {
		return betweenLines
	}
	line, _, _ := strings.Cut(c.text[next:min(len(c.text), next+maxPadding)], "\n")
	switch {
	case isBlank(line):
		return betweenItems
	case startsListItem(line) && indentOf(line) <= c.indent+1:
		return betweenItems
	case startsListItem(line) || stop.endsSentence(c.text, next):
		return lineAndSentence
	}
	return betweenLines
}

// indentOf returns the white space that line begins with, in bytes.
func indentOf(line string) int {
	line = line[:min(len(line), maxPadding)]
	return len(line) - len(strings.TrimLeft(line, " \t\u3000"))
}
