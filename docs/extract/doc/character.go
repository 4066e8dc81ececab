package doc

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/formula"
)

// characterProperties are the properties of a run that decide which text, if any, its characters
// stand for.
type characterProperties struct {
	isDeleted bool // whether the text was deleted by a tracked change
	isHidden  bool // whether Word neither shows nor prints the text
	isRaised  bool // whether the text is superscript
	isStruck  bool
	isSymbol  bool // whether the text has symbolPlaceholder in place of symbol
	symbol    uint16
	font      int  // index of the font of symbol or, without a symbol, of the text
	object    int  // number of the embedded object, which is the name of its storage; 0 if there is none
	isForm    bool // whether object is instead the offset of the properties of a form field
}

// symbolPlaceholder stands in the text for a character of a symbol font.
const symbolPlaceholder = '('

// characterProperties returns the properties of a run that decide which text its characters stand
// for.
func (r *propertyRun) characterProperties() (p characterProperties) {
	for kind, operand := range eachModifier(r.properties) {
		switch kind {
		case sprmCFRMarkDel:
			p.isDeleted = operand[0] == 1
		case sprmCFData:
			p.isForm = operand[0] == 1
		case sprmCFVanish:
			p.isHidden = operand[0] == 1
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

// symbolText returns the characters that a symbol font shows for a character of the text, or nil if
// the character is shown as it is.
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

// formulaText returns the text of an embedded formula, or nil for other objects.
func (d *document) formulaText(number int) []uint16 {
	if number == 0 || d.objects == nil {
		return nil
	}
	storage := d.objects.Child("_" + strconv.Itoa(number))
	if storage == nil {
		return nil
	}
	native, err := storage.ReadStream("Equation Native")
	if err != nil { // too much would be unpacked: the document is read without the formula
		return nil
	}
	return utf16.Encode([]rune(formula.MTEFText(native)))
}

// readFonts returns the font names, by their index ([MS-DOC] 2.9.286 and 2.9.71).
func readFonts(table []byte) (names []string) {
	const entries, name = 4, 40 // offset of the entries in the table, and of the name in an entry
	count := uint16At(table, 0)
	for rest := table[min(len(table), entries):]; len(names) < count && len(rest) > 0; {
		size := min(1+int(rest[0]), len(rest))
		font, _, _ := strings.Cut(decodeUTF16(rest[min(name, size):size]), "\x00")
		names = append(names, font)
		rest = rest[size:]
	}
	return names
}
