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
