package lexical

import (
	"sync"

	"vademecum/index/blob"
)

// IndexLoading makes an Index of the sections of a snapshot. Their sums say that they
// are what this program wrote, so that is not proven again. But whatever they say,
// no question may go beyond what there is, nor go on for ever: each number is
// compared with the bounds that it has. The errors match blob.ErrDamaged.
type IndexLoading struct {
	size  Size
	from  blob.Sections
	lists func() (packedLists, error) // made once, and filled by several steps
	index *Index
}

// NewLoading prepares to load a snapshot of some size.
func NewLoading(size Size, from blob.Sections) *IndexLoading {
	l := &IndexLoading{size: size, from: from, index: New()}
	l.lists = sync.OnceValues(l.emptyLists)
	return l
}

// Steps are what is to be done before Index. They may be taken at once.
func (l *IndexLoading) Steps() []func() error {
	var steps []func() error
	for section := range postingSections {
		steps = append(steps, func() error { return l.loadLists(section) })
	}
	return append(steps, l.loadNames, l.loadTable, l.loadTrigrams, l.loadLengths)
}

// Index returns what was loaded, when all steps have been taken.
func (l *IndexLoading) Index() *Index {
	l.index.lists.packed, _ = l.lists()
	return l.index
}

// loadNames makes the names of the terms, and counts their trigrams.
func (l *IndexLoading) loadNames() error {
	ends, err := blob.ReadNumbers[uint32](l.from, nameEndSection)
	if err != nil {
		return err
	}
	text, err := blob.ReadBytes(l.from, nameSection)
	if err != nil {
		return err
	}
	sizes, err := blob.ReadBytes(l.from, sizeSection)
	if err != nil {
		return err
	}
	if !arePartEnds(ends, l.size.Terms, len(text)) || len(sizes) != l.size.Terms {
		return blob.ErrDamaged
	}
	l.index.terms.names, l.index.words.sizes = loadedNames(text, ends), sizes
	return nil
}

// arePartEnds tells whether numbers are where so many parts end that follow each other
// and make up a whole. None is empty.
func arePartEnds(ends []uint32, parts, whole int) bool {
	last := uint32(0)
	if len(ends) > 0 {
		last = ends[len(ends)-1]
	}
	return len(ends) == parts && areIncreasing(ends) && uint64(last) == uint64(whole)
}

// areIncreasing tells whether each number is more than the one before, and the first than 0.
func areIncreasing(numbers []uint32) bool {
	before := uint32(0)
	for _, n := range numbers {
		if n <= before {
			return false
		}
		before = n
	}
	return true
}

// loadTable makes the table that finds the terms.
func (l *IndexLoading) loadTable() error {
	slots, err := blob.ReadNumbers[int32](l.from, tableSection)
	if err != nil {
		return err
	}
	if !isSearchable(slots, l.size.Terms) {
		return blob.ErrDamaged
	}
	l.index.terms.slots = slots
	return nil
}

// isSearchable tells whether a search in the slots of a table of so many terms comes
// to an end, at a free one, however many are added before it is arranged anew.
func isSearchable(slots []int32, terms int) bool {
	if len(slots)&(len(slots)-1) != 0 || len(slots) <= terms && terms > 0 {
		return false
	}
	taken := 0
	for _, n := range slots {
		if n < noTerm || int(n) >= terms {
			return false
		}
		if n != noTerm {
			taken++
		}
	}
	return taken <= terms
}

// loadLengths makes the lengths of the chunks.
func (l *IndexLoading) loadLengths() (err error) {
	x := l.index
	if x.lengths, err = blob.ReadNumbers[uint32](l.from, lengthSection); err != nil {
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

// loadTrigrams makes the vocabulary's lists. They share an array.
func (l *IndexLoading) loadTrigrams() error {
	b, err := blob.ReadBytes(l.from, trigramSection)
	if err != nil {
		return err
	}
	ids, err := blob.ReadNumbers[int32](l.from, alikeSection)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id < 0 || int(id) >= l.size.Terms {
			return blob.ErrDamaged
		}
	}
	r := blob.Reader{Rest: b}
	trigrams := make(map[trigram][]int32, min(l.size.Trigrams, len(b)/4))
	for len(r.Rest) > 0 {
		g := trigram{rune(r.Number()), rune(r.Number()), rune(r.Number())}
		count := r.Number()
		if r.Err != nil || count > len(ids) {
			return blob.ErrDamaged
		}
		trigrams[g], ids = ids[:count:count], ids[count:]
	}
	l.index.words.trigrams = trigrams
	return r.Err
}
