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

// A listLevel says how the items of a level are numbered ([MS-DOC] 2.9.150).
type listLevel struct {
	start  int
	format int
	text   []uint16 // in which a number below 9 stands for that of a level
}

// numeralFormats are the names of number formats ([MS-OSHARED] 2.2.1.3) in Office Open XML.
var numeralFormats = map[int]string{
	0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 10: "ideographDigital", 11: "japaneseCounting",
	18: "decimalEnclosedCircle", 22: "decimalZero", 37: "chineseCounting", 38: "chineseLegalSimplified", 39: "chineseCountingThousand",
}

const noNumber, bulletFormat = 255, 23

// readLists reads the lists by the numbers that paragraphs refer to them by, from 1
// ([MS-DOC] 2.9.148 and 2.9.132). Their levels follow their table.
func readLists(lists, levelsOfAll, uses []byte) []*numberedList {
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
	var all []*numberedList
	for at := 4; at+useSize <= len(uses) && len(all) < int32At(uses, 0); at += useSize {
		all = append(all, byID[int32At(uses, at)])
	}
	return all
}

// readLevel reads a level, and returns what follows it.
func (l *listLevel) readLevel(d []byte) (rest []byte) {
	const fixed = 28
	if len(d) < fixed {
		return nil
	}
	at := fixed + int(d[24]) + int(d[25])
	n := uint16At(d, at)
	if at += 2; at+2*n > len(d) {
		return nil
	}
	l.start, l.format = int32At(d, 0), int(d[4])
	for i := range n {
		l.text = append(l.text, uint16(uint16At(d, at+2*i)))
	}
	return d[at+2*n:]
}

// nextMarker counts an item of a list and returns its marker, or "" if the item has none.
func (d *document) nextMarker(p paragraphProperties) string {
	if p.list < 1 || p.list > len(d.lists) || d.lists[p.list-1] == nil {
		return ""
	}
	l, level := d.lists[p.list-1], min(p.level, levels-1)
	if l.counts[level]++; !l.counted[level] {
		l.counts[level], l.counted[level] = l.levels[level].start, true
	}
	for deeper := level + 1; deeper < levels; deeper++ {
		l.counted[deeper] = false
	}
	switch l.levels[level].format {
	case bulletFormat:
		return markdown.Bullet
	case noNumber:
		return ""
	}
	var text []uint16
	for _, unit := range l.levels[level].text {
		if unit >= levels {
			text = append(text, unit)
			continue
		}
		of := l.levels[unit]
		n := l.counts[unit]
		if !l.counted[unit] {
			n = of.start
		}
		text = append(text, utf16.Encode([]rune(office.FormatNumeral(numeralFormats[of.format], n)))...)
	}
	return markdown.OneLine(string(utf16.Decode(text)))
}
