package lexical

import (
	"sync"

	"vademecum/index/blob"
)

// IndexLoader decodes an Index from the sections of a snapshot. Their checksums have been
// verified, so it does not check their consistency. However, no input may make a search read out of
// bounds or loop forever, so each number is checked against its bounds. The errors match
// blob.ErrDamaged.
type IndexLoader struct {
	size  SnapshotSize
	from  blob.SectionReader
	lists func() (packedLists, error) // allocates the lists once; several steps fill them
	index *Index
}

// NewIndexLoader returns an IndexLoader for a snapshot of the given size.
func NewIndexLoader(size SnapshotSize, from blob.SectionReader) *IndexLoader {
	l := &IndexLoader{size: size, from: from, index: New()}
	l.lists = sync.OnceValues(l.emptyLists)
	return l
}

// Steps returns the functions that decode the sections. They may run concurrently, and all must
// have returned before Index is called.
func (l *IndexLoader) Steps() []func() error {
	var steps []func() error
	for section := range postingSections {
		steps = append(steps, func() error { return l.loadLists(section) })
	}
	return append(steps, l.loadNames, l.loadTable, l.loadTrigrams, l.loadLengths)
}

// Index returns the loaded index. All steps must have returned.
func (l *IndexLoader) Index() *Index {
	l.index.lists.packed, _ = l.lists()
	return l.index
}

// loadNames decodes the names of the terms and their numbers of trigrams.
func (l *IndexLoader) loadNames() error {
	ends, err := readEnds(l.from, nameLengthSection, l.size.Terms)
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
	if lastEnd(ends) != len(text) || len(sizes) != l.size.Terms {
		return blob.ErrDamaged
	}
	l.index.terms.names, l.index.words.sizes = loadedNames(text, ends), sizes
	return nil
}

// lastEnd returns the end of the last part, or 0 if there is none.
func lastEnd(ends []uint32) int {
	if len(ends) == 0 {
		return 0
	}
	return int(ends[len(ends)-1])
}

// loadTable decodes the hash table of the terms.
func (l *IndexLoader) loadTable() error {
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

// isSearchable reports whether every probe of a hash table of that many terms ends at a free slot,
// no matter how many terms are added before it is rehashed.
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

// loadLengths decodes the lengths of the chunks.
func (l *IndexLoader) loadLengths() (err error) {
	x := l.index
	if x.lengths, err = blob.ReadNumbers[uint32](l.from, lengthSection); err != nil {
		return err
	}
	if len(x.lengths) != l.size.Chunks {
		return blob.ErrDamaged
	}
	x.live = len(x.lengths)
	for _, n := range x.lengths {
		if n == 0 { // only free slots have length 0
			return blob.ErrDamaged
		}
		x.total += uint64(n)
	}
	return nil
}

// loadTrigrams decodes the trigram lists of the vocabulary. They share one array.
func (l *IndexLoader) loadTrigrams() error {
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
