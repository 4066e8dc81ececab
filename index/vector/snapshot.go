package vector

import (
	"bytes"
	"iter"
	"runtime"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// SavedVectors holds the vectors of chunks at one moment, in the form in which the index stores them. It
// shares memory with the index, but later changes of the index do not change it.
type SavedVectors struct {
	Dimensions int
	forms      []byte      // storageForm of each chunk's vector: noVector, or the same for all
	slots      []rank.Slot // slots of the chunks
	floats     [][]float32 // vectors of a chromemIndex
	codes      [][]int16   // vectors of a quantizedIndex
	// sketches of a quantizedIndex or fourBitIndex: making them takes twice as long as loading them
	sketches sketches
}

// storageForm states how a vector is stored in a snapshot. It is a byte in the first section.
type storageForm byte

const (
	noVector storageForm = iota
	inFloats
	inCodes
	inPlanes
	forms // number of forms
)

// size returns how many bytes a vector with the given number of dimensions takes.
func (f storageForm) size(dimensions int) int {
	switch f {
	case inFloats:
		return 4 * dimensions
	case inCodes:
		return 2*dimensions + 8*sketchWords(dimensions)
	case inPlanes:
		return coarseBits * 8 * sketchWords(dimensions)
	}
	return 0
}

// chunksPerSection is the number of chunks whose vectors are in one section.
const chunksPerSection = 2048

// SnapshotSectionCount returns how many sections a snapshot of the given number of chunks has: one with the
// storageForm of each vector, and one for each chunksPerSection vectors.
func SnapshotSectionCount(chunks int) int { return 1 + (chunks+chunksPerSection-1)/chunksPerSection }

// TakeSnapshot returns a snapshot of the chunks at the given slots. When it is loaded, they are at
// the slots from 0, in this order. The index must not be changed while it is taken.
func TakeSnapshot(x Index, slots []rank.Slot) *SavedVectors {
	if grown, ok := x.(*GrowingIndex); ok {
		x = grown.Index
	}
	s := &SavedVectors{Dimensions: x.Dimensions(), forms: make([]byte, len(slots)), slots: slots}
	switch x := x.(type) {
	case *chromemIndex:
		s.floats = make([][]float32, len(slots))
		for place, slot := range slots {
			if s.floats[place] = x.VectorAt(slot); s.floats[place] != nil {
				s.forms[place] = byte(inFloats)
			}
		}
	case *quantizedIndex:
		s.takeSketches(&x.sketches, inCodes)
		s.codes = make([][]int16, len(slots))
		for place, slot := range slots {
			if x.hasSketch(slot) {
				s.codes[place] = x.bySlot[slot].numbers
			}
		}
	case *fourBitIndex:
		s.takeSketches(&x.sketches, inPlanes)
	}
	return s
}

// takeSketches copies the sketches of the chunks whose vectors are stored in the given form.
func (s *SavedVectors) takeSketches(x *sketches, f storageForm) {
	s.sketches = x.snapshot()
	for place, slot := range s.slots {
		if x.hasSketch(slot) {
			s.forms[place] = byte(f)
		}
	}
}

// CountMissingVectors returns the number of chunks in the snapshot that have no vector.
func (s *SavedVectors) CountMissingVectors() int { return bytes.Count(s.forms, []byte{byte(noVector)}) }

// Sections yields the sections of the snapshot in order.
func (s *SavedVectors) Sections() iter.Seq[blob.Section] {
	return func(yield func(blob.Section) bool) {
		if !yield(blob.SectionOfBytes(s.forms)) {
			return
		}
		for first := 0; first < len(s.slots); first += chunksPerSection {
			if !yield(blob.SectionOfBytes(s.encodeSection(first, min(first+chunksPerSection, len(s.slots))))) {
				return
			}
		}
	}
}

// encodeSection encodes the vectors of the chunks from index first to before end: the sketches come
// last.
func (s *SavedVectors) encodeSection(first, end int) (piece []byte) {
	for place := first; place < end; place++ {
		switch storageForm(s.forms[place]) {
		case inFloats:
			piece = blob.AppendFloats(piece, s.floats[place])
		case inCodes:
			piece = blob.AppendInt16s(piece, s.codes[place])
		}
	}
	for place := first; place < end; place++ {
		if f := storageForm(s.forms[place]); f != inCodes && f != inPlanes {
			continue
		}
		for n := range s.sketches.planes {
			piece = blob.AppendUint64s(piece, s.sketches.plane(s.slots[place], n))
		}
	}
	return piece
}

// IndexLoader builds an Index from the sections of a snapshot, which it does not trust: memory use is
// bounded by the number of bytes. Its errors match blob.ErrDamaged.
type IndexLoader struct {
	read       func(section int, buffer []byte) ([]byte, error)
	forms      []byte      // storageForm of each chunk's vector: noVector, or form
	form       storageForm // form of all vectors
	dimensions int
	precision  Precision
	index      *GrowingIndex
	buffers    chan []byte // one for each step in progress
}

// maxDimensions is more than any model has.
const maxDimensions = 1 << 16

// NewIndexLoader prepares to load a snapshot of the given number of chunks. read returns a section by
// its number, from 0, in the given buffer if that is large enough.
func NewIndexLoader(chunks, dimensions int, precision Precision, read func(section int, buffer []byte) ([]byte, error)) (*IndexLoader, error) {
	all, err := read(0, nil)
	if err != nil {
		return nil, err
	}
	if len(all) != chunks || dimensions > maxDimensions {
		return nil, blob.ErrDamaged
	}
	l := &IndexLoader{read: read, forms: all, dimensions: dimensions, precision: precision, buffers: make(chan []byte, runtime.GOMAXPROCS(0))}
	vectors := 0
	for _, b := range all {
		switch f := storageForm(b); {
		case f >= forms || f != noVector && l.form != noVector && f != l.form:
			return nil, blob.ErrDamaged
		case f != noVector:
			vectors++
			l.form = f
		}
	}
	l.index = l.newIndex(vectors)
	for range cap(l.buffers) {
		l.buffers <- nil
	}
	return l, nil
}

// newIndex returns an empty index for the vectors.
func (l *IndexLoader) newIndex(vectors int) *GrowingIndex {
	x := New(l.precision)
	switch {
	case l.form == inPlanes:
		x.Index = newFourBitIndex(l.dimensions, len(l.forms))
	case l.form == inCodes:
		x.Index = newQuantizedIndex(l.dimensions, len(l.forms))
	case vectors*l.dimensions > l.precision.mostInChromem():
		x.Index = l.precision.newIndex(l.dimensions, len(l.forms))
	default:
		c := newChromemIndex()
		c.bySlot, c.dimensions = make([][]float32, len(l.forms)), l.dimensions
		x.Index = c
	}
	return x
}

// HasVector reports whether a chunk has a vector.
func (l *IndexLoader) HasVector(s rank.Slot) bool { return storageForm(l.forms[s]) != noVector }

// Steps returns the functions that load the sections. They may run concurrently; all must have
// returned before Index is called.
func (l *IndexLoader) Steps() []func() error {
	var steps []func() error
	for first := 0; first < len(l.forms); first += chunksPerSection {
		steps = append(steps, func() error { return l.loadSection(first) })
	}
	return steps
}

// Index returns the loaded index.
func (l *IndexLoader) Index() *GrowingIndex { return l.index }

// loadSection decodes a section with the vectors of at most chunksPerSection chunks into the index.
func (l *IndexLoader) loadSection(first int) error {
	b, err := l.read(1+first/chunksPerSection, <-l.buffers)
	defer func() { l.buffers <- b }()
	if err != nil {
		return err
	}
	var slots []rank.Slot
	for i, f := range l.forms[first:min(first+chunksPerSection, len(l.forms))] {
		if storageForm(f) != noVector {
			slots = append(slots, rank.Slot(first+i))
		}
	}
	if len(b) != l.form.size(l.dimensions)*len(slots) {
		return blob.ErrDamaged
	}
	switch l.form {
	case inFloats:
		return l.addFloats(slots, blob.ParseFloats(b))
	case inCodes:
		numbers := 2 * l.dimensions * len(slots)
		return l.addCodes(slots, blob.ParseInt16s(b[:numbers]), b[numbers:])
	case inPlanes:
		l.index.Index.(*fourBitIndex).restorePlanes(slots, b)
	}
	return nil
}

// addFloats decodes the vectors of chunks, stored consecutively as 32-bit floats.
func (l *IndexLoader) addFloats(slots []rank.Slot, all []float32) error {
	for i, s := range slots {
		vec := all[i*l.dimensions:][:l.dimensions:l.dimensions]
		if !IsUnitVector(vec) {
			return blob.ErrDamaged
		}
		switch x := l.index.Index.(type) {
		case *chromemIndex:
			x.bySlot[s] = vec
			if err := x.addToCollection(s, vec); err != nil {
				return err
			}
		case reservingIndex:
			x.put(s, vec)
		}
	}
	return nil
}

// addCodes decodes quantized vectors of 16 bits per component, followed by their sketches.
func (l *IndexLoader) addCodes(slots []rank.Slot, all []int16, sketches []byte) error {
	x := l.index.Index.(*quantizedIndex)
	for i, s := range slots {
		c := quantizedVectorOf(all[i*l.dimensions:][:l.dimensions:l.dimensions])
		if c.length < mostCode {
			return blob.ErrDamaged
		}
		x.bySlot[s] = c
	}
	x.restorePlanes(slots, sketches)
	return nil
}

// restorePlanes decodes the bit planes written by encodeSection. Any bits are a valid vector.
func (x *sketches) restorePlanes(slots []rank.Slot, b []byte) {
	for _, s := range slots {
		x.sketchRoom(s)
		for n := range x.planes {
			b = blob.ReadUint64s(x.plane(s, n), b)
		}
	}
}
