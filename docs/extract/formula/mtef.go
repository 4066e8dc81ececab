// Equation Editor 3 and MathType formulas are read as text on one line: fractions with a slash,
// superscripts and subscripts with ^ and _, like formulas in Office Math.
//
// The format is MTEF versions 3 and 5, described in the MathType SDK. No Go library was available.

package formula

import (
	"encoding/binary"
	"strings"

	"vademecum/docs/extract"
)

// Types of records, as in version 5. Earlier versions keep options in the same byte.
const (
	recEnd           = 0
	recLine          = 1
	recChar          = 2
	recTemplate      = 3
	recPile          = 4
	recMatrix        = 5
	recEmbellishment = 6
	recRuler         = 7
	recFont          = 8 // before version 5: a font; in version 5: a font style
	recSize          = 9
	recSubSymbol     = 14 // the last type without data
	recColour        = 15
	recColourDef     = 16
	recFontDef       = 17
	recPreferences   = 18
	recEncodingDef   = 19
	recFuture        = 100 // records of this type and above begin with their length
)

// Option bits of records.
const (
	hasNudge       = 8 // of all records: the offset by which the record is nudged follows
	hasLineSpacing = 4 // of lines: the line spacing follows
	hasRuler       = 2 // of lines and piles: a ruler follows
	isNull         = 1 // of lines: the slot is empty, and no list follows

	isEmbellished5 = 1  // of characters in version 5: a list of embellishments follows
	hasNarrowCode5 = 4  // of characters in version 5: an 8-bit position in the font follows
	hasWideCode5   = 16 // of characters in version 5: a 16-bit position in the font follows
	lacksCode5     = 32 // of characters in version 5: no character code follows
	isEmbellished3 = 2  // of characters before version 5: a list of embellishments follows
)

// maxFormula is the maximum number of bytes of a formula that are read. Typical formulas have a few
// thousand.
const maxFormula = 1 << 20

// MTEFText returns a formula of Equation Editor or MathType as text on one line; "" if it cannot be
// read. native is the stream of the embedded object: a header, which begins with its own length,
// and the formula.
func MTEFText(native []byte) string {
	const oldHeader, newHeader = 5, 6
	if len(native) < 2 {
		return ""
	}
	start := int(binary.LittleEndian.Uint16(native))
	if start+newHeader > len(native) {
		return ""
	}
	r := reader{rest: native[start:min(len(native), maxFormula)], version: int(native[start])}
	switch r.version {
	case 2, 3, 4:
		r.skip(oldHeader)
	case 5:
		r.skip(oldHeader)
		r.skipName() // skip the name of the program
		r.skip(1)
	default:
		return ""
	}
	var all strings.Builder
	for _, item := range r.readList(0) {
		all.WriteString(item.text)
	}
	return CleanLine(all.String())
}

// A reader reads the records of a formula. Past the end it reads zeros, which end all lists.
type reader struct {
	rest    []byte
	version int
}

func (r *reader) byte() (b byte) {
	if len(r.rest) > 0 {
		b, r.rest = r.rest[0], r.rest[1:]
	}
	return b
}

func (r *reader) skip(n int) { r.rest = r.rest[min(n, len(r.rest)):] }

func (r *reader) uint16() uint16 { return uint16(r.byte()) | uint16(r.byte())<<8 }

// skipName skips a null-terminated string.
func (r *reader) skipName() {
	for r.byte() != 0 {
	}
}

// number reads a number in the format of version 5, which has one byte or three.
func (r *reader) number() int {
	if n := r.byte(); n < 255 {
		return int(n)
	}
	return int(r.uint16())
}

// skipNudge skips the offset by which a record is nudged.
func (r *reader) skipNudge() {
	const large = 128
	if x, y := r.byte(), r.byte(); x == large && y == large {
		r.skip(4)
	}
}

// An item is an element of a list: a slot of a template, which may be empty, or a character or
// other content.
type item struct {
	text   string
	isSlot bool
}

// readList reads records up to the end of their list.
func (r *reader) readList(depth int) (items []item) {
	for len(r.rest) > 0 && depth < extract.MaxNestingDepth {
		kind, options := int(r.byte()), 0
		if r.version < 5 {
			kind, options = kind&15, kind>>4
		} else if kind >= recLine && kind <= recEmbellishment {
			options = int(r.byte())
		}
		if kind == recEnd {
			return items
		}
		if kind <= recEmbellishment && options&hasNudge != 0 {
			r.skipNudge()
		}
		items = r.readRecord(kind, options, items, depth)
	}
	return items
}

func (r *reader) readRecord(kind, options int, items []item, depth int) []item {
	switch kind {
	case recLine:
		if options&hasLineSpacing != 0 {
			r.skip(2)
		}
		if options&hasRuler != 0 {
			r.skip(1)
			r.skipRuler()
		}
		line := item{isSlot: true}
		if options&isNull == 0 {
			line.text = concatenated(r.readList(depth + 1))
		}
		return append(items, line)
	case recChar:
		return append(items, item{text: r.readCharacter(options, depth)})
	case recTemplate:
		return append(items, item{text: r.readTemplate(depth)})
	case recPile:
		r.skip(2)
		if options&hasRuler != 0 {
			r.skip(1)
			r.skipRuler()
		}
		return append(items, item{text: separated(r.readList(depth+1), "; "), isSlot: true})
	case recEmbellishment:
		mark := embellishments[r.byte()]
		if r.version < 5 && r.endsTwice() {
			r.skip(1)
		}
		return append(items, item{text: mark})
	case recMatrix:
		return append(items, item{text: r.readMatrix(depth)})
	default:
		r.skipRecord(kind)
		return items
	}
}

