package lexical

import (
	"math/bits"

	"vademecum/index/rank"
)

// A term is frequent when it is in so many chunks, and in one of so many of all. To
// add up what all of these get would take long, and few of them are among the best: so
// they are looked up. What that takes is made when a term is asked for first, and is
// at most twice as large as its list.
const (
	frequentLength = 1 << 12
	frequentPart   = 32
)

// frequentList is a long list in which chunks can be looked up.
type frequentList struct {
	marks  []uint64 // the chunks that are in it: a bit for each slot
	counts []byte   // how often the term stands in each of these
	blocks []listBlock
	by     saturation // with which these were made
}

// listBlock is what a list has in blockSlots slots.
type listBlock struct {
	start uint32  // in the counts
	most  float32 // that BM25 lets the term count for a chunk
}

const (
	blockSlots = 256
	blockMarks = blockSlots / 64
)

// drift is by how much the average length of chunks may grow before the blocks are
// made anew: their bounds are too low by no more.
const drift = 1.01

// isFrequent tells whether a list of so many postings is that of a frequent term, in which
// it is worth while to make it fast to look up.
func (x *Index) isFrequent(postings int) bool {
	return !x.once && postings >= max(frequentLength, len(x.lengths)/frequentPart)
}

// frequentOf returns the list of a frequent term for looking up.
func (x *Index) frequentOf(id int32, by saturation) *frequentList {
	known := &frequentList{by: by}
	if kept, ok := x.frequent.Load(id); ok && kept.(*frequentList).by.slope <= by.slope*drift {
		known = kept.(*frequentList)
	}
	if len(known.counts) == x.listLength(id) {
		return known
	}
	if x.mixed {
		known = &frequentList{by: by}
	}
	known = known.extendTo(x.postingsOf(nil, id), x.lengths)
	x.frequent.Store(id, known)
	return known
}

// extendTo returns f with all of a list of which it has the beginning. What follows
// is behind it, unless f is empty.
func (f *frequentList) extendTo(list []posting, lengths []uint32) *frequentList {
	blocks := blockCountOf(lengths)
	more := &frequentList{
		marks:  append(make([]uint64, 0, blocks*blockMarks), f.marks...)[:blocks*blockMarks],
		counts: append(make([]byte, 0, len(list)), f.counts...)[:len(list)],
		blocks: append(make([]listBlock, 0, blocks), f.blocks...)[:blocks],
		by:     f.by,
	}
	added := list[len(f.counts):]
	for _, e := range added {
		s := e.slot()
		more.marks[s/64] |= 1 << (s % 64)
		if n := lengths[s]; n != 0 {
			b := &more.blocks[s/blockSlots]
			b.most = max(b.most, float32(f.by.termWeight(e.tf(), n)))
		}
	}
	start := 0
	for b := range more.blocks {
		more.blocks[b].start = uint32(start)
		for _, m := range more.marks[b*blockMarks : (b+1)*blockMarks] {
			start += bits.OnesCount64(m)
		}
	}
	for _, e := range added {
		more.counts[more.countPosition(e.slot())] = byte(e.tf())
	}
	return more
}

// countPosition is where the count of a chunk is that is in the list.
func (f *frequentList) countPosition(s rank.Slot) int {
	w := int(s / 64)
	at := int(f.blocks[s/blockSlots].start) + bits.OnesCount64(f.marks[w]&(1<<(s%64)-1))
	for _, m := range f.marks[w&^(blockMarks-1) : w] {
		at += bits.OnesCount64(m)
	}
	return at
}

// has tells whether a chunk is in the list.
func (f *frequentList) has(s rank.Slot) bool {
	w := int(s / 64)
	return w < len(f.marks) && f.marks[w]>>(s%64)&1 != 0
}

// count is how many of some chunks are in the list.
func (f *frequentList) count(slots []rank.Slot) (n int) {
	for _, s := range slots {
		if f.has(s) {
			n++
		}
	}
	return n
}

// termFrequency is how often the term stands in a chunk that is in the list.
func (f *frequentList) termFrequency(s rank.Slot) float64 {
	return float64(f.counts[f.countPosition(s)])
}

// maxScoreInBlock is what BM25 lets the term count at most for a chunk of a block.
func (f *frequentList) maxScoreInBlock(block int) float64 {
	if block >= len(f.blocks) {
		return 0
	}
	return float64(f.blocks[block].most) * drift
}

// chunksInBlock are the chunks of a block that are in the list, a bit for each.
func (f *frequentList) chunksInBlock(block int) []uint64 {
	if block >= len(f.blocks) {
		return make([]uint64, blockMarks)
	}
	return f.marks[block*blockMarks : (block+1)*blockMarks]
}

// blockCount is the number of blocks that there are.
func (x *Index) blockCount() int { return blockCountOf(x.lengths) }

func blockCountOf(lengths []uint32) int { return (len(lengths) + blockSlots - 1) / blockSlots }
