package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// tableLines returns the rows of a table, except those without text.
func (p *textPage) tableLines(t *cellTable) (lines []textLine) {
	for i, row := range t.cells {
		if filledCells(row) == 0 {
			continue
		}
		line := p.tableLine(t, row)
		if i == 0 {
			line.kind = tableHeaderLine
			lines = append(lines, line, delimiterLine(line, len(row)))
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// tableLine returns a row of a table.
func (p *textPage) tableLine(t *cellTable, row []cell) textLine {
	line := textLine{kind: tableRowLine, start: unknownPoint}
	last := 0 // index in the text of the page of the character before
	for _, c := range row {
		if len(c.words) > 0 {
			last = c.words[0].at[0]
			break
		}
	}
	add := func(text string, at int) {
		line.text += text
		for range utf8.RuneCountInString(text) {
			line.at = append(line.at, at)
		}
	}
	add("|", last)
	for column, c := range row {
		for n, w := range c.words {
			if n == 0 || !p.isContinued(t, column, c, n) {
				add(" ", last)
			} else if strings.HasSuffix(line.text, string(softHyphen)) {
				line.text, line.at = strings.TrimSuffix(line.text, string(softHyphen)), line.at[:len(line.at)-1]
			}
			for k, char := range []rune(w.text) {
				if char == '|' {
					add(`\`, w.at[k])
				}
				add(string(char), w.at[k])
			}
			last = w.at[len(w.at)-1]
			if at := p.charOrigin(w.at[0]); math.IsNaN(line.start.x) || at.y > line.start.y+sameBaseline {
				line.start = at
			}
		}
		if len(c.words) == 0 {
			add(" ", last)
		}
		add(" |", last)
	}
	return line
}

// delimiterLine returns the line below the header of a table, which stands at the place of its last character.
func delimiterLine(header textLine, columns int) textLine {
	text := "|" + strings.Repeat(" --- |", columns)
	return textLine{text: text, at: slices.Repeat([]int{header.last()}, len(text)), start: header.start, kind: tableRowLine}
}

// isContinued reports whether word n of a cell continues the word before without a space: Chinese on a new
// line, a word that is divided by a hyphen, and one that is divided only because its column is narrower
// than the word.
func (p *textPage) isContinued(t *cellTable, column int, c cell, n int) bool {
	line := slices.Index(c.starts, n)
	if line < 1 {
		return false
	}
	before, next := c.words[n-1], c.words[n]
	last, _ := utf8.DecodeLastRuneInString(before.text)
	first, _ := utf8.DecodeRuneInString(next.text)
	switch {
	case last == softHyphen, script.IsEastAsian(last) && script.IsEastAsian(first):
		return true
	case c.starts[line-1] != n-1 || !unicode.IsLetter(last) || !unicode.IsLower(first):
		return false
	}
	letter := p.charBox(next.at[0])
	isFull := before.right-before.left+letter.right-letter.left > t.widths[column]-t.margins[column]
	isUnit := units[next.text] || longUnits[next.text]
	return isFull && (!hasVowel(next.text) && !isUnit || p.hasWord(before.text+strings.TrimRight(next.text, ".,;:)")))
}

// longUnits are units without a vowel, beside units.
var longUnits = map[string]bool{"mg": true, "ml": true, "dl": true, "mmHg": true, "min": true, "kJ": true, "kPa": true, "mV": true, "ms": true, "ng": true, "pg": true, "Hz": true, "bpm": true}

// hasVowel reports whether a text in Latin letters may be a word, which has a vowel.
func hasVowel(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c > unicode.MaxASCII || strings.ContainsRune("aeiouyAEIOUY0123456789", c) })
}

// hasWord reports whether a word occurs on the page.
func (p *textPage) hasWord(word string) bool {
	rest := p.text
	for {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		next, _ := utf8.DecodeRuneInString(rest[i+len(word):])
		before, _ := utf8.DecodeLastRuneInString(rest[:i])
		if !isWordCharacter(next) && !isWordCharacter(before) {
			return true
		}
		rest = rest[i+len(word):]
	}
}
