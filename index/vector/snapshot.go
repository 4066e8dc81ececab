package vector

import (
	"bytes"
	"iter"
	"runtime"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// Snapshot is the vectors of some chunks at a moment, as the index holds them.
type Snapshot struct {
	Dimensions int
	vectors    []kept
}

// kept is a vector in one of its forms, or none.
type kept struct {
	floats []float32
	codes  []int16
	sketch []uint64 // beside codes: to make it takes twice as long as to load both
}

// form says how a vector is kept. It is a byte of the first section.
type form byte

const (
	noVector form = iota
	inFloats
	inCodes
	forms // how many there are
)

func (k kept) form() form {
	switch {
	case k.floats != nil:
		return inFloats
	case k.codes != nil:
		return inCodes
	}
	return noVector
}

// size of a vector of so many dimensions in bytes.
func (f form) size(dimensions int) int {
	switch f {
	case inFloats:
		return 4 * dimensions
	case inCodes:
		return 2*dimensions + 8*sketchWords(dimensions)
	}
	return 0
}

// pieceChunks is how many chunks a piece of vectors is of.
const pieceChunks = 2048

// SectionCount is how many sections a snapshot of some chunks has: one that tells
// how the vector of each is kept, and pieces of vectors.
func SectionCount(chunks int) int { return 1 + (chunks+pieceChunks-1)/pieceChunks }

// Take takes what an index holds of the chunks at some slots. In what is loaded of
// it they are at the slots from 0 on, in this order.
func Take(x Index, slots []rank.Slot) *Snapshot {
	if grown, ok := x.(*Growing); ok {
		x = grown.Index
	}
	s := &Snapshot{Dimensions: x.Dimensions(), vectors: make([]kept, len(slots))}
	if q, ok := x.(*Quantized); ok {
		q.take(s.vectors, slots)
		return s
	}
	for place, slot := range slots {
		s.vectors[place].floats = x.At(slot)
	}
	return s
}

// take copies the sketches: unlike the numbers they are changed in place.
func (x *Quantized) take(vectors []kept, slots []rank.Slot) {
	words := sketchWords(x.dimensions)
	copies := make([]uint64, 0, len(slots)*words)
	for place, slot := range slots {
		if c := x.at(slot); c.numbers != nil {
			copies = append(copies, x.sketches.at(slot)...)
			vectors[place] = kept{codes: c.numbers, sketch: copies[len(copies)-words:]}
		}
	}
}

// Missing returns how many of the chunks have no vector.
func (s *Snapshot) Missing() int {
	n := 0
	for _, k := range s.vectors {
		if k.form() == noVector {
			n++
		}
	}
	return n
}

// Sections makes the sections in their order.
func (s *Snapshot) Sections() iter.Seq[blob.Section] {
	return func(yield func(blob.Section) bool) {
		forms := make([]byte, len(s.vectors))
		for i, k := range s.vectors {
			forms[i] = byte(k.form())
		}
		if !yield(blob.SectionOf(forms)) {
			return
		}
		for vectors := range slices.Chunk(s.vectors, pieceChunks) {
			var piece []byte
			for _, k := range vectors {
				piece = blob.AppendShorts(blob.AppendFloats(piece, k.floats), k.codes)
			}
			for _, k := range vectors {
				piece = blob.AppendWords(piece, k.sketch)
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
	read       func(section int, buffer []byte) ([]byte, error)
	forms      []byte // of each chunk's vector: none, or that of all others
	form       form   // of those
	dimensions int
	index      *Growing
	buffers    chan []byte // one for each step under way
}

// maxDimensions is more than any model has.
const maxDimensions = 1 << 16

// Load prepares to load a snapshot of so many chunks, whose sections read returns,
// counted from 0, in a buffer if that is large enough.
func Load(chunks, dimensions int, read func(section int, buffer []byte) ([]byte, error)) (*Loading, error) {
	all, err := read(0, nil)
	if err != nil {
		return nil, err
	}
	if len(all) != chunks || dimensions > maxDimensions {
		return nil, blob.ErrDamaged
	}
	l := &Loading{read: read, forms: all, dimensions: dimensions, buffers: make(chan []byte, runtime.GOMAXPROCS(0))}
	vectors := 0
	for _, b := range all {
		switch f := form(b); {
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

// newIndex makes the index that is to hold so many vectors.
func (l *Loading) newIndex(vectors int) *Growing {
	if l.form == inCodes || vectors*l.dimensions > mostInChromem {
		q := newQuantized(l.dimensions, len(l.forms))
		q.count = vectors
		return &Growing{q}
	}
	c := NewChromem()
	c.bySlot, c.dimensions = make([][]float32, len(l.forms)), l.dimensions
	return &Growing{c}
}

// Has tells whether a chunk has a vector.
func (l *Loading) Has(s rank.Slot) bool { return form(l.forms[s]) != noVector }

// Steps are what is to be done before Index. They may be taken at once.
func (l *Loading) Steps() []func() error {
	var steps []func() error
	for first := 0; first < len(l.forms); first += pieceChunks {
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
	some := l.forms[first:min(first+pieceChunks, len(l.forms))]
	vectors := len(some) - bytes.Count(some, []byte{byte(noVector)})
	if len(b) != l.form.size(l.dimensions)*vectors {
		return blob.ErrDamaged
	}
	var all kept // one after the other
	switch l.form {
	case inFloats:
		all.floats = blob.Floats(b)
	case inCodes:
		numbers := 2 * l.dimensions * vectors
		all.codes, all.sketch = blob.Shorts(b[:numbers]), blob.Words(b[numbers:])
	}
	for i, f := range some {
		if form(f) == noVector {
			continue
		}
		if err := l.keep(rank.Slot(first+i), all.cut(l.dimensions)); err != nil {
			return err
		}
	}
	return nil
}

// cut takes a vector off the front of several.
func (k *kept) cut(dimensions int) (first kept) {
	if k.floats != nil {
		first.floats, k.floats = k.floats[:dimensions:dimensions], k.floats[dimensions:]
	}
	if k.codes != nil {
		words := sketchWords(dimensions)
		first.codes, k.codes = k.codes[:dimensions:dimensions], k.codes[dimensions:]
		first.sketch, k.sketch = k.sketch[:words], k.sketch[words:]
	}
	return first
}

// keep gives a chunk its vector. Several goroutines may do so at once.
func (l *Loading) keep(s rank.Slot, k kept) error {
	c := codes{}
	if k.codes != nil {
		c = codesOf(k.codes)
	}
	if k.codes != nil && c.length < mostCode || k.floats != nil && !IsUnit(k.floats) {
		return blob.ErrDamaged
	}
	switch x := l.index.Index.(type) {
	case *Quantized:
		if k.codes == nil {
			x.hold(s, quantize(k.floats))
			return nil
		}
		x.bySlot[s] = c
		copy(x.sketches.room(s), k.sketch)
	case *Chromem:
		x.bySlot[s] = k.floats
		return x.collect(s, k.floats)
	}
	return nil
}
