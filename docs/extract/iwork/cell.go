package iwork

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Kinds of cells.
const (
	numberCell   = 2
	textCell     = 3
	dateCell     = 5
	boolCell     = 6
	durationCell = 7
	richCell     = 9
	currencyCell = 10
)

// cellText returns the text of the cell at the start of b, which begins with its version, kind and
// flags. The flags determine which numbers and list keys follow.
func (r *tableReader) cellText(b []byte) string {
	const newest, header = 5, 12
	if len(b) < header {
		return ""
	}
	if b[0] >= newest {
		return r.shownText(r.readNewCell(b))
	}
	return r.shownText(r.readOldCell(b))
}

// A cell holds the fields of a cell as it is stored.
type cell struct {
	kind      byte
	number    *big.Rat // nil if the cell has no finite number
	seconds   float64  // seconds since the start of 2001, for a date
	text      uint64   // keys in the lists of texts and of rich texts; 0 if the cell has none
	rich      uint64
	format    protobufMessage // number format (TSK.FormatStructArchive)
	isDecimal bool            // whether number is exact; otherwise it is the nearest binary floating-point number
}

// readNewCell reads a cell in the format used since 2018.
func (r *tableReader) readNewCell(b []byte) cell {
	c := cell{kind: b[1]}
	flags, rest := binary.LittleEndian.Uint32(b[8:]), b[12:]
	const decimal, binary64, date, text, rich, numberFormat, currencyFormat = 0, 1, 2, 3, 4, 13, 14
	for bit := range 21 {
		if flags>>bit&1 == 0 {
			continue
		}
		size := 4
		switch bit {
		case decimal:
			size = 16
		case binary64, date:
			size = 8
		}
		if len(rest) < size {
			return c
		}
		value := rest[:size]
		switch rest = rest[size:]; {
		case bit == decimal:
			c.number, c.isDecimal = decimalNumber(value), true
		case bit == binary64:
			c.setNumber(readFloat(value))
		case bit == date:
			c.seconds = readFloat(value)
		case bit == text:
			c.text = readKey(value)
		case bit == rich:
			c.rich = readKey(value)
		case bit == numberFormat && c.kind == numberCell, bit == currencyFormat && c.kind == currencyCell:
			c.format = r.formats[readKey(value)].bytes(formatOfEntry)
		}
	}
	return c
}

// readOldCell reads a cell in the format used from 2013 to 2017.
func (r *tableReader) readOldCell(b []byte) cell {
	c := cell{kind: b[1]}
	if b[0] < 4 {
		c.kind = b[2]
	}
	flags, rest := binary.LittleEndian.Uint32(b[4:]), b[12:]
	const styles, format, formula, rich, others, text, number, date = 0x0C82, 4, 0x108, 0x200, 0x3000, 0x10, 0x20, 0x40
	take := func(size int) []byte {
		size = min(size, len(rest))
		value := rest[:size]
		rest = rest[size:]
		return value
	}
	take(4 * bits.OnesCount32(flags&styles))
	if flags&format != 0 {
		c.format = r.oldFormats[readKey(take(4))].bytes(formatOfEntry)
	}
	take(4 * bits.OnesCount32(flags&formula))
	if flags&rich != 0 {
		c.rich = readKey(take(4))
	}
	take(4 * bits.OnesCount32(flags&others))
	if flags&text != 0 {
		c.text = readKey(take(4))
	}
	if flags&number != 0 {
		c.setNumber(readFloat(take(8)))
	}
	if flags&date != 0 {
		c.seconds = readFloat(take(8))
	}
	return c
}

