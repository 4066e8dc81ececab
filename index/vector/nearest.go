package vector

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"vademecum/index/rank"
)

// sketches holds the vectors of chunks as bit planes, one for each bit of a component; the first
// plane holds the sketches. A page has room for as many slots as a filter word has bits.
type sketches struct {
	sketcher
	planes    int
	pages     []sketchPage
	snapshots uint32 // number of snapshots taken; readers may take them concurrently
}

type sketchPage struct {
	has uint64 // bit set of the slots that have a vector
	// plane by plane, so that sketches are consecutive and can be read at the speed of memory
	all   []uint64
	after uint32 // number of snapshots taken before all was allocated: later snapshots may share it
}

// snapshot returns the current sketches. Pages are copied if they change later.
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

// sketchRoom returns the memory for the sketch of a chunk.
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

// plane returns the bits of a chunk in a plane. The chunk must have a sketch, which is in plane 0.
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

// reserve makes room for the given number of slots.
func (x *sketches) reserve(slots int) {
	for len(x.pages)*wordBits < slots {
		x.pages = append(x.pages, sketchPage{})
	}
}

// nearest returns for each query the slots with the smallest sketch distances, among those that a
// filter keeps. It compares each sketch with all queries while the sketch is in the processor's
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

// filterWord returns a word of a filter, which may have fewer slots.
func filterWord(keep rank.Filter, i int) uint64 {
	switch {
	case keep == nil:
		return ^uint64(0)
	case i >= len(keep):
		return 0
	}
	return keep[i]
}

// shortlist collects the slots of smallest distance: as many as its width, and all others with the
// same distance as the last of these, so that it does not depend on the order in which they are
// offered.
type shortlist struct {
	width  int
	near   []distantSlot
	counts []int32 // by distance up to limit, the number of slots
	limit  int     // slots at a greater distance are left out
	full   int     // length at which near is cut
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

// dropFarthest lowers the limit as far as enough slots remain, and drops those beyond it.
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
