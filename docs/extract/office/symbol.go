package office

import (
	"strconv"

	"vademecum/docs/extract/charset"
)

// SymbolCharacter returns the character that a symbol font shows (ECMA-376 part 1,
// 17.3.3.30), or "" if that is unknown.
func SymbolCharacter(font, char string) string {
	code, err := strconv.ParseUint(char, 16, 16)
	if err != nil {
		return ""
	}
	return SymbolText(font, string(rune(code)))
}

// SymbolText returns text with the characters of the symbol fonts, which Word
// keeps in U+F020 to U+F0FF, as Unicode has them.
func SymbolText(font, text string) string { return charset.ReplaceSymbolCodes(font, text) }