func readKey(b []byte) uint64 {
	if len(b) < 4 {
		return 0
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

func readFloat(b []byte) float64 {
	if len(b) < 8 {
		return math.NaN()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func (c *cell) setNumber(f float64) {
	if c.number == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		c.number = new(big.Rat).SetFloat64(f)
	}
}

// decimalNumber decodes an IEEE 754 decimal128 number with a binary significand. It returns nil if
// the exponent is implausible for a table.
func decimalNumber(b []byte) *big.Rat {
	const bias, largest = 6176, 100
	exponent := (int(b[15]&0x7F)<<7 | int(b[14]>>1)) - bias
	if exponent < -largest || exponent > largest {
		return nil
	}
	digits := make([]byte, 15)
	for i := range digits {
		digits[len(digits)-1-i] = b[i]
	}
	digits[0] &= 1 // the other bits of the byte belong to the exponent
	n := new(big.Int).SetBytes(digits)
	if b[15]&0x80 != 0 {
		n.Neg(n)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent < 0 {
		return new(big.Rat).SetFrac(n, power)
	}
	return new(big.Rat).SetInt(n.Mul(n, power))
}

// shownText returns the displayed form of the value of a cell.
func (r *tableReader) shownText(c cell) string {
	const text, richText = 3, 9 // fields of list entries
	switch c.kind {
	case textCell:
		return string(r.texts[c.text].bytes(text))
	case richCell:
		payload := r.objects[r.richTexts[c.rich].reference(richText)]
		return oneLine(r.storageBlocks(payload.reference(1), r.depth+1))
	case dateCell:
		return formatDate(c.seconds)
	}
	if c.number == nil {
		return ""
	}
	switch c.kind {
	case numberCell, currencyCell:
		if list := c.format.number(menuOfFormat); list != 0 {
			return r.menuChoice(list, c.number)
		}
		return formatNumber(c.number, c.isDecimal, c.format)
	case boolCell:
		return strings.ToUpper(strconv.FormatBool(c.number.Sign() != 0))
	case durationCell:
		seconds, _ := c.number.Float64()
		return formatDuration(seconds)
	}
	return ""
}

// Fields of list entries, and of the format in one.
const (
	formatOfEntry = 6
	menuOfFormat  = 39
)

// menuChoice returns the chosen entry of a pop-up menu (TST.PopUpMenuModel), given the identifier
// of the menu in the list and the index of the entry.
func (r *tableReader) menuChoice(list uint64, place *big.Rat) string {
	const menu, items, text = 4, 2, 5
	n, _ := place.Float64()
	for item := range r.objects[r.menus[list].reference(menu)].eachMessage(items) {
		if n < 1 {
			return string(item.bytes(text).bytes(1))
		}
		n--
	}
	return ""
}

// formatNumber formats a number (TSK.FormatStructArchive): as a percentage or an amount of money
// with its decimals, or as a plain number.
func formatNumber(n *big.Rat, isDecimal bool, format protobufMessage) string {
	const kind, places, currency = 1, 2, 3
	const currencyFormat, percentFormat, mostPlaces = 257, 258, 30
	after := ""
	switch format.number(kind) {
	case percentFormat:
		n, after = new(big.Rat).Mul(n, big.NewRat(100, 1)), "%"
	case currencyFormat:
		if code := string(format.bytes(currency)); len(code) == 3 {
			after = " " + code
		}
	}
	if p := format.number(places); after != "" && p <= mostPlaces {
		return n.FloatString(int(p)) + after
	}
	return formatPlainNumber(n, isDecimal) + after
}

// formatPlainNumber returns a number with the fewest digits that identify it.
func formatPlainNumber(n *big.Rat, isDecimal bool) string {
	if isDecimal {
		const digits = 100
		text := n.FloatString(digits)
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// formatDate formats a time, in seconds since the start of 2001, as 2006-01-02 15:04:05. It omits
// zero seconds, and the time of day at midnight.
func formatDate(seconds float64) string {
	const most = 1e12 // seconds, about 30,000 years
	if !(-most < seconds && seconds < most) {
		return ""
	}
	t := time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)
	t = t.AddDate(0, 0, int(math.Floor(seconds/86400)))
	t = t.Add(time.Duration(seconds-86400*math.Floor(seconds/86400)) * time.Second)
	switch {
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format(time.DateOnly)
	case t.Second() == 0:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format(time.DateTime)
}

// formatDuration formats a duration in seconds, such as 1:30:00.
func formatDuration(seconds float64) string {
	const most = 1e12
	if !(-most < seconds && seconds < most) {
		return ""
	}
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	n := int64(math.Round(1000 * seconds)) // thousandths of a second
	text := fmt.Sprintf("%s%d:%02d:%02d.%03d", sign, n/3_600_000, n/60_000%60, n/1000%60, n%1000)
	return strings.TrimSuffix(text, ".000")
}
