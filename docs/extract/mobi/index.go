package mobi

import (
	"math/bits"
	"slices"
	"strconv"

	"vademecum/docs/extract"
)

// An indexEntry is an entry of an index: its label and, for each of its tags, a list of numbers.
type indexEntry struct {
	label string
	tags  map[byte][]int
}

// tagNumber returns the i-th number of a tag, or -1.
func (e *indexEntry) tagNumber(tag byte, i int) int {
	if i < len(e.tags[tag]) {
		return e.tags[tag][i]
	}
	return -1
}

// An index is an INDX table of a book, with the names that its entries refer to.
type index struct {
	entries []indexEntry
	names   [][]byte // records with the names to which the entries refer
}

// readIndex reads the index that begins at a record; 0 stands for no index. If the index is
// damaged, it returns what is readable.
func (b *book) readIndex(number int) index {
	var x index
	main := b.record(b.headerRecord + number)
	if number == 0 || string(sliceAt(main, 0, 4)) != "INDX" {
		return x
	}
	tags := readTagRules(main[min(numberAt(main, 4), len(main)):])
	records := min(numberAt(main, 24), len(b.starts))
	for i := 1; i <= records; i++ {
		x.readEntries(b.record(b.headerRecord+number+i), tags)
	}
	for i := range min(numberAt(main, 52), len(b.starts)) {
		x.names = append(x.names, b.record(b.headerRecord+number+1+records+i))
	}
	return x
}

// A tagRule defines how the numbers of a tag are stored in an entry.
type tagRule struct{ tag, values, mask, end byte }

// tagRules are the rules of an index (TAGX), and the number of control bytes in each entry.
type tagRules struct {
	control int
	rules   []tagRule
}

func readTagRules(b []byte) tagRules {
	if string(sliceAt(b, 0, 4)) != "TAGX" {
		return tagRules{}
	}
	t := tagRules{control: numberAt(b, 8)}
	for at := 12; at+4 <= min(numberAt(b, 4), len(b)); at += 4 {
		t.rules = append(t.rules, tagRule{b[at], b[at+1], b[at+2], b[at+3]})
	}
	return t
}

// readEntries reads the entries of a record, whose offsets are in a table at its end, in order.
func (x *index) readEntries(record []byte, tags tagRules) {
	if string(sliceAt(record, 0, 4)) != "INDX" {
		return
	}
	table := numberAt(record, 20)
	if string(sliceAt(record, table, 4)) != "IDXT" {
		return
	}
	for i := range numberAt(record, 24) {
		at, end := uint16At(record, table+4+2*i), uint16At(record, table+6+2*i)
		if end <= at || end > table {
			end = table // the last entry ends where the table begins
		}
		if at == 0 || at >= end || len(x.entries) >= extract.MaxArchiveEntries {
			return
		}
		x.entries = append(x.entries, readEntry(record[at:end], tags))
		if end == table {
			return
		}
	}
}

func readEntry(b []byte, tags tagRules) indexEntry {
	size := int(b[0])
	e := indexEntry{label: string(sliceAt(b, 1, size)), tags: make(map[byte][]int)}
	control := sliceAt(b, 1+size, tags.control)
	if control == nil {
		return e
	}
	r := numberReader(b[1+size+tags.control:])
	var groups []tagGroup
	for _, rule := range tags.rules {
		if rule.end == 1 {
			control = control[min(1, len(control)):]
			continue
		}
		if len(control) == 0 {
			return e
		}
		if g, ok := r.readGroup(rule, control[0]); ok {
			groups = append(groups, g)
		}
	}
	for _, g := range groups {
		e.tags[g.tag] = append(e.tags[g.tag], r.readNumbers(g)...)
	}
	return e
}

// A tagGroup says how many numbers of a tag follow in an entry: either count numbers, or as many as
// take that many bytes.
type tagGroup struct {
	tag          byte
	count, bytes int
}

// A numberReader reads numbers of variable length, with seven bits a byte; the last byte has the
// highest bit set.
type numberReader []byte

func (r *numberReader) readNumber() (n int) {
	for i := 0; i < 5 && len(*r) > 0; i++ {
		c := (*r)[0]
		*r = (*r)[1:]
		n = n<<7 | int(c&0x7F)
		if c&0x80 != 0 {
			break
		}
	}
	return n
}

