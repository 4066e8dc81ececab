package doc

import (
	"cmp"
	"slices"
)

// A run is a range of bytes of the main stream with equal properties.
type run struct {
	from, to   int
	style      int    // of paragraphs
	properties []byte // a list of changes, see changes
}

const (
	pageSize = 512
	maxRuns  = 1 << 20
)

// A runLayout is how a version of Word keeps runs.
type runLayout struct {
	number    int                                          // bytes of the number of a page
	paragraph int                                          // bytes of what a page says of each paragraph
	take      func(r *run, data []byte, ofParagraphs bool) // takes the properties that begin with their length
}

var word97Runs = runLayout{4, 13, (*run).take}

// readRuns reads the runs of paragraphs, or of characters, from the pages that a table
// lists ([MS-DOC] 2.9.175 and 2.9.33), in the order of the file.
func readRuns(main, table []byte, l runLayout, ofParagraphs bool) []run {
	var runs []run
	count := (len(table) - 4) / (4 + l.number)
	for i := range max(count, 0) {
		number := short(table, 4*(count+1)+l.number*i)
		if l.number == 4 {
			number = long(table, 4*(count+1)+4*i) & (1<<22 - 1)
		}
		at := number * pageSize
		if at+pageSize > len(main) || len(runs) > maxRuns {
			break
		}
		runs = append(runs, l.runsOfPage(main[at:at+pageSize], ofParagraphs)...)
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	return runs
}

func (l *runLayout) runsOfPage(page []byte, ofParagraphs bool) (runs []run) {
	entry := 1 // its size
	if ofParagraphs {
		entry = l.paragraph
	}
	count := int(page[pageSize-1])
	if 4*(count+1)+entry*count > pageSize-1 {
		return nil
	}
	for i := range count {
		r := run{from: long(page, 4*i), to: long(page, 4*i+4)}
		if at := 2 * int(page[4*(count+1)+entry*i]); at > 0 {
			l.take(&r, page[at:], ofParagraphs)
		}
		runs = append(runs, r)
	}
	return runs
}

// take takes the properties that begin with their length.
func (r *run) take(data []byte, ofParagraphs bool) {
	n := int(data[0])
	data = data[1:]
	if !ofParagraphs {
		r.properties = data[:min(n, len(data))]
		return
	}
	if n = 2*n - 1; n < 0 && len(data) > 0 { // the next byte has it
		n = 2 * int(data[0])
		data = data[1:]
	}
	if data = data[:max(0, min(n, len(data)))]; len(data) >= 2 {
		r.style, r.properties = short(data, 0), data[2:]
	}
}

// at is the run of a byte, or one without properties.
func at(runs []run, position int) run {
	i, found := slices.BinarySearchFunc(runs, position, func(r run, position int) int { return cmp.Compare(r.from, position) })
	if !found {
		i--
	}
	if i >= 0 && position < runs[i].to {
		return runs[i]
	}
	return run{from: position, to: position + 1}
}

// The changes of properties that are heeded ([MS-DOC] 2.6).
const (
	isDeleted   = 0x0800
	isInTable   = 0x2416
	endsRow     = 0x2417
	levelInList = 0x260A
	outline     = 0x2640
	list        = 0x460B
	tableLook   = 0xD608
	changedTabs = 0xC615
)

// changes yields each change of a list with its operand ([MS-DOC] 2.2.5).
func changes(properties []byte) func(yield func(kind int, operand []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for len(properties) >= 3 {
			kind := short(properties, 0)
			rest := properties[2:]
			n := [8]int{1, 1, 2, 4, 2, 2, 0, 3}[kind>>13]
			switch {
			case kind == tableLook:
				n = short(rest, 0) + 1
			case kind>>13 == 6:
				n = 1 + int(rest[0])
			}
			if n > len(rest) || kind == changedTabs && rest[0] == 255 || !yield(kind, rest[:n]) {
				return
			}
			properties = rest[n:]
		}
	}
}
