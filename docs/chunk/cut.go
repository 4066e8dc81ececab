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
	betweenItems     boundary = iota // between paragraphs or list items
	lineAndSentence                  // end of a sentence at a line end
	betweenSentences                 // end of a sentence within a line
	betweenLines
	betweenClauses
	betweenWords
	betweenRunes
	boundaries // number of kinds
)

var (
	proseOrder = [...]boundary{betweenItems, lineAndSentence, betweenSentences, betweenLines, betweenClauses, betweenWords, betweenRunes}
	rowsOrder  = [...]boundary{betweenLines, lineAndSentence, betweenItems, betweenSentences, betweenClauses, betweenWords, betweenRunes}
)

// A costRange is the minimum, preferred and maximum length of a piece of text, in units of
// script.TokenUnits.
type costRange struct{ least, want, most int }

// A cutCandidate is a position for a cut, and the length of the piece before it, in units of
// script.TokenUnits. Position 0 means none.
type cutCandidate struct{ at, cost int }

// A cutFinder searches for the best position at which to end a piece of a block. It reads no
// further than the piece can extend.
type cutFinder struct {
	text   string // text up to the end of the block
	room   costRange
	indent int  // indentation of the block; items indented further are sub-items
	rows   bool // whether all line ends are equally good
	best   [boundaries]cutCandidate
}

// bestCut returns where to end the piece of b that begins at from, and the cost of the piece. The
// text from there on must cost more than r.most.
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

// collectCandidates collects the candidates after from. It returns the last position at which the
// piece may end.
func (c *cutFinder) collectCandidates(from int) (last cutCandidate) {
	sum, stop := 0, none
	gap := cutCandidate{} // start of the current white space
	lines := 0            // number of line ends in the current white space
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

// hasBestPossible reports whether there is a candidate that no later one can surpass.
func (c *cutFinder) hasBestPossible() bool {
	if c.rows {
		return c.best[betweenLines].at > 0
	}
	return c.best[betweenItems].at > 0 || c.best[lineAndSentence].at > 0 || c.best[betweenSentences].at > 0
}

// consider keeps the candidate if it is closer to the preferred cost than the current one of that
// kind.
func (c *cutFinder) consider(kind boundary, found cutCandidate) {
	if found.cost < c.room.least || found.cost > c.room.most {
		return
	}
	if best := &c.best[kind]; best.at == 0 || absDiff(found.cost, c.room.want) < absDiff(best.cost, c.room.want) {
		*best = found
	}
}

func absDiff(a, b int) int { return max(a-b, b-a) }

// considerRune considers a cut between r and the character before it, neither of which is white space.
// stop is how the text before r ends.
func (c *cutFinder) considerRune(here cutCandidate, r rune, stop ending) {
	switch kind := stop.boundaryBefore(r); {
	case kind != betweenRunes:
		c.consider(kind, here)
	case here.cost >= c.room.want && c.best[betweenRunes].at == 0 && !unicode.In(r, unicode.M, unicode.Cf):
		c.consider(betweenRunes, here)
	}
}

// boundaryAtLineEnd returns the kind of boundary at a line end, given the start of the next line.
func (c *cutFinder) boundaryAtLineEnd(next int, stop ending) boundary {
	if c.rows {
		return betweenLines
	}
	line, _, _ := strings.Cut(c.text[next:min(len(c.text), next+maxPadding)], "\n")
	switch {
	case isBlank(line), startsBibliographyEntry(line):
		return betweenItems
	case startsListItem(line) && indentOf(line) <= c.indent+1:
		return betweenItems
	case startsListItem(line) || stop.endsSentence(c.text, next):
		return lineAndSentence
	}
	return betweenLines
}

// startsBibliographyEntry reports whether a line begins an entry of BibTeX: "@book{key,".
func startsBibliographyEntry(line string) bool {
	if !strings.HasPrefix(line, "@") {
		return false
	}
	kind, _, ok := strings.Cut(line[1:], "{")
	return ok && kind != "" && !strings.ContainsFunc(kind, func(r rune) bool { return !unicode.IsLetter(r) })
}

// indentOf returns the indentation of a line, in bytes.
func indentOf(line string) int {
	line = line[:min(len(line), maxPadding)]
	return len(line) - len(strings.TrimLeft(line, " \t\u3000"))
}
