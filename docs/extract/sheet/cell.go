package sheet

import (
	"strconv"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/internal/base/lazyregexp"
)

// CellName returns the name of a cell, such as B7, given its row and column, both from 0.
func CellName(row, column int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return letters + strconv.Itoa(row+1)
}

// maxCellNumber is above the number of any row and column.
const maxCellNumber = 1 << 24

// ParseCellName returns the row and column, both from 0, of a cell with a name such as B7 or $B$7.
func ParseCellName(name string) (row, column int, ok bool) {
	letters, digits := 0, 0
	for _, c := range []byte(name) {
		switch {
		case c == '$':
		case digits == 0 && 'A' <= c&^0x20 && c&^0x20 <= 'Z':
			column, letters = column*26+int(c&^0x20-'A')+1, letters+1
		case letters > 0 && '0' <= c && c <= '9':
			row, digits = row*10+int(c-'0'), digits+1
		default:
			return 0, 0, false
		}
		if row > maxCellNumber || column > maxCellNumber {
			return 0, 0, false
		}
	}
	return row - 1, column - 1, row > 0 && letters > 0
}

// headerFormatCodes matches the format codes in headers and footers (ECMA-376 part 1, 18.3.1.39).
var headerFormatCodes = lazyregexp.New(`&("[^"]*"|[0-9]+|K[0-9A-Fa-f+-]+|[A-Za-z])`)

// StripHeaderFooterCodes returns the text of an Excel header or footer on one line, or "" if it is only a
// page number.
func StripHeaderFooterCodes(text string) string {
	text = markdown.OneLine(strings.ReplaceAll(headerFormatCodes.ReplaceAllString(text, " "), "&&", "&"))
	if office.IsPageLabel(text) {
		return ""
	}
	return text
}
