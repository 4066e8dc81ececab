package doc

import (
	"cmp"
	"slices"
)

// A propertyRun is a range of bytes of the main stream whose characters, or paragraphs, have the
// same properties.
type propertyRun struct {
	from, to   int
	style      int    // style number, for paragraphs
	properties []byte // list of property modifiers, see eachModifier
}

const (
	pageSize = 512
	maxRuns  = 1 << 20
)

// A runLayout defines how a version of Word stores property runs.
type runLayout struct {
	pageNumberSize     int                                                  // size of a page number in bytes
	paragraphEntrySize int                                                  // size of the entry of a paragraph in a page, in bytes
	readProperties     func(r *propertyRun, data []byte, ofParagraphs bool) // reads the properties at the start of data, which begin with their length
}

var word97Runs = runLayout{4, 13, (*propertyRun).readWord97Properties}

// readRuns reads the runs of paragraphs, or of characters, from the pages that a table lists
// ([MS-DOC] 2.9.175 and 2.9.33). The result is sorted by offset.
func readRuns(main, table []byte, l runLayout, ofParagraphs bool) []propertyRun {
	var runs []propertyRun
	count := (len(table) - 4) / (4 + l.pageNumberSize)
	for i := range max(count, 0) {
		number := uint16At(table, 4*(count+1)+l.pageNumberSize*i)
		if l.pageNumberSize == 4 {
			number = int32At(table, 4*(count+1)+4*i) & (1<<22 - 1)
		}
		at := number * pageSize
		if at+pageSize > len(main) || len(runs) > maxRuns {
			break
		}
		runs = append(runs, l.runsOfPage(main[at:at+pageSize], ofParagraphs)...)
	}
	slices.SortFunc(runs, func(a, b propertyRun) int { return cmp.Compare(a.from, b.from) })
	return runs
}

func (l *runLayout) runsOfPage(page []byte, ofParagraphs bool) (runs []propertyRun) {
	entry := 1 // size in bytes of the entry of a run
	if ofParagraphs {
		entry = l.paragraphEntrySize
	}
	count := int(page[pageSize-1])
	if 4*(count+1)+entry*count > pageSize-1 {
		return nil
	}
	for i := range count {
		r := propertyRun{from: int32At(page, 4*i), to: int32At(page, 4*i+4)}
		if at := 2 * int(page[4*(count+1)+entry*i]); at > 0 {
			l.readProperties(&r, page[at:], ofParagraphs)
		}
		runs = append(runs, r)
	}
	return runs
}

// readWord97Properties reads properties that begin with their length.
func (r *propertyRun) readWord97Properties(data []byte, ofParagraphs bool) {
	n := int(data[0])
	data = data[1:]
	if !ofParagraphs {
		r.properties = data[:min(n, len(data))]
		return
	}
	if n = 2*n - 1; n < 0 && len(data) > 0 { // 0 means that the length is in the next byte
		n = 2 * int(data[0])
		data = data[1:]
	}
	if data = data[:max(0, min(n, len(data)))]; len(data) >= 2 {
		r.style, r.properties = uint16At(data, 0), data[2:]
	}
}

// runAt returns the run that contains a byte offset, or a run without properties.
func runAt(runs []propertyRun, position int) propertyRun {
	i, found := slices.BinarySearchFunc(runs, position, func(r propertyRun, position int) int { return cmp.Compare(r.from, position) })
	if !found {
		i--
	}
	if i >= 0 && position < runs[i].to {
		return runs[i]
	}
	return propertyRun{from: position, to: position + 1}
}

// The property modifiers (sprm) that are read, by their names in the specification ([MS-DOC] 2.6.1
// to 2.6.3).
const (
	sprmCFRMarkDel   = 0x0800 // deleted by a tracked change
	sprmCFData       = 0x0806 // the offset in sprmCPicLocation is that of form field properties
	sprmCFStrike     = 0x0837
	sprmCFVanish     = 0x083C // hidden text
	sprmCFDStrike    = 0x2A53
	sprmCIss         = 0x2A48 // 1 means superscript
	sprmCRgFtc0      = 0x4A4F // the font of Western characters
	sprmCSymbol      = 0x6A09 // a font, and a character in it
	sprmCPicLocation = 0x6A03 // on a field separator: number of an embedded object
	sprmCObjLocation = 0x680E // like sprmCPicLocation
	sprmPFInTable    = 0x2416
	sprmPFTtp        = 0x2417 // the paragraph ends a table row
	sprmPIlvl        = 0x260A // list level
	sprmPOutLvl      = 0x2640 // outline level
	sprmPIlfo        = 0x460B // number of the list use, from 1
	sprmTDefTable    = 0xD608
	sprmPChgTabs     = 0xC615
)

// eachModifier yields each property modifier in a list, with its operand ([MS-DOC] 2.2.5).
func eachModifier(properties []byte) func(yield func(kind int, operand []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for len(properties) >= 3 {
			kind := uint16At(properties, 0)
			rest := properties[2:]
			n := [8]int{1, 1, 2, 4, 2, 2, 0, 3}[kind>>13]
			switch {
			case kind == sprmTDefTable:
				n = uint16At(rest, 0) + 1
			case kind>>13 == 6:
				n = 1 + int(rest[0])
			}
			if n > len(rest) || kind == sprmPChgTabs && rest[0] == 255 || !yield(kind, rest[:n]) {
				return
			}
			properties = rest[n:]
		}
	}
}