// readGroup returns how many numbers of a tag follow, according to the control byte of the entry.
// If a mask of several bits is completely set, the length of the numbers in bytes is stored before
// them. The second result is false if the entry does not have the tag.
func (r *numberReader) readGroup(rule tagRule, control byte) (tagGroup, bool) {
	value := control & rule.mask
	switch {
	case value == 0:
		return tagGroup{}, false
	case value == rule.mask && bits.OnesCount8(rule.mask) > 1:
		return tagGroup{tag: rule.tag, bytes: r.readNumber()}, true
	}
	value >>= bits.TrailingZeros8(rule.mask)
	return tagGroup{tag: rule.tag, count: int(value) * int(rule.values)}, true
}

func (r *numberReader) readNumbers(g tagGroup) (numbers []int) {
	left := len(*r)
	for len(*r) > 0 && (len(numbers) < g.count || left-len(*r) < g.bytes) {
		numbers = append(numbers, r.readNumber())
	}
	return numbers
}

// nameAt returns the name at an offset. Each record with names covers 64 KB of offsets.
func (x *index) nameAt(offset int) []byte {
	if offset < 0 || offset>>16 >= len(x.names) {
		return nil
	}
	record := x.names[offset>>16]
	r := numberReader(record[min(offset&0xFFFF, len(record)):])
	size := r.readNumber()
	return sliceAt(r, 0, size)
}

// Tags in the entries of the table of contents, of files and of fragments.
const (
	positionTag  = 1
	nameTag      = 3
	fragmentTag  = 6 // in the table of contents: the fragment and the offset in it
	fragmentsTag = 1 // of a source file: the number of its fragments
	extentTag    = 6 // of a source file or a fragment: its start and size in bytes
)

// A chapterOffset is the byte offset at which a named chapter begins.
type chapterOffset struct {
	at   int
	name string
}

// A bookText is the HTML of a book, with the offsets of the source files and fragments from which
// it was put together.
type bookText struct {
	text           []byte
	fileStarts     []int // start of each source file; nil if unknown
	fragmentStarts []int // start of each fragment in text
}

// maxMoved limits how many bytes are moved when fragments are inserted into files.
const maxMoved = 1 << 30

// assembleFragments inserts the fragments of a KF8 into its source files. In stored, the
// decompressed text, they follow the skeleton of their file, which consists of the outer elements.
func (b *book) assembleFragments(stored []byte) bookText {
	pieces := b.readIndex(b.fragmentRecord).entries
	s := bookText{text: make([]byte, 0, len(stored))}
	moved := 0
	for _, e := range b.readIndex(b.skeletonRecord).entries {
		start, size := e.tagNumber(extentTag, 0), e.tagNumber(extentTag, 1)
		file := sliceAt(stored, start, size)
		if file == nil || start != len(s.text) {
			break
		}
		file = slices.Clone(file)
		s.fileStarts = append(s.fileStarts, start)
		for range min(e.tagNumber(fragmentsTag, 0), len(pieces)) {
			piece := pieces[0]
			pieces = pieces[1:]
			fragment := sliceAt(stored, start+len(file), piece.tagNumber(extentTag, 1))
			at := piece.textPosition() - start
			if at < 0 || at > len(file) || moved > maxMoved {
				at = len(file)
			}
			moved += len(file) - at
			s.fragmentStarts = append(s.fragmentStarts, start+at)
			file = slices.Insert(file, at, fragment...)
		}
		s.text = append(s.text, file...)
	}
	s.text = append(s.text, stored[min(len(s.text), len(stored)):]...)
	return s
}

// textPosition returns the position of a fragment in the text, which is the label of its entry, or
// -1 if the label is invalid.
func (e *indexEntry) textPosition() int {
	n, err := strconv.Atoi(e.label)
	if err != nil {
		return -1
	}
	return n
}

// chapterOffsets returns the chapters in the table of contents with their offsets in the text.
// fragments are the starts of the fragments, by which KF8 gives the offsets.
func (b *book) chapterOffsets(fragments []int) (marks []chapterOffset) {
	x := b.readIndex(b.contentsRecord)
	for i := range x.entries {
		e := &x.entries[i]
		at := e.tagNumber(positionTag, 0)
		if fragment := e.tagNumber(fragmentTag, 0); 0 <= fragment && fragment < len(fragments) {
			at = fragments[fragment] + max(e.tagNumber(fragmentTag, 1), 0)
		}
		if name := b.decodeName(x.nameAt(e.tagNumber(nameTag, 0))); at >= 0 && name != "" {
			marks = append(marks, chapterOffset{at, name})
		}
	}
	return marks
}
