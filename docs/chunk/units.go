package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/internal/base/lazyregexp"
)

// A PassageUnit is a piece of a passage that can be read on its own: a heading, a sentence, a
// list item, a table row or a line of code.
type PassageUnit struct {
	Start, End          int      // byte range in the document, without surrounding white space
	IsHeading           bool     // whether it is a heading or front matter, for the units that follow
	IsIntroduction      bool     // whether it introduces the next list, table or code, or is a table header
	IsItemRowOrCodeLine bool     // whether it is a row of a table, a line of code, or begins a list item
	GroupNumber         int      // number of its paragraph, list, table or code, which includes its introduction
	Context             []string // context from earlier in the passage: lead, enclosing items, column names

	block   blockKind // kind of its block
	isFirst bool      // whether it is the first unit of its block
	columns string    // column names of its table; "" for the first row
}

// longestUnit is the length, in bytes, above which a list item or a line of a paragraph is split at
// sentences, and a sentence at clauses.
const longestUnit = 400

// SplitPassage splits a passage of documentText, a text with that MIME type. The units are in order, do
// not overlap, and omit only white space.
func SplitPassage(documentText string, passage text.Span, mime string) []PassageUnit {
	form := extract.PlainText
	switch mime {
	case "text/markdown":
		form = extract.Markdown
	case "text/csv", "text/tab-separated-values":
		form = extract.Table
	}
	var units []PassageUnit
	src := documentText[passage.StartByte:passage.EndByte]
	begins := strings.TrimSpace(documentText[:passage.StartByte]) == ""
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

// A unitCutter splits a block into units.
type unitCutter struct {
	text    string // text up to the end of the block
	block   block
	columns string // column names, if the block is a table
	first   int    // index of its first unit
	units   []PassageUnit
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

// boundaryAt returns the kind of boundary before the character r at a position.
func boundaryAt(lines cutFinder, stop ending, at int, r rune) boundary {
	switch {
	case r == '\n':
		return lines.boundaryAtLineEnd(at+1, stop)
	case unicode.IsSpace(r):
		return stop.boundaryBeforeSpace(lines.text, at)
	}
	return stop.boundaryBefore(r)
}

// endsUnit reports whether a unit ends at a boundary. The number of a list item is not a sentence.
func (u *unitCutter) endsUnit(at boundary, unit string) bool {
	isLong := len(unit) > longestUnit
	switch at {
	case betweenItems:
		return true
	case lineAndSentence, betweenSentences:
		return isLong || u.block.kind != rows && hasLetter(unit) && !isClauseTitle(unit)
	case betweenLines:
		return isLong || u.block.kind == rows
	}
	return isLong && at == betweenClauses
}

// clauseTitle matches the number and title of a clause that its text follows on the same line: "§ 7 Law.",
// "3.2 Rent.".
var clauseTitle = lazyregexp.New(`^(?:§+ ?\d+[a-z]?|(?:Art\.|Article|Artikel|Clause|Section|Ziffer|Ziff\.) \d+[a-z]?|\d+(?:\.\d+)+)\.?(?: [\pL\-/]+){1,4}\.$`)

// longestClauseTitle is the maximum length of a clause title in bytes.
const longestClauseTitle = 80

// isClauseTitle reports whether a unit that ends like a sentence is the title of a clause, which says nothing
// without the sentence after it.
func isClauseTitle(unit string) bool {
	unit = strings.TrimSpace(unit)
	return len(unit) <= longestClauseTitle && clauseTitle.MatchString(unit)
}

// addUnit adds a unit without surrounding white space, unless it is blank.
func (u *unitCutter) addUnit(start, end int) {
	start = end - len(strings.TrimLeftFunc(u.text[start:end], unicode.IsSpace))
	end = start + len(strings.TrimRightFunc(u.text[start:end], unicode.IsSpace))
	if start == end {
		return
	}
	if u.columns != "" && len(u.units) == u.first+1 && delimiterRow.MatchString(u.text[start:end]) {
		u.units[u.first].End = end // it has no meaning by itself
		return
	}
	unit := PassageUnit{Start: start, End: end, IsHeading: u.block.kind == heading || u.block.kind == matter, block: u.block.kind, isFirst: len(u.units) == u.first}
	unit.IsIntroduction = unit.isFirst && u.columns != ""
	if !unit.isFirst {
		unit.columns = u.columns
	}
	u.units = append(u.units, unit)
}