// endsTwice reports whether an embellishment of Equation Editor ends with an end record of its own,
// in addition to that of the list.
func (r *reader) endsTwice() bool {
	return len(r.rest) > 1 && r.rest[0] == recEnd && (r.rest[1] == recEnd || r.rest[1]&15 == recEmbellishment)
}

// skipRecord skips a record that has no visible content.
func (r *reader) skipRecord(kind int) {
	switch {
	case kind == recRuler:
		r.skipRuler()
	case kind == recFont && r.version < 5:
		r.skip(2)
		r.skipName()
	case kind == recFont:
		r.number()
		r.skip(1)
	case kind == recSize:
		r.skipSize()
	case kind <= recSubSymbol:
	case kind == recColour:
		r.number()
	case kind == recColourDef:
		r.skipColour()
	case kind == recFontDef:
		r.number()
		r.skipName()
	case kind == recPreferences:
		r.skipPreferences()
	case kind == recEncodingDef:
		r.skipName()
	case kind >= recFuture:
		r.skip(r.number())
	default:
		r.rest = nil // the start of the next record is unknown
	}
}

func (r *reader) skipRuler() {
	const stop = 3
	r.skip(stop * int(r.byte()))
}

func (r *reader) skipSize() {
	const points, both = 101, 100
	switch r.byte() {
	case points:
		r.skip(2)
	case both:
		r.skip(3)
	default:
		r.skip(1)
	}
}

func (r *reader) skipColour() {
	const inCMYK, isNamed = 1, 4
	options := r.byte()
	r.skip(6)
	if options&inCMYK != 0 {
		r.skip(2)
	}
	if options&isNamed != 0 {
		r.skipName()
	}
}

// skipPreferences skips sizes and spacings, which are encoded as half-byte digits, and styles.
func (r *reader) skipPreferences() {
	r.skip(1)
	for range 2 {
		const last = 15
		count, half := int(r.byte()), 0
		for at := 0; count > 0 && len(r.rest) > 0; at++ {
			if at%2 == 0 {
				half = int(r.byte())
			}
			if digit := half >> (4 - at%2*4) & 15; digit == last {
				count--
			}
		}
	}
	for range r.byte() {
		if r.byte() != 0 {
			r.skip(1)
		}
	}
}

// embellishments are the marks on a character, by type: primes and combining marks.
var embellishments = map[byte]string{
	2: "\u0307", 3: "\u0308", 4: "\u20DB", 5: "'", 6: "''", 8: "\u0303", 9: "\u0302", 10: "\u0338", 11: "\u20D7", 14: "\u20D7", 17: Overline, 18: "'''",
}

// readCharacter reads a character and its embellishments, and returns its text.
func (r *reader) readCharacter(options, depth int) string {
	r.skip(1) // the typeface
	code, isEmbellished := rune(0), options&isEmbellished3 != 0
	if r.version == 5 {
		isEmbellished = options&isEmbellished5 != 0
		if options&lacksCode5 == 0 {
			code = rune(r.uint16())
		}
		if options&hasNarrowCode5 != 0 {
			r.skip(1)
		}
		if options&hasWideCode5 != 0 {
			r.skip(2)
		}
	} else if code = rune(r.byte()); r.version > 2 {
		code |= rune(r.byte()) << 8
	}
	text := shown(code)
	if isEmbellished {
		text += concatenated(r.readList(depth + 1))
	}
	return text
}

// shown returns the visible text for a character code. Spaces, alignment marks and extensible bars
// have codes in the private use area of Unicode.
func shown(code rune) string {
	const spaces, lastSpace = 0xEF00, 0xEFFF
	switch {
	case code == 0xEC07, code == 0xEC08:
		return "|"
	case code == 0xEC09, code == 0xEC0A:
		return "‖"
	case code >= 0xE000 && code <= 0xF8FF:
		if spaces < code && code <= lastSpace {
			return " "
		}
		return ""
	case code < ' ', code >= 0x2061 && code <= 0x2064, code >= 0xD800 && code < 0xE000:
		return ""
	}
	return string(code)
}

func (r *reader) readMatrix(depth int) string {
	r.skip(3)
	rows, columns := int(r.byte()), int(r.byte())
	r.skip((2*(rows+1) + 7) / 8)
	r.skip((2*(columns+1) + 7) / 8)
	var lines, line []string
	for _, i := range r.readList(depth + 1) {
		if !i.isSlot {
			continue
		}
		if line = append(line, i.text); len(line) >= columns {
			lines, line = append(lines, strings.Join(line, ", ")), nil
		}
	}
	return strings.Join(lines, "; ")
}

// concatenated returns the texts of items, without separators.
func concatenated(items []item) string { return separated(items, "") }

func separated(items []item, separator string) string {
	texts := make([]string, len(items))
	for i := range items {
		texts[i] = items[i].text
	}
	return strings.Join(texts, separator)
}
