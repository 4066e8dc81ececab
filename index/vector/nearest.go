package vector

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"vademecum/index/rank"
)

// sketches holds the vectors of chunks as bit planes, one for each bit of a component; the first
// holds the sketches. A page has room for as many slots as a word of a filter has bits.
type sketches struct {
	sketcher
	planes    int
	pages     []sketchPage
	snapshots uint32 // how many were taken; readers may take one at once
}

type sketchPage struct {
	has   uint64   // which of its slots have one
	all   []uint64 // plane by plane: the sketches follow each other and are read as fast as memory gives them
	after uint32   // how many snapshots were taken before that was made: later ones may share it
}

// snapshot is the sketches as they are. Pages are copied when they change after that.
func (x *sketches) snapshot() sketches {
	atomic.AddUint32(&x.snapshots, 1)
	return sketches{sketcher: x.sketcher, planes: x.planes, pages: slices.Clone(x.pages)}
}

func newSketches(dimensions, planes, slots int) sketches {
	x := sketches{sketcher: newSketcher(dimensions), planes: planes}
	x.reserve(slots)
	return x
}

// Len implements Index.
func (x *sketches) Len() (n int) {
	for _, p := range x.pages {
		n += bits.OnesCount64(p.has)
	}
	return n
}

// Dimensions implements Index.
func (x *sketches) Dimensions() int { return len(x.signs) }

// sketchRoom is the place for the sketch of a chunk.
func (x *sketches) sketchRoom(s rank.Slot) []uint64 {
	p := &x.pages[s/wordBits]
	switch snapshots := atomic.LoadUint32(&x.snapshots); {
	case p.has == 0:
		p.all, p.after = make([]uint64, x.planes*wordBits*x.words), snapshots
	case p.after < snapshots:
		p.all, p.after = slices.Clone(p.all), snapshots
	}
	p.has |= 1 << (s % wordBits)
	return x.plane(s, 0)
}

func (p *sketchPage) at(place, words int) []uint64 { return p.all[place*words:][:words] }

// plane returns the bits of a chunk in a plane. The chunk must have a sketch; plane 0 has it.
func (x *sketches) plane(s rank.Slot, n int) []uint64 {
	return x.pages[s/wordBits].at(n*wordBits+int(s%wordBits), x.words)
}

// hasSketch reports whether a chunk has a sketch.
func (x *sketches) hasSketch(s rank.Slot) bool {
	return int(s/wordBits) < len(x.pages) && x.pages[s/wordBits].has&(1<<(s%wordBits)) != 0
}

func (x *sketches) remove(s rank.Slot) {
	if !x.hasSketch(s) {
		return
	}
	p := &x.pages[s/wordBits]
	if p.has &^= 1 << (s % wordBits); p.has == 0 {
		p.all = nil
	}
}

// reserve makes room for that many slots.
func (x *sketches) reserve(slots int) {
	for len(x.pages)*wordBits < slots {
		x.pages = append(x.pages, sketchPage{})
	}
}

// nearest returns for each question the slots with the least sketch distances, among those that a
// filter keeps. It compares each sketch with all questions while that is in the processor's
// cache.
func (x *sketches) nearest(ctx context.Context, questions []sketchedQuestion, width int, keep rank.Filter) ([]shortlist, error) {
	lists := make([]shortlist, len(questions))
	for i := range lists {
		lists[i] = newShortlist(width, x.maxDistance())
	}
	for i, p := range x.pages {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		admitted := p.has & filterWord(keep, i)
		for n, q := range questions {
			for left := admitted; left != 0; left &= left - 1 {
				place := bits.TrailingZeros64(left)
				lists[n].offer(rank.Slot(i*wordBits+place), q.distance(p.at(place, len(q))))
			}
		}
	}
	for i := range lists {
		lists[i].dropFarthest()
	}
	return lists, nil
}

// filterWord is a part of a filter, which may be of fewer slots.
func filterWord(keep rank.Filter, i int) uint64 {
	switch {
	case keep == nil:
		return ^uint64(0)
	case i >= len(keep):
		return 0
	}
	return keep[i]
}

// shortlist collects the slots of least distance: as many as its width, and all others at the
// distance of the last of these, so that it does not depend on the order in which they come.
type shortlist struct {
	width  int
	near   []distantSlot
	counts []int32 // of those up to limit, by distance
	limit  int     // what is farther is not among them
	full   int     // near is cut at this length
}

type distantSlot struct {
	slot     rank.Slot
	distance int32
}

func newShortlist(width, farthest int) shortlist {
	return shortlist{width: width, counts: make([]int32, farthest), limit: farthest, full: 2 * width}
}

func (l *shortlist) offer(s rank.Slot, distance int) {
	if distance > l.limit {
		return
	}
	l.counts[distance]++
	if l.near = append(l.near, distantSlot{s, int32(distance)}); len(l.near) >= l.full {
		l.dropFarthest()
	}
}

// dropFarthest lowers the limit to where there are enough, and drops what is beyond.
func (l *shortlist) dropFarthest() {
	enough := 0
	for distance, n := range l.counts {
		if enough += int(n); enough >= l.width {
			l.limit = distance
			break
		}
	}
	l.near = slices.DeleteFunc(l.near, func(d distantSlot) bool { return int(d.distance) > l.limit })
	l.full = max(2*l.width, 2*len(l.near))
}

// isAll reports whether nothing was left out.
func (l *shortlist) isAll() bool { return l.limit == len(l.counts) }
