package lexical

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// Snapshot is the content of an index for some chunks at one moment. It shares data that is only
// appended to, so that it can be written while the index changes.
type Snapshot struct {
	lengths []uint32 // number of terms of each chunk
	places  []int32  // new slot of the chunk at each slot; noPlace if it is left out

	names    savedNames
	sizes    []uint8 // number of trigrams of each term, see vocabulary
	lists    postingLists
	trigrams map[trigram][]int32

	terms []int32  // numbers of the terms that occur in the chunks, in order
	ends  []uint32 // for each element of terms, the end of its list, in postings
}

const noPlace = -1

// SnapshotSize is the size of a snapshot: its numbers of chunks, terms and distinct trigrams of terms.
type SnapshotSize struct{ Chunks, Terms, Trigrams int }

// SnapshotSectionCount is the number of sections of a snapshot.
const SnapshotSectionCount = firstPostingSection + postingSections

// The sections in order. Consecutive parts are stored without lengths: these are in a separate
// section, so that the parts can be used as they are read.
const (
	nameSection       = iota // names of the terms
	nameLengthSection        // bytes of each name, see appendLengths
	sizeSection              // number of trigrams of each term
	listLengthSection        // postings in the list of each term, see appendLengths
	tableSection
	lengthSection
	trigramSection // trigrams, each with the number of terms that contain it
	alikeSection   // the terms that contain each trigram
	firstPostingSection
)

// Snapshot returns a snapshot of the index for the chunks at the given slots. When it is loaded, they are
// at the slots from 0, in the given order.
func (x *Index) Snapshot(slots []rank.Slot) *Snapshot {
	s := &Snapshot{
		lengths: make([]uint32, len(slots)), places: make([]int32, len(x.lengths)),
		names: x.terms.names.snapshot(), sizes: slices.Clone(x.words.sizes),
		lists: x.lists.snapshot(), trigrams: maps.Clone(x.words.trigrams),
	}
	for i := range s.places {
		s.places[i] = noPlace
	}
	for place, slot := range slots {
		s.places[slot], s.lengths[place] = int32(place), x.lengths[slot]
	}
	return s
}

// AssignTermNumbers assigns new numbers to the terms that occur in the chunks, and returns the size of the
// snapshot. It must be called before anything is written.
func (s *Snapshot) AssignTermNumbers() (SnapshotSize, error) {
	s.terms, s.ends = make([]int32, 0, s.lists.count()), make([]uint32, 0, s.lists.count())
	total := 0
	for id := range int32(s.lists.count()) {
		if n := s.countPlaced(id); n > 0 {
			total += n
			s.terms, s.ends = append(s.terms, id), append(s.ends, uint32(total))
		}
	}
	if total > math.MaxUint32 {
		return SnapshotSize{}, errTooLarge
	}
	return SnapshotSize{Chunks: len(s.lengths), Terms: len(s.terms), Trigrams: len(s.trigrams)}, nil
}

// countPlaced returns the number of postings of a term in the chunks of the snapshot.
func (s *Snapshot) countPlaced(id int32) (n int) {
	r := s.lists.reader(id)
	var buffer [postingBlock]posting
	for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
		for _, e := range some {
			if s.places[e.slot()] != noPlace {
				n++
			}
		}
	}
	return n
}

var errTooLarge = errors.New("the index is too large for a snapshot")

// Sections yields the sections in order. Sections with a part for each term are written term by
// term: for millions of terms, they would take as much memory as the lists.
func (s *Snapshot) Sections() iter.Seq[blob.Section] {
	return func(yield func(blob.Section) bool) {
		text := 0
		for _, id := range s.terms {
			text += len(s.names.of(id))
		}
		for _, section := range []blob.Section{
			sectionOfParts(text, s.terms, func(out []byte, id int32) []byte { return append(out, s.names.of(id)...) }),
			blob.SectionOfBytes(s.encodeNameLengths()),
			sectionOfParts(len(s.terms), s.terms, func(out []byte, id int32) []byte { return append(out, s.sizes[id]) }),
			blob.SectionOfBytes(appendLengths(nil, s.ends)),
		} {
			if !yield(section) {
				return
			}
		}
		if !yield(sectionOfNumbers(s.encodeTable())) || !yield(sectionOfNumbers(s.lengths)) {
			return
		}
		trigrams, alike := s.encodeTrigrams()
		if !yield(blob.SectionOfBytes(trigrams)) || !yield(blob.SectionOfBytes(alike)) {
			return
		}
		first := postingShares(s.ends)
		var lists []byte // reused, because each section is written before the next one is made
		for i := range postingSections {
			lists = s.appendPostings(lists[:0], s.terms[first[i]:first[i+1]])
			if !yield(blob.SectionOfBytes(lists)) {
				return
			}
		}
	}
}

