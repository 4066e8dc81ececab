package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/text"
)

// A Unit is a piece of a passage that can be read by itself: a heading, a sentence, an
// item of a list, a row of a table or a line of code.
type Unit struct {
	Start, End int      // bytes in the document, without the white space around
	IsHeading  bool     // it stands over the units that follow: a heading, or front matter
	IsLead     bool     // it introduces the list, table or code that follows: "The doses are:", or it has the names of the columns
	Group      int      // number of the paragraph, list, table or code that it is of, with what introduces that
	Above      []string // what it is read with, where that stands in the passage before it: the lead, the items that it is below, the names of the columns

	block   blockKind // of the block that it is of
	isFirst bool      // of that
	columns string    // of the table that it is a row of, but for the first
}

// longestUnit is beyond how many bytes an item of a list, or a line of a paragraph, is
// cut at its sentences, and a sentence at its clauses.
const longestUnit = 400

// Units takes a passage of a document with a text of that MIME type apart. They are in
// order and do not overlap, and what they leave out is white space.
func Units(document string, passage text.Span, mime string) []Unit {
	form := extract.Plain
	switch mime {
	case "text/markdown":
		form = extract.Markdown
	case "text/csv", "text/tab-separated-values":
		form = extract.Table
	}
	var units []Unit
	src := document[passage.StartByte:passage.EndByte]
	begins := strings.TrimSpace(document[:passage.StartByte]) == ""
	for b := range lineBlocks(src, form) {
		u := unitCutter{text: src[:b.end], block: b, first: len(units), units: units}
		if b.kind == rows && (form != extract.Table || begins && u.first == 0) {
			u.columns = (&chunkPacker{text: src, form: form}).columnNames(b)
		}
		u.cutBlock()
		units = u.units
	}
	(&unitOutline{text: src, units: units}).annotateUnits()
	for i := range units {
		units[i].Start += passage.StartByte
		units[i].End += passage.StartByte
	}
	return units
}

// A unitCutter cuts a block into units.
type unitCutter struct {
	text    string // up to the end of the block
	block   block
	columns string // of the table that it is
	first   int    // number of its first unit
	units   []Unit
}

func (u *unitCutter) cutBlock() {
	if u.block.kind == heading || u.block.kind == matter {
		u.addUnit(u.block.start, u.block.end)
		return
	}
	lines := cutFinder{text: u.text, indent: indentOf(u.text[u.block.start:]), rows: u.block.kind == rows}
	start, stop := u.block.start, none
	for i := start; i < len(u.text); {
		r, size := utf8.DecodeRuneInString(u.text[i:])
		isSpace := unicode.IsSpace(r)
		if u.endsUnit(boundaryAt(lines, stop, i, r), u.text[start:i]) {
			u.addUnit(start, i)
			start, stop = i, none
		}
		if !isSpace {
			stop = stop.afterRune(u.text, i, r)
		}
		i += size
	}
	u.addUnit(start, len(u.text))
}

// boundaryAt is what lies before the character at a position.
func boundaryAt(lines cutFinder, stop ending, at int, r rune) boundary {
	switch {
	case r == '\n':
		return lines.boundaryAtLineEnd(at+1, stop)
	case unicode.IsSpace(r):
		return stop.boundaryBeforeSpace(lines.text, at)
	}
	return stop.boundaryBefore(r)
}

// endsUnit tells whether a unit that has come so far ends at a boundary. The number of an
// item is no sentence.
func (u *unitCutter) endsUnit(at boundary, unit string) bool {
	isLong := len(unit) > longestUnit
	switch at {
	case betweenItems:
		return true
	case lineAndSentence, betweenSentences:
		return isLong || u.block.kind != rows && hasLetter(unit)
	case betweenLines:
		return isLong || u.block.kind == rows
	}
	return isLong && at == betweenClauses
}

// addUnit adds a unit without the white space around it, if it has anything else.
func (u *unitCutter) addUnit(start, end int) {
	start = end - len(strings.TrimLeftFunc(u.text[start:end], unicode.IsSpace))
	end = start + len(strings.TrimRightFunc(u.text[start:end], unicode.IsSpace))
	if start == end {
		return
	}
	if u.columns != "" && len(u.units) == u.first+1 && delimiterRow.MatchString(u.text[start:end]) {
		u.units[u.first].End = end // it says nothing by itself
		return
	}
	unit := Unit{Start: start, End: end, IsHeading: u.block.kind == heading || u.block.kind == matter, block: u.block.kind, isFirst: len(u.units) == u.first}
	unit.IsLead = unit.isFirst && u.columns != ""
	if !unit.isFirst {
		unit.columns = u.columns
	}
	u.units = append(u.units, unit)
}
