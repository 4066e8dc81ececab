package doc

import "vademecum/docs/extract/office"

// A listUse is a use of a list, which may change the numbering. Paragraphs refer to it by its
// number ([MS-DOC] 2.9.131).
type listUse struct {
	office.ListInstance
	list *office.List // the list that is used; nil if it is missing ([MS-DOC] 2.9.147)
}

// numeralFormats are the Office Open XML names of the number formats in [MS-OSHARED] 2.2.1.3.
var numeralFormats = map[byte]string{
	0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 10: "ideographDigital", 11: "japaneseCounting",
	12: "aiueo", 13: "iroha", 14: "decimalFullWidth", 17: "japaneseDigitalTenThousand", 18: "decimalEnclosedCircle", 19: "decimalFullWidth2",
	20: "aiueoFullWidth", 21: "irohaFullWidth", 22: "decimalZero", 23: "bullet", 24: "ganada", 26: "decimalEnclosedFullstop", 27: "decimalEnclosedParen",
	28: "decimalEnclosedCircleChinese", 29: "ideographEnclosedCircle", 30: "ideographTraditional", 31: "ideographZodiac", 33: "taiwaneseCounting",
	35: "taiwaneseCountingThousand", 36: "taiwaneseDigital", 37: "chineseCounting", 38: "chineseLegalSimplified", 39: "chineseCountingThousand",
	41: "koreanDigital", 42: "koreanCounting", 58: "russianLower", 59: "russianUpper",
}

// readLists reads the uses of lists. Paragraphs refer to them by number, from 1 ([MS-DOC] 2.9.148
// and 2.9.132). The levels of all lists follow the table of lists.
func readLists(lists, levelsOfAll, uses []byte) []*listUse {
	const listSize, useSize = 28, 16
	count := uint16At(lists, 0)
	if len(lists) == 0 || 2+count*listSize > len(lists) {
		return nil
	}
	byID := make(map[int]*office.List)
	rest := levelsOfAll
	for i := range count {
		at := 2 + i*listSize
		const isSimple = 1
		n := office.ListLevelCount
		if lists[at+26]&isSimple != 0 {
			n = 1
		}
		l := new(office.List)
		for level := range n {
			l.Levels[level], rest = readLevel(rest)
		}
		byID[int32At(lists, at)] = l
	}
	var all []*listUse
	changes := uses[min(len(uses), 4+int32At(uses, 0)*useSize):]
	for at := 4; at+useSize <= len(uses) && len(all) < int32At(uses, 0); at += useSize {
		u := &listUse{list: byID[int32At(uses, at)], ListInstance: office.ListInstance{RestartNumbers: make(map[int]int), Overrides: make(map[int]office.ListLevel)}}
		changes = u.readChanges(changes, int(uses[at+12]))
		all = append(all, u)
	}
	return all
}

// readLevel reads the definition of a list level ([MS-DOC] 2.9.150), and returns the rest of d.
func readLevel(d []byte) (l office.ListLevel, rest []byte) {
	const fixed, isDecimal, neverRestarts, noNumber = 28, 1 << 2, 1 << 3, 255
	if len(d) < fixed {
		return l, nil
	}
	at := fixed + int(d[24]) + int(d[25])
	n := uint16At(d, at)
	if at += 2; at+2*n > len(d) {
		return l, nil
	}
	l = office.ListLevel{Start: int32At(d, 0), NumberFormat: numeralFormats[d[4]], AllLevelsDecimal: d[5]&isDecimal != 0, NeverRestarts: d[5]&neverRestarts != 0}
	if d[4] != noNumber {
		l.MarkerTemplate = office.DropLongAffix(decodeUTF16(d[at : at+2*n]))
	}
	return l, d[at+2*n:]
}

// readChanges reads the changes to count levels that a use of a list makes ([MS-DOC] 2.9.133 and
// 2.9.134), and returns the rest of d.
func (u *listUse) readChanges(d []byte, count int) (rest []byte) {
	const unused, fixed, restarts, isOther = 4, 8, 1 << 4, 1 << 5
	for d = d[min(len(d), unused):]; count > 0 && len(d) >= fixed; count-- {
		start, level, flags := int32At(d, 0), int(d[4]&15), d[4]
		d = d[fixed:]
		switch {
		case flags&isOther != 0:
			var l office.ListLevel
			l, d = readLevel(d)
			u.Overrides[level] = l
			if flags&restarts != 0 {
				u.RestartNumbers[level] = l.Start
			}
		case flags&restarts != 0:
			u.RestartNumbers[level] = start
		}
	}
	return d
}

// nextMarker counts a list item, and returns its marker, or "" if it has none.
func (d *document) nextMarker(p paragraphProperties) string {
	if p.list < 1 || p.list > len(d.lists) || d.lists[p.list-1].list == nil {
		return ""
	}
	u := d.lists[p.list-1]
	return u.list.NextMarker(&u.ListInstance, min(p.level, office.ListLevelCount-1))
}
