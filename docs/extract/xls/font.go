package xls

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"

	"vademecum/docs/extract/markdown"
)

// A font holds the properties of a font that change what a text says ([MS-XLS] 2.4.122).
type font struct {
	isRaised bool // whether text in the font is superscript
	isStruck bool // whether text in the font is struck out
}

func readFont(r *record) font {
	const flags, struckOut, script, superscript = 2, 1 << 3, 8, 1
	return font{isRaised: r.uint16At(script) == superscript, isStruck: r.uint16At(flags)&struckOut != 0}
}

// fontAt returns the font with that number, or one without properties. No font has the number 4
// (FontIndex in [MS-XLS]).
func fontAt(fonts []font, number int) font {
	if number > 4 {
		number--
	}
	if number >= len(fonts) {
		return font{}
	}
	return fonts[number]
}

const runSize = 4 // size of a formatting run in bytes

// fontOf returns the font of a formatting run.
func fontOf(run []byte, fonts []font) font {
	return fontAt(fonts, int(binary.LittleEndian.Uint16(run[2:])))
}

// hasFormat reports whether any of the formatting runs of a text is superscript or struck out.
func hasFormat(runs []byte, fonts []font) bool {
	for run := range slices.Chunk(runs, runSize) {
		if fontOf(run, fonts) != (font{}) {
			return true
		}
	}
	return false
}

// applyRuns returns a text with superscript digits as superscript characters, and with marks around
// struck-out text. Each run is a position from which the text has another font,
// and the number of that font (FormatRun in [MS-XLS]). plain is how many bytes before the first run
// have the font of the cell, or markdown.AllInCellFont.
func applyRuns(text string, runs []byte, fonts []font) (marked string, plain int) {
	if len(runs) == 0 {
		return markdown.EscapeTildes(text), markdown.AllInCellFont
	}
	units := utf16.Encode([]rune(text))
	first := min(int(binary.LittleEndian.Uint16(runs)), len(units))
	plain = len(markdown.EscapeTildes(string(utf16.Decode(units[:first]))))
	if !hasFormat(runs, fonts) {
		return markdown.EscapeTildes(text), plain
	}
	var written markdown.InlineText
	add := func(part string, f font) {
		if f.isRaised {
			part = markdown.Superscript(part)
		}
		written.IsNextStruck = f.isStruck
		written.WriteString(part)
	}
	at, current := 0, font{}
	for run := range slices.Chunk(runs, runSize) {
		start := max(at, min(int(binary.LittleEndian.Uint16(run)), len(units)))
		add(string(utf16.Decode(units[at:start])), current)
		at, current = start, fontOf(run, fonts)
	}
	add(string(utf16.Decode(units[at:])), current)
	return written.String(), plain
}
