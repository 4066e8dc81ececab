// Package rank builds ranked lists of chunks: the best by score, only one of those with the same
// content, in an order that does not depend on when they were indexed. It identifies chunks by
// their slots, and queries their other properties.
package rank

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sync"
)

// Slot identifies a chunk in memory. A freed slot is reused.
type Slot uint32

// Hit is a chunk and its score in one ranked list.
type Hit struct {
	Slot  Slot
	Score float64
}

// ChunkTextHash identifies the content of a chunk, without the headings above it: chunks with the
// same hash are copies.
type ChunkTextHash [8]byte

// ChunkProperties provides the properties of chunks that a list needs.
type ChunkProperties interface {
	// ContentHash returns the content hash of the chunk at a slot.
	ContentHash(Slot) ChunkTextHash
	// Compare decides which of two chunks with equal scores comes first. It must not depend on the
	// order of indexing, or two processes would answer differently.
	Compare(a, b Slot) int
}

// TopHits keeps the best of the hits that are added, and only the best one among copies.
type TopHits struct {
	most   int
	least  float64 // minimum score of a hit, however few there are
	chunks ChunkProperties
	*hitBuffers
}

// hitBuffers holds the hits of a TopHits. The next TopHits reuses them.
type hitBuffers struct {
	offered   []Hit // not processed yet
	heapEntry []heapEntry
	heap      []int                 // indexes of the kept hits; the root is the worst
	at        map[ChunkTextHash]int // index of the kept hit with each hash
}

var unused = sync.Pool{New: func() any { return &hitBuffers{at: make(map[ChunkTextHash]int)} }}

// manyOffered is how many times the number kept a batch of hits must be for its best hits to be
// processed first, so that few of the others enter the heap: 270 of 5,000 hits if 200 are kept,
// and 730 in the order in which they come.
const manyOffered = 16

// heapEntry is a hit with its position in the heap.
type heapEntry struct {
	Hit
	hash  ChunkTextHash
	place int
}

// NewTopHits returns a TopHits that keeps at most limit hits.
func NewTopHits(limit int, chunks ChunkProperties) *TopHits {
	return NewTopHitsFrom(math.Inf(-1), limit, chunks)
}

// NewTopHitsFrom returns a TopHits that keeps at most limit hits, and drops those below minScore.
// The caller must know that at least limit hits have that score.
func NewTopHitsFrom(minScore float64, limit int, chunks ChunkProperties) *TopHits {
	return &TopHits{most: limit, least: minScore, chunks: chunks, hitBuffers: unused.Get().(*hitBuffers)}
}

// MinScore returns the score below which no hit is kept any more, judged by the hits processed so
// far.
func (b *TopHits) MinScore() float64 {
	if len(b.heap) < b.most || b.most == 0 {
		return b.least
	}
	return b.heapEntry[b.heap[0]].Score
}

// Add keeps a hit if it is among the best.
func (b *TopHits) Add(h Hit) {
	if h.Score < b.MinScore() {
		return
	}
	if b.offered = append(b.offered, h); len(b.offered) >= manyOffered*b.most {
		b.mergeOffered()
	}
}

// MergeOffered sorts the hits added since the last call into those kept, if these may be enough to raise
// MinScore.
func (b *TopHits) MergeOffered() {
	if len(b.offered) > 0 && len(b.heapEntry)+len(b.offered) >= b.most {
		b.mergeOffered()
	}
}

// mergeOffered adds the offered hits to the heap, best first, and drops those that are not among the
// best.
func (b *TopHits) mergeOffered() {
	selectBest(b.offered, b.most)
	for _, h := range b.offered {
		if h.Score >= b.MinScore() {
			b.pushIfBetter(h)
		}
	}
	b.offered = b.offered[:0]
}

// selectBest moves the n hits with the best scores before the others, in no order (Hoare,
// "Algorithm 65: Find", 1961).
func selectBest(hits []Hit, n int) {
	for low, high := 0, len(hits)-1; low < high && n <= high; {
		pivot, i, j := hits[(low+high)/2].Score, low, high
		for i <= j {
			for hits[i].Score > pivot {
				i++
			}
			for hits[j].Score < pivot {
				j--
			}
			if i <= j {
				hits[i], hits[j] = hits[j], hits[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			high = j
		case n > i:
			low = i
		default:
			return
		}
	}
}

func (b *TopHits) pushIfBetter(h Hit) {
	full := len(b.heap) == b.most
	if full && (b.most == 0 || b.compare(h, b.heapEntry[b.heap[0]].Hit) >= 0) {
		return // the usual case, before any look-up
	}
	w := b.chunks.ContentHash(h.Slot)
	n, isCopy := b.at[w]
	switch {
	case isCopy:
		if b.compare(h, b.heapEntry[n].Hit) < 0 {
			b.heapEntry[n].Hit = h
			b.siftDown(b.heapEntry[n].place)
		}
	case full:
		n := b.heap[0]
		delete(b.at, b.heapEntry[n].hash)
		b.heapEntry[n], b.at[w] = heapEntry{h, w, 0}, n
		b.siftDown(0)
	default:
		n := len(b.heapEntry)
		b.heapEntry = append(b.heapEntry, heapEntry{h, w, n})
		b.heap, b.at[w] = append(b.heap, n), n
		b.siftUp(n)
	}
}

// Hits returns the kept hits, best first. The TopHits must not be used afterwards.
func (b *TopHits) Hits() []Hit {
	b.mergeOffered()
	defer b.release()
	hits := make([]Hit, len(b.heapEntry))
	for i, k := range b.heapEntry {
		hits[i] = k.Hit
	}
	slices.SortFunc(hits, b.compare)
	return hits
}

// release returns the buffers to the pool.
func (b *TopHits) release() {
	clear(b.at)
	b.offered, b.heapEntry, b.heap = b.offered[:0], b.heapEntry[:0], b.heap[:0]
	unused.Put(b.hitBuffers)
	b.hitBuffers = nil
}

// compare orders hits best first.
func (b *TopHits) compare(x, y Hit) int {
	if c := cmp.Compare(y.Score, x.Score); c != 0 {
		return c // most scores differ, and looking up locations costs more
	}
	return b.chunks.Compare(x.Slot, y.Slot)
}

// compareAt compares the hits at two positions of the heap.
func (b *TopHits) compareAt(i, j int) int {
	return b.compare(b.heapEntry[b.heap[i]].Hit, b.heapEntry[b.heap[j]].Hit)
}

func (b *TopHits) swap(i, j int) {
	b.heap[i], b.heap[j] = b.heap[j], b.heap[i]
	b.heapEntry[b.heap[i]].place, b.heapEntry[b.heap[j]].place = i, j
}

func (b *TopHits) siftUp(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if b.compareAt(i, parent) < 0 {
			return
		}
		b.swap(i, parent)
		i = parent
	}
}

func (b *TopHits) siftDown(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if b.compareAt(child, worst) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.swap(i, worst)
		i = worst
	}
}

// WithRanks yields hits, best first, with their ranks, counted from 1. Equal scores share a rank,
// regardless of the order of indexing.
func WithRanks(hits []Hit) iter.Seq2[int, Hit] {
	return func(yield func(int, Hit) bool) {
		rank := 0
		for i, h := range hits {
			if i == 0 || h.Score != hits[i-1].Score {
				rank = i + 1
			}
			if !yield(rank, h) {
				return
			}
		}
	}
}
