package lexical

import (
	"maps"
	"slices"
	"sync"

	"vademecum/index/rank"
)

// windowSlots is the number of slots in a window. It is chosen so that the sums for the chunks of a
// window fit in a processor's cache, regardless of the size of the libraries.
const windowSlots = 1 << 15

// queryScratch is shared by all indexes made for one query, because each of them is used only once.
var queryScratch sync.Pool

// newIndex returns an index with the terms but without postings.
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

// EachSlotWindow divides the slots into consecutive windows, and calls f for each, in order, with its
// first slot and an index of its chunks. The index gives them the same scores as an index of all
// chunks, and must not be used after f returns.
func (e *QueryPostings) EachSlotWindow(f func(firstSlot uint32, x *Index) error) error {
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

// unreadLists holds the lists of a term that are not read completely.
type unreadLists struct {
	pieces []listPiece
	first  *listReader // reader of the first list; nil if nothing of it is read
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

// IncludeChunks adds the chunks at count slots, beginning with firstSlot, to those that Index includes.
func (e *QueryPostings) IncludeChunks(firstSlot, count uint32) {
	for s := firstSlot; s < firstSlot+count; s++ {
		e.wanted.markSlot(s)
	}
}

// Index returns an index of the included chunks, with the mapping of their slots. The index gives
// them the same scores as an index of all chunks.
func (e *QueryPostings) Index() (*Index, *SlotRenumbering, error) {
	x := e.newIndex()
	e.wanted.assignNumbers()
	x.lengths = make([]uint32, len(e.wanted.slots)+1) // the last slot is empty, see LocalSlotOrNone
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

// eachIncluded calls f with the postings of included chunks in a piece. It skips the windows
// without included chunks if the piece has been read before: a list of many thousand postings
// contains only some dozens of them.
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
		to := readPosition{slot: p.of.AssignedSlots - 1}
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
