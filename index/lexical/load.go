package lexical

import (
	"math"
	"slices"

	"vademecum/index/blob"
)

// Loading makes an Index of the sections of a snapshot. Their sums say that they
// are what was read from the disk, and not that they were made by this program:
// every number is compared with what there is, and what is made is bounded by the
// bytes that there are. The errors match blob.ErrDamaged.
type Loading struct {
	size  Size
	read  func(section int) ([]byte, error)
	index *Index
}

// Load prepares to load a snapshot of some size, whose sections read returns,
// counted from 0.
func Load(size Size, read func(section int) ([]byte, error)) *Loading {
	return &Loading{size, read, New()}
}

// Steps are what is to be done before Index. They may be taken at once.
func (l *Loading) Steps() []func() error {
	return []func() error{l.loadTerms, l.loadTrigrams, l.loadLengths, l.loadTable}
}

// Index returns what was loaded, if what the sections say of each other is true.
func (l *Loading) Index() (*Index, error) {
	x := l.index
	if !x.terms.isWhole() {
		return nil, blob.ErrDamaged
	}
	for id := range x.terms.numbers() {
		list := x.lists.of(id)
		if len(list) > l.size.Chunks {
			return nil, blob.ErrDamaged
		}
		before := posting(0)
		for _, e := range list {
			if int(e.slot()) >= l.size.Chunks || e&0xff == 0 {
				return nil, blob.ErrDamaged
			}
			x.mixed = x.mixed || e <= before
			before = e
		}
	}
	for _, ids := range x.words.trigrams {
		for _, id := range ids {
			if id < 0 || id >= x.terms.numbers() {
				return nil, blob.ErrDamaged
			}
		}
	}
	return x, nil
}

// loadTerms makes the names of the terms and their lists.
func (l *Loading) loadTerms() error {
	b, err := l.read(termSection)
	if err != nil {
		return err
	}
	x, terms := l.index, l.size.Terms
	if terms > len(b)/3 { // each takes that many bytes
		return blob.ErrDamaged
	}
	r, text, err := blob.OpenText(b)
	if err != nil {
		return err
	}
	x.terms.names, x.words.sizes = newTermNames(terms, text.Len()), make([]uint8, terms)
	counts := make([]uint32, terms) // of the postings of each
	for id := range terms {
		name := text.Cut(r.Number())
		size, n := r.Number(), r.Number()
		if r.Err != nil || size > math.MaxUint8 || name == "" { // older versions had an empty term
			return blob.ErrDamaged
		}
		x.terms.names.add(name)
		x.words.sizes[id], counts[id] = uint8(size), uint32(n)
	}
	return l.loadPostings(counts)
}

// loadPostings makes the lists of so many postings. The long ones stand in one array.
func (l *Loading) loadPostings(counts []uint32) error {
	b, err := l.read(postingSection)
	if err != nil {
		return err
	}
	total := uint64(0)
	for _, n := range counts {
		total += uint64(n)
	}
	if total > uint64(len(b)/4) {
		return blob.ErrDamaged
	}
	short := 0
	for _, n := range counts {
		if n <= 1 {
			short += int(n)
		}
	}
	l.index.lists = newLists(len(counts))
	long := make([]posting, 0, int(total)-short)
	for id, n := range counts {
		list := blob.Numbers[posting](b[:4*n])
		b = b[4*n:]
		if slices.Contains(list, 0) { // which stands for none
			return blob.ErrDamaged
		}
		if n > 1 {
			first := len(long)
			long = append(long, list...)
			list = long[first:len(long):len(long)]
		}
		l.index.lists.set(int32(id), list)
	}
	return nil
}

// loadTable makes the table that finds the terms.
func (l *Loading) loadTable() (err error) {
	l.index.terms.slots, err = numbers[int32](l, tableSection)
	return err
}

// loadLengths makes the lengths of the chunks.
func (l *Loading) loadLengths() (err error) {
	x := l.index
	if x.lengths, err = numbers[uint32](l, lengthSection); err != nil {
		return err
	}
	if len(x.lengths) != l.size.Chunks {
		return blob.ErrDamaged
	}
	x.live = len(x.lengths)
	for _, n := range x.lengths {
		if n == 0 { // that of a slot that is free
			return blob.ErrDamaged
		}
		x.total += uint64(n)
	}
	return nil
}

// loadTrigrams makes the vocabulary's lists.
func (l *Loading) loadTrigrams() error {
	b, err := l.read(trigramSection)
	if err != nil {
		return err
	}
	r := blob.Reader{Rest: b}
	trigrams := make(map[trigram][]int32, min(l.size.Trigrams, len(b)/8))
	for len(r.Rest) > 0 {
		g := trigram{rune(r.Number()), rune(r.Number()), rune(r.Number())}
		count := r.Number()
		if r.Err != nil || count > len(r.Rest)/4 {
			return blob.ErrDamaged
		}
		trigrams[g] = blob.Numbers[int32](r.Take(4 * count))
	}
	l.index.words.trigrams = trigrams
	return r.Err
}

// numbers reads a section of 32-bit numbers.
func numbers[T ~uint32 | ~int32](l *Loading, section int) ([]T, error) {
	b, err := l.read(section)
	return blob.Numbers[T](b), err
}
