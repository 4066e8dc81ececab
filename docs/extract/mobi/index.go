package mobi

import (
	"math/bits"
	"slices"
	"strconv"

	"vademecum/docs/extract"
)

// An entry is one of an index: what numbers it has by their tags.
type entry struct {
	label string
	tags  map[byte][]int
}

// number returns a number of a tag, or -1.
func (e *entry) number(tag byte, i int) int {
	if i < len(e.tags[tag]) {
		return e.tags[tag][i]
	}
	return -1
}

// An index is a table of a book (INDX), with the names that entries refer to.
type index struct {
	entries []entry
	names   [][]byte // records
}

// readIndex reads the index that begins with a record, 0 of none. Of a damaged
// one what there is stays.
func (b *book) readIndex(number int) index {
	var x index
	main := b.record(b.first + number)
	if number == 0 || string(within(main, 0, 4)) != "INDX" {
		return x
	}
	tags := readTags(main[min(numberAt(main, 4), len(main)):])
	records := min(numberAt(main, 24), len(b.starts))
	for i := 1; i <= records; i++ {
		x.read(b.record(b.first+number+i), tags)
	}
	for i := range min(numberAt(main, 52), len(b.starts)) {
		x.names = append(x.names, b.record(b.first+number+1+records+i))
	}
	return x
}

// A tagRule says how the numbers of a tag stand in an entry.
type tagRule struct{ tag, values, mask, end byte }

// tagRules are those of an index (TAGX), and how many bytes of each entry say
// which of them it has.
type tagRules struct {
	control int
	rules   []tagRule
}

func readTags(b []byte) tagRules {
	if string(within(b, 0, 4)) != "TAGX" {
		return tagRules{}
	}
	t := tagRules{control: numberAt(b, 8)}
	for at := 12; at+4 <= min(numberAt(b, 4), len(b)); at += 4 {
		t.rules = append(t.rules, tagRule{b[at], b[at+1], b[at+2], b[at+3]})
	}
	return t
}

// read reads the entries of a record, which begin in their order at the offsets
// that a table at its end has.
func (x *index) read(record []byte, tags tagRules) {
	if string(within(record, 0, 4)) != "INDX" {
		return
	}
	table := numberAt(record, 20)
	if string(within(record, table, 4)) != "IDXT" {
		return
	}
	for i := range numberAt(record, 24) {
		at, end := shortAt(record, table+4+2*i), shortAt(record, table+6+2*i)
		if end <= at || end > table {
			end = table // of the last
		}
		if at == 0 || at >= end || len(x.entries) >= extract.MaxEntries {
			return
		}
		x.entries = append(x.entries, readEntry(record[at:end], tags))
		if end == table {
			return
		}
	}
}

func readEntry(b []byte, tags tagRules) entry {
	size := int(b[0])
	e := entry{label: string(within(b, 1, size)), tags: make(map[byte][]int)}
	control := within(b, 1+size, tags.control)
	if control == nil {
		return e
	}
	r := numberReader(b[1+size+tags.control:])
	var groups []group
	for _, rule := range tags.rules {
		if rule.end == 1 {
			control = control[min(1, len(control)):]
			continue
		}
		if len(control) == 0 {
			return e
		}
		if g, ok := r.group(rule, control[0]); ok {
			groups = append(groups, g)
		}
	}
	for _, g := range groups {
		e.tags[g.tag] = append(e.tags[g.tag], r.numbers(g)...)
	}
	return e
}

// A group is the numbers of a tag in an entry: so many of them, or so many bytes.
type group struct {
	tag          byte
	count, bytes int
}

// A numberReader reads numbers of seven bits a byte, the last with the highest
// bit set.
type numberReader []byte

func (r *numberReader) number() (n int) {
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

// group returns the numbers of a tag that a byte says an entry has. Where all bits
// of several are set, how many bytes they take stands before them.
func (r *numberReader) group(rule tagRule, control byte) (group, bool) {
	value := control & rule.mask
	switch {
	case value == 0:
		return group{}, false
	case value == rule.mask && bits.OnesCount8(rule.mask) > 1:
		return group{tag: rule.tag, bytes: r.number()}, true
	}
	value >>= bits.TrailingZeros8(rule.mask)
	return group{tag: rule.tag, count: int(value) * int(rule.values)}, true
}

func (r *numberReader) numbers(g group) (numbers []int) {
	left := len(*r)
	for len(*r) > 0 && (len(numbers) < g.count || left-len(*r) < g.bytes) {
		numbers = append(numbers, r.number())
	}
	return numbers
}

// name returns the name at an offset into the records with names, each of which
// counts 64 KB.
func (x *index) name(offset int) []byte {
	if offset < 0 || offset>>16 >= len(x.names) {
		return nil
	}
	record := x.names[offset>>16]
	r := numberReader(record[min(offset&0xFFFF, len(record)):])
	size := r.number()
	return within(r, 0, size)
}

// Tags of entries: of the table of contents, of files and of their fragments.
const (
	positionTag  = 1
	nameTag      = 3
	fragmentTag  = 6 // of the table of contents: the fragment, and the offset in it
	fragmentsTag = 1 // of a file: how many it has
	extentTag    = 6 // of a file or fragment: its start and its size in bytes
)

// A mark is where something begins in the text of a book, in bytes.
type mark struct {
	at   int
	name string
}

// A source is the text of a book as HTML.
type source struct {
	text      []byte
	files     []int // where each file begins that the book was made of; nil: it does not say
	fragments []int // where each fragment of these begins
}

// maxMoved bounds the bytes that are moved where fragments are put into files.
const maxMoved = 1 << 30

// assemble puts the fragments of the files that a KF8 was made of to their places:
// they are kept behind the file with the elements around them.
func (b *book) assemble(kept []byte) source {
	pieces := b.readIndex(b.fragments).entries
	s := source{text: make([]byte, 0, len(kept))}
	moved := 0
	for _, e := range b.readIndex(b.skeletons).entries {
		start, size := e.number(extentTag, 0), e.number(extentTag, 1)
		file := within(kept, start, size)
		if file == nil || start != len(s.text) {
			break
		}
		file = slices.Clone(file)
		s.files = append(s.files, start)
		for range min(e.number(fragmentsTag, 0), len(pieces)) {
			piece := pieces[0]
			pieces = pieces[1:]
			fragment := within(kept, start+len(file), piece.number(extentTag, 1))
			at := piece.position() - start
			if at < 0 || at > len(file) || moved > maxMoved {
				at = len(file)
			}
			moved += len(file) - at
			s.fragments = append(s.fragments, start+at)
			file = slices.Insert(file, at, fragment...)
		}
		s.text = append(s.text, file...)
	}
	s.text = append(s.text, kept[min(len(s.text), len(kept)):]...)
	return s
}

// position returns where a fragment belongs in the text, which is its label.
func (e *entry) position() int {
	n, err := strconv.Atoi(e.label)
	if err != nil {
		return -1
	}
	return n
}

// tableOfContents returns the names of chapters, by where they begin.
func (b *book) tableOfContents(fragments []int) (marks []mark) {
	x := b.readIndex(b.contents)
	for i := range x.entries {
		e := &x.entries[i]
		at := e.number(positionTag, 0)
		if fragment := e.number(fragmentTag, 0); 0 <= fragment && fragment < len(fragments) {
			at = fragments[fragment] + max(e.number(fragmentTag, 1), 0)
		}
		if name := b.text(x.name(e.number(nameTag, 0))); at >= 0 && name != "" {
			marks = append(marks, mark{at, name})
		}
	}
	return marks
}
