package office

import (
	"strconv"

	"vademecum/docs/extract/charset"
)

// SymbolCharacter returns the Unicode character for a code in a symbol font, given in hexadecimal
// digits (ECMA-376 part 1, 17.3.3.30), or "" if it is unknown.
func SymbolCharacter(font, hexCode string) string {
	code, err := strconv.ParseUint(hexCode, 16, 16)
	if err != nil {
		return ""
	}
	return SymbolText(font, string(rune(code)))
}

// SymbolText returns a text with the codes of a symbol font, which Word stores as U+F020 to U+F0FF,
// replaced by Unicode characters.
func SymbolText(font, text string) string { return charset.ReplaceSymbolCodes(font, text) }
