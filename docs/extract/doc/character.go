package doc

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/formula"
)

// A characterProperties value holds what decides which character is read, if any.
type characterProperties struct {
	isDeleted bool // while changes were tracked
	isRaised  bool // in superscript
	isStruck  bool
	isSymbol  bool // the text has a placeholder for the character symbol
	symbol    uint16
	font      int  // of symbols
	object    int  // embedded here, by the number in the name of its storage
	isForm    bool // object is the position of a form field's properties
}

// symbolPlaceholder is the character of the text in place of one of a font of symbols.
const symbolPlaceholder = '('

// characterProperties returns the properties of a run.
func (r *propertyRun) characterProperties() (p characterProperties) {
	for kind, operand := range eachModifier(r.properties) {
		switch kind {
		case sprmCFRMarkDel:
			p.isDeleted = operand[0] == 1
		case sprmCFData:
			p.isForm = operand[0] == 1
		case sprmCFStrike, sprmCFDStrike:
			p.isStruck = operand[0] == 1
		case sprmCIss:
			p.isRaised = operand[0] == 1
		case sprmCSymbol:
			p.isSymbol, p.font, p.symbol = true, uint16At(operand, 0), uint16(uint16At(operand, 2))
		case sprmCPicLocation, sprmCObjLocation:
			p.object = int32At(operand, 0)
		case sprmCRgFtc0:
			if !p.isSymbol {
				p.font = uint16At(operand, 0)
			}
		}
	}
	return p
}

// symbolText returns the characters that a symbol font shows for a character of the text, nil
// if it shows the character itself.
func (d *document) symbolText(unit uint16, p *characterProperties) []uint16 {
	isPlaceholder := p.isSymbol && unit == symbolPlaceholder
	if isPlaceholder {
		unit = p.symbol
	}
	isCode := isPlaceholder && unit < 0x100 || charset.IsSymbolCode(rune(unit))
	if isCode && p.font < len(d.fonts) {
		if shown := charset.SymbolCharacter(d.fonts[p.font], byte(unit)); shown != 0 {
			return utf16.Encode([]rune{shown})
		}
	}
	if isPlaceholder {
		return []uint16{unit}
	}
	return nil
}

// formulaText returns the text of an embedded formula, nil for other objects.
func (d *document) formulaText(number int) []uint16 {
	if number == 0 || d.objects == nil {
		return nil
	}
	storage := d.objects.Child("_" + strconv.Itoa(number))
	if storage == nil {
		return nil
	}
	native, err := storage.ReadStream("Equation Native")
	if err != nil { // too much is unpacked, and the document is read without it
		return nil
	}
	return utf16.Encode([]rune(formula.MTEFText(native)))
}

// readFonts reads the names of the fonts, by their numbers ([MS-DOC] 2.9.286 and 2.9.71).
func readFonts(table []byte) (names []string) {
	const entries, name = 4, 40 // where they begin
	count := uint16At(table, 0)
	for rest := table[min(len(table), entries):]; len(names) < count && len(rest) > 0; {
		size := min(1+int(rest[0]), len(rest))
		font, _, _ := strings.Cut(decodeUTF16(rest[min(name, size):size]), "\x00")
		names = append(names, font)
		rest = rest[size:]
	}
	return names
}
