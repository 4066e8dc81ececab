package lexical

import (
	"math/bits"

	"vademecum/index/rank"
)

// A term is frequent if the number of chunks that contain it is at least frequentLength, and at
// least one in frequentPart of all chunks. Scoring all postings of such a term would take long, and
// few of the chunks are among the best. Therefore its frequencies are looked up only for candidates
// (as in block-max WAND). The structure for that is built on first use, and takes at most twice the
// memory of the list.
const (
	frequentLength = 1 << 12
	frequentPart   = 32
)

// frequentList is the postings list of a frequent term with random access by slot.
type frequentList struct {
	marks  []uint64 // bit set of the chunks in the list, by slot
	counts []byte   // frequency of the term in each chunk of marks
	blocks []listBlock
	by     saturation // saturation used to compute the bounds of the blocks
}

// listBlock describes the postings of a list in a block of blockSlots slots.
type listBlock struct {
	start uint32  // index of the first count
	most  float32 // upper bound of the BM25 score of the term
}

const (
	blockSlots = 256
	blockMarks = blockSlots / 64
)

// drift is the factor by which the average length of chunks may grow before the blocks are rebuilt. It
// limits the error of the upper bounds of blocks.
const drift = 1.01

// isFrequent reports whether a term with the given number of postings is frequent.
func (x *Index) isFrequent(postings int) bool {
	return !x.once && postings >= max(frequentLength, len(x.lengths)/frequentPart)
}

// frequentOf returns the frequentList of a term, which it builds or extends if necessary.
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
	known = known.extendTo(x.postingsOf(id), x.lengths)
	x.frequent.Store(id, known)
	return known
}

// extendTo returns f extended to a list whose beginning it contains. Unless f is empty, the rest of
// the list must have higher slots.
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

// countPosition returns the index of the count of a chunk, which must be in the list.
func (f *frequentList) countPosition(s rank.Slot) int {
	w := int(s / 64)
	at := int(f.blocks[s/blockSlots].start) + bits.OnesCount64(f.marks[w]&(1<<(s%64)-1))
	for _, m := range f.marks[w&^(blockMarks-1) : w] {
		at += bits.OnesCount64(m)
	}
	return at
}

// has reports whether a chunk is in the list.
func (f *frequentList) has(s rank.Slot) bool {
	w := int(s / 64)
	return w < len(f.marks) && f.marks[w]>>(s%64)&1 != 0
}

// count returns how many of slots are in the list.
func (f *frequentList) count(slots []rank.Slot) (n int) {
	for _, s := range slots {
		if f.has(s) {
			n++
		}
	}
	return n
}

// termFrequency returns the frequency of the term in a chunk, which must be in the list.
func (f *frequentList) termFrequency(s rank.Slot) float64 {
	return float64(f.counts[f.countPosition(s)])
}

// maxScoreInBlock returns an upper bound of the BM25 score of the term for chunks of a block.
func (f *frequentList) maxScoreInBlock(block int) float64 {
	if block >= len(f.blocks) {
		return 0
	}
	return float64(f.blocks[block].most) * drift
}

// chunksInBlock returns the chunks of the list in a block as a bit set.
func (f *frequentList) chunksInBlock(block int) []uint64 {
	if block >= len(f.blocks) {
		return make([]uint64, blockMarks)
	}
	return f.marks[block*blockMarks : (block+1)*blockMarks]
}

// blockCount returns the number of blocks.
func (x *Index) blockCount() int { return blockCountOf(x.lengths) }

func blockCountOf(lengths []uint32) int { return (len(lengths) + blockSlots - 1) / blockSlots }