// encodeNameLengths encodes the length in bytes of each term of the snapshot.
func (s *Snapshot) encodeNameLengths() []byte {
	ends, end := make([]uint32, len(s.terms)), uint32(0)
	for n, id := range s.terms {
		end += uint32(len(s.names.of(id)))
		ends[n] = end
	}
	return appendLengths(nil, ends)
}

// appendLengths appends the lengths of consecutive parts, given their ends, as varints.
func appendLengths(out []byte, ends []uint32) []byte {
	before := uint32(0)
	for _, end := range ends {
		out = binary.AppendUvarint(out, uint64(end-before))
		before = end
	}
	return out
}

// readEnds reads a section written with appendLengths: it returns the ends of that many consecutive
// parts, none of which is empty. The error matches blob.ErrDamaged if there are more or fewer.
func readEnds(from blob.SectionReader, section, parts int) ([]uint32, error) {
	b, err := blob.ReadBytes(from, section)
	if err != nil {
		return nil, err
	}
	if parts > len(b) { // each takes a byte or more
		return nil, blob.ErrDamaged
	}
	ends, end := make([]uint32, parts), uint64(0)
	r := blob.Reader{Rest: b}
	for i := range ends {
		length := r.Number()
		if end += uint64(length); length == 0 || end > math.MaxUint32 {
			return nil, blob.ErrDamaged
		}
		ends[i] = uint32(end)
	}
	if len(r.Rest) > 0 {
		return nil, blob.ErrDamaged
	}
	return ends, nil
}

// partsBytes is the approximate number of bytes that are buffered before a write.
const partsBytes = 1 << 16

// sectionOfParts returns a section of consecutive parts, which appendPart encodes.
func sectionOfParts[T any](length int, parts []T, appendPart func([]byte, T) []byte) blob.Section {
	return blob.Section{Length: length, Write: func(w io.Writer) error {
		out := make([]byte, 0, partsBytes)
		for _, p := range parts {
			if out = appendPart(out, p); len(out) < partsBytes {
				continue
			}
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
		_, err := w.Write(out)
		return err
	}}
}

func sectionOfNumbers[T ~uint32 | ~int32](numbers []T) blob.Section {
	return sectionOfParts(4*len(numbers), numbers, func(out []byte, n T) []byte { return binary.LittleEndian.AppendUint32(out, uint32(n)) })
}

// encodeTable encodes the hash table of the terms.
func (s *Snapshot) encodeTable() []int32 {
	slots := emptyTable(len(s.terms))
	for n, id := range s.terms {
		place := hashTerm(s.names.of(id)) & uint32(len(slots)-1)
		for slots[place] != noTerm { // no two terms have the same name
			place = (place + 1) & uint32(len(slots)-1)
		}
		slots[place] = int32(n)
	}
	return slots
}

// encodeTrigrams encodes the trigrams with the number of terms that contain each, and the numbers
// of these terms.
func (s *Snapshot) encodeTrigrams() (trigrams, alike []byte) {
	numbers := make([]int32, s.lists.count()) // new term numbers; noPlace if left out
	for id := range numbers {
		numbers[id] = noPlace
	}
	for n, id := range s.terms {
		numbers[id] = int32(n)
	}
	for g, ids := range s.trigrams {
		before := len(alike)
		for _, id := range ids {
			if n := numbers[id]; n != noPlace {
				alike = binary.LittleEndian.AppendUint32(alike, uint32(n))
			}
		}
		if len(alike) == before {
			continue
		}
		for _, r := range g {
			trigrams = binary.AppendUvarint(trigrams, uint64(r))
		}
		trigrams = binary.AppendUvarint(trigrams, uint64(len(alike)-before)/4)
	}
	return trigrams, alike
}
