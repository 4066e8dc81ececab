package doc

import (
	"unicode/utf16"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

const levels = 9

// A numberedList counts its items ([MS-DOC] 2.9.147).
type numberedList struct {
	levels  [levels]listLevel
	counts  [levels]int
	counted [levels]bool
}

// A listUse is a use of a list, which paragraphs refer to by its number ([MS-DOC] 2.9.131). Some
// of its levels may begin anew or be other ones.
type listUse struct {
	*numberedList
	restarts  map[int]int
	overrides map[int]*listLevel
}

// A listLevel says how the items of a level are numbered ([MS-DOC] 2.9.150).
type listLevel struct {
	start         int
	format        int
	isDecimal     bool     // shows the numbers of all levels as digits
	neverRestarts bool     // does not begin again after an item of a higher level
	text          []uint16 // in which a number below 9 stands for that of a level
}

// numeralFormats are the names of number formats ([MS-OSHARED] 2.2.1.3) in Office Open XML.
var numeralFormats = map[int]string{
	0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 10: "ideographDigital", 11: "japaneseCounting",
	12: "aiueo", 13: "iroha", 14: "decimalFullWidth", 17: "japaneseDigitalTenThousand", 18: "decimalEnclosedCircle", 19: "decimalFullWidth2",
	20: "aiueoFullWidth", 21: "irohaFullWidth", 22: "decimalZero", 24: "ganada", 26: "decimalEnclosedFullstop", 27: "decimalEnclosedParen",
	28: "decimalEnclosedCircleChinese", 29: "ideographEnclosedCircle", 30: "ideographTraditional", 31: "ideographZodiac", 33: "taiwaneseCounting",
	35: "taiwaneseCountingThousand", 36: "taiwaneseDigital", 37: "chineseCounting", 38: "chineseLegalSimplified", 39: "chineseCountingThousand",
	41: "koreanDigital", 42: "koreanCounting", 58: "russianLower", 59: "russianUpper",
}

const noNumber, bulletFormat = 255, 23

// readLists reads the lists by the numbers that paragraphs refer to them by, from 1
// ([MS-DOC] 2.9.148 and 2.9.132). Their levels follow their table.
func readLists(lists, levelsOfAll, uses []byte) []*listUse {
	const listSize, useSize = 28, 16
	count := uint16At(lists, 0)
	if len(lists) == 0 || 2+count*listSize > len(lists) {
		return nil
	}
	byID := make(map[int]*numberedList)
	rest := levelsOfAll
	for i := range count {
		at := 2 + i*listSize
		const isSimple = 1
		n := levels
		if lists[at+26]&isSimple != 0 {
			n = 1
		}
		l := new(numberedList)
		for level := range n {
			rest = l.levels[level].readLevel(rest)
		}
		byID[int32At(lists, at)] = l
	}
	var all []*listUse
	changes := uses[min(len(uses), 4+int32At(uses, 0)*useSize):]
	for at := 4; at+useSize <= len(uses) && len(all) < int32At(uses, 0); at += useSize {
		u := &listUse{numberedList: byID[int32At(uses, at)]}
		changes = u.readChanges(changes, int(uses[at+12]))
		all = append(all, u)
	}
	return all
}

// readLevel reads a level, and returns what follows it.
func (l *listLevel) readLevel(d []byte) (rest []byte) {
	const fixed, isDecimal, neverRestarts = 28, 1 << 2, 1 << 3
	if len(d) < fixed {
		return nil
	}
	at := fixed + int(d[24]) + int(d[25])
	n := uint16At(d, at)
	if at += 2; at+2*n > len(d) {
		return nil
	}
	l.start, l.format = int32At(d, 0), int(d[4])
	l.isDecimal, l.neverRestarts = d[5]&isDecimal != 0, d[5]&neverRestarts != 0
	for i := range n {
		l.text = append(l.text, uint16(uint16At(d, at+2*i)))
	}
	return d[at+2*n:]
}

// readChanges reads what a use changes of so many levels ([MS-DOC] 2.9.133 and 2.9.134), and
// returns what follows.
func (u *listUse) readChanges(d []byte, count int) (rest []byte) {
	const unused, fixed, restarts, isOther = 4, 8, 1 << 4, 1 << 5
	for d = d[min(len(d), unused):]; count > 0 && len(d) >= fixed; count-- {
		start, level, flags := int32At(d, 0), int(d[4]&15), d[4]
		d = d[fixed:]
		switch {
		case flags&isOther != 0:
			l := new(listLevel)
			d = l.readLevel(d)
			if u.overrides == nil {
				u.overrides = make(map[int]*listLevel)
			}
			u.overrides[level] = l
			if flags&restarts == 0 {
				continue
			}
			start = l.start
			fallthrough
		case flags&restarts != 0:
			if u.restarts == nil {
				u.restarts = make(map[int]int)
			}
			u.restarts[level] = start
		}
	}
	return d
}

// level returns how a level of the list is numbered in this use.
func (u *listUse) level(n int) *listLevel {
	if l := u.overrides[n]; l != nil {
		return l
	}
	return &u.levels[n]
}

// nextMarker counts an item of a list and returns its marker, or "" if the item has none.
func (d *document) nextMarker(p paragraphProperties) string {
	if p.list < 1 || p.list > len(d.lists) || d.lists[p.list-1].numberedList == nil {
		return ""
	}
	u, level := d.lists[p.list-1], min(p.level, levels-1)
	u.countItem(level)
	switch u.level(level).format {
	case bulletFormat:
		return markdown.Bullet
	case noNumber:
		return ""
	}
	var text []uint16
	for _, unit := range u.level(level).text {
		if unit >= levels {
			text = append(text, unit)
			continue
		}
		format := numeralFormats[u.level(int(unit)).format]
		if u.level(level).isDecimal {
			format = "decimal"
		}
		text = append(text, utf16.Encode([]rune(office.FormatNumeral(format, u.counts[unit])))...)
	}
	return markdown.OneLine(string(utf16.Decode(text)))
}

// countItem counts an item of a level.
func (u *listUse) countItem(level int) {
	start, restarts := u.restarts[level]
	switch {
	case restarts:
		delete(u.restarts, level) // only before its first item
		u.counts[level] = start
	case u.counted[level]:
		u.counts[level]++
	default:
		u.counts[level] = u.level(level).start
	}
	u.counted[level] = true
	for higher := range level {
		if !u.counted[higher] {
			u.counts[higher], u.counted[higher] = u.level(higher).start, true
		}
	}
	for deeper := level + 1; deeper < levels; deeper++ {
		u.counted[deeper] = u.counted[deeper] && u.level(deeper).neverRestarts
	}
}
