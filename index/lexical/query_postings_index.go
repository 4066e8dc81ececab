package lexical

import (
	"maps"
	"slices"
	"sync"

	"vademecum/index/rank"
)

// windowSlots is the number of slots in a window. The sums for the chunks of one fit in a
// processor's cache, however large the libraries are.
const windowSlots = 1 << 15

// queryScratch is shared, as the index of a question is used once.
var queryScratch sync.Pool

// newIndex returns an index with the terms, and no postings yet.
func (e *QueryPostings) newIndex() *Index {
	x := New()
	x.scratch, x.once, x.counts = &queryScratch, true, []int{}
	for _, w := range e.libraries {
		x.live += w.Chunks
		x.total += w.Terms
	}
	for _, term := range slices.Sorted(maps.Keys(e.lists)) {
		id := x.terms.add(term)
		x.counts = append(x.counts, e.lists[term].live)
		if e.words[term] {
			x.words.add(id)
		}
	}
	x.plain = make([][]posting, len(x.counts))
	return x
}

// EachWindow calls f with an index of the chunks at the first slots, then with one of those at
// the next slots, and so on, and with the first slot of each. Each gives its chunks the scores
// that an index of everything would, and must not be used after f.
func (e *QueryPostings) EachWindow(f func(first uint32, x *Index) error) error {
	x := e.newIndex()
	rest := make([]unreadLists, len(x.counts))
	for id := range rest {
		rest[id].pieces = e.lists[x.terms.name(int32(id))].pieces
	}
	for first, end := uint32(0), e.wanted.end; first < end; first += e.window {
		size := min(e.window, end-first)
		e.postings = e.postings[:0]
		e.lengths = slices.Grow(e.lengths[:0], int(size))[:size]
		clear(e.lengths)
		x.lengths = e.lengths
		for id := range rest {
			list, err := e.readUpTo(&rest[id], first, size)
			if err != nil {
				return err
			}
			x.plain[id] = list
		}
		if err := f(first, x); err != nil {
			return err
		}
	}
	return nil
}

// unreadLists is the lists of a term that are not read yet, the first of them partly read.
type unreadLists struct {
	pieces []listPiece
	first  *listReader // nil when nothing of it is read
}

// readUpTo decodes the postings of a term up to the end of a window.
func (e *QueryPostings) readUpTo(o *unreadLists, first, size uint32) ([]posting, error) {
	before, all := len(e.postings), e.postings
	for len(o.pieces) > 0 && o.pieces[0].of.base < first+size {
		base := o.pieces[0].of.base
		if o.first == nil {
			r, err := o.pieces[0].newReader()
			if err != nil {
				return nil, err
			}
			o.first, o.pieces[0].marks = r, nil
		}
		o.pieces[0].marks = append(o.pieces[0].marks, o.first.position())
		o.first.until = uint64(first + size - base)
		some, err := o.first.readNext(e.buffer[:])
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			s := base + p.slot() - first
			all = append(all, newPosting(rank.Slot(s), p.tf()))
			e.lengths[s] = p.length()
		}
		if o.first.left > 0 && len(some) < len(e.buffer) {
			break
		}
		if o.first.left == 0 {
			o.pieces, o.first = o.pieces[1:], nil
		}
	}
	e.postings = all
	return all[before:len(all):len(all)], nil
}

// Include adds the chunks at consecutive slots to those of Index.
func (e *QueryPostings) Include(first, count uint32) {
	for s := first; s < first+count; s++ {
		e.wanted.markSlot(s)
	}
}

// Index returns an index of the included chunks, which gives them the scores that one of
// everything would, and their slots in it.
func (e *QueryPostings) Index() (*Index, *SlotNumbering, error) {
	x := e.newIndex()
	e.wanted.assignNumbers()
	x.lengths = make([]uint32, len(e.wanted.slots)+1) // an empty slot has length 0
	for id := range x.counts {
		var list []posting
		for _, p := range e.lists[x.terms.name(int32(id))].pieces {
			err := e.eachIncluded(p, func(local rank.Slot, posted slotPosting) {
				list = append(list, newPosting(local, posted.tf()))
				x.lengths[local] = posted.length()
			})
			if err != nil {
				return nil, nil, err
			}
		}
		x.plain[id] = list
	}
	return x, e.wanted, nil
}

// eachIncluded calls f with the postings of included chunks in a piece. What was read before is
// read again only where there are such chunks: a list of many thousand postings has some dozens.
func (e *QueryPostings) eachIncluded(p listPiece, f func(local rank.Slot, posted slotPosting)) error {
	r, err := p.newReader()
	if err != nil {
		return err
	}
	marks := p.marks
	if len(marks) == 0 {
		marks = []readPosition{r.position()}
	}
	for i, from := range marks {
		to := readPosition{slot: p.of.Slots - 1}
		if i+1 < len(marks) {
			to = marks[i+1]
		}
		if !e.wanted.hasAnyBetween(p.of.base+from.slot, p.of.base+to.slot) {
			continue
		}
		end := len(p.Bytes)
		r.slot, r.left, r.rest = uint64(from.slot), int(from.left-to.left), p.Bytes[end-int(from.bytes):end-int(to.bytes)]
		for r.left > 0 {
			some, err := r.readNext(e.buffer[:])
			if err != nil {
				return err
			}
			for _, posted := range some {
				if s := p.of.base + posted.slot(); e.wanted.has(s) {
					f(e.wanted.local(s), posted)
				}
			}
		}
	}
	return nil
}
