package vector

import (
	"bytes"
	"iter"
	"runtime"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// Snapshot is the vectors of some chunks at a moment.
type Snapshot struct {
	Dimensions int
	vectors    [][]float32 // nil for chunks without one
}

// pieceChunks is how many chunks a piece of vectors is of.
const pieceChunks = 2048

// SectionCount is how many sections a snapshot of some chunks has: one that tells
// which have a vector, and pieces of vectors.
func SectionCount(chunks int) int { return 1 + (chunks+pieceChunks-1)/pieceChunks }

// Take takes what an index holds of the chunks at some slots. In what is loaded of
// it they are at the slots from 0 on, in this order.
func Take(x Index, slots []rank.Slot) *Snapshot {
	s := &Snapshot{Dimensions: x.Dimensions(), vectors: make([][]float32, len(slots))}
	for place, slot := range slots {
		s.vectors[place] = x.At(slot)
	}
	return s
}

// Missing returns how many of the chunks have no vector.
func (s *Snapshot) Missing() int {
	n := 0
	for _, vec := range s.vectors {
		if vec == nil {
			n++
		}
	}
	return n
}

// Sections makes the sections in their order.
func (s *Snapshot) Sections() iter.Seq[blob.Section] {
	return func(yield func(blob.Section) bool) {
		present := make([]byte, len(s.vectors))
		for i, vec := range s.vectors {
			if vec != nil {
				present[i] = 1
			}
		}
		if !yield(blob.SectionOf(present)) {
			return
		}
		for vectors := range slices.Chunk(s.vectors, pieceChunks) {
			var piece []byte
			for _, vec := range vectors {
				piece = blob.AppendFloats(piece, vec)
			}
			if !yield(blob.SectionOf(piece)) {
				return
			}
		}
	}
}

// Loading makes an Index of the sections of a snapshot, which it does not trust:
// what is made is bounded by the bytes that there are. The errors match
// blob.ErrDamaged.
type Loading struct {
	read    func(section int, buffer []byte) ([]byte, error)
	present []byte // 1 of each chunk that has a vector
	index   *Chromem
	buffers chan []byte // one for each step under way
}

// maxDimensions is more than any model has.
const maxDimensions = 1 << 16

// Load prepares to load a snapshot of so many chunks, whose sections read returns,
// counted from 0, in a buffer if that is large enough.
func Load(chunks, dimensions int, read func(section int, buffer []byte) ([]byte, error)) (*Loading, error) {
	present, err := read(0, nil)
	if err != nil {
		return nil, err
	}
	if len(present) != chunks || dimensions > maxDimensions || slices.ContainsFunc(present, func(b byte) bool { return b > 1 }) {
		return nil, blob.ErrDamaged
	}
	l := &Loading{read: read, present: present, index: NewChromem(), buffers: make(chan []byte, runtime.GOMAXPROCS(0))}
	l.index.bySlot, l.index.dimensions = make([][]float32, chunks), dimensions
	for range cap(l.buffers) {
		l.buffers <- nil
	}
	return l, nil
}

// Has tells whether a chunk has a vector.
func (l *Loading) Has(s rank.Slot) bool { return l.present[s] == 1 }

// Steps are what is to be done before Index. They may be taken at once.
func (l *Loading) Steps() []func() error {
	var steps []func() error
	for first := 0; first < len(l.present); first += pieceChunks {
		steps = append(steps, func() error { return l.loadPiece(first) })
	}
	return steps
}

// Index returns what was loaded.
func (l *Loading) Index() Index { return l.index }

// loadPiece adds the vectors of pieceChunks chunks.
func (l *Loading) loadPiece(first int) error {
	b, err := l.read(1+first/pieceChunks, <-l.buffers)
	defer func() { l.buffers <- b }()
	if err != nil {
		return err
	}
	present := l.present[first:min(first+pieceChunks, len(l.present))]
	width := l.index.dimensions
	if len(b) != 4*width*bytes.Count(present, []byte{1}) {
		return blob.ErrDamaged
	}
	all := blob.Floats(b)
	for i, has := range present {
		if has == 0 {
			continue
		}
		vec := all[:width:width]
		all = all[width:]
		if !IsUnit(vec) {
			return blob.ErrDamaged
		}
		l.index.bySlot[first+i] = vec
		if err := l.index.collect(rank.Slot(first+i), vec); err != nil {
			return err
		}
	}
	return nil
}
