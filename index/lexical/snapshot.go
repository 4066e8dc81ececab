package lexical

import (
	"encoding/binary"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// Snapshot is what an index holds of some chunks at a moment. It shares what is
// only ever added to, and so can be written while the index goes on.
type Snapshot struct {
	lengths []uint32 // of the chunks
	places  []int32  // of the chunk at each slot, noPlace for others

	names    savedNames
	sizes    []uint8 // see vocabulary
	lists    lists
	trigrams map[trigram][]int32

	counts  []int   // of the postings of each term that have a place
	numbers []int32 // of the terms that have some, noPlace for others
}

const noPlace = -1

// Size says how much is in a snapshot.
type Size struct{ Chunks, Terms, Trigrams int }

// SectionCount is how many sections a snapshot has.
const SectionCount = 5

// The sections in their order.
const (
	termSection = iota
	postingSection
	tableSection
	lengthSection
	trigramSection
)

// Snapshot takes what the index holds of the chunks at some slots. In what is
// loaded of it they are at the slots from 0 on, in this order.
func (x *Index) Snapshot(slots []rank.Slot) *Snapshot {
	s := &Snapshot{
		lengths: make([]uint32, len(slots)), places: make([]int32, len(x.lengths)),
		names: x.terms.names.save(), sizes: slices.Clone(x.words.sizes),
		lists: x.lists.clone(), trigrams: maps.Clone(x.words.trigrams),
	}
	for i := range s.places {
		s.places[i] = noPlace
	}
	for place, slot := range slots {
		s.places[slot], s.lengths[place] = int32(place), x.lengths[slot]
	}
	return s
}

// Number numbers the terms that occur in the chunks, before anything is written,
// and returns how much there is to write.
func (s *Snapshot) Number() Size {
	s.counts, s.numbers = make([]int, s.lists.count()), make([]int32, s.lists.count())
	terms := int32(0)
	for id := range s.counts {
		for _, e := range s.lists.of(int32(id)) {
			if s.places[e.slot()] != noPlace {
				s.counts[id]++
			}
		}
		s.numbers[id] = noPlace
		if s.counts[id] > 0 {
			s.numbers[id] = terms
			terms++
		}
	}
	return Size{Chunks: len(s.lengths), Terms: int(terms), Trigrams: len(s.trigrams)}
}

// Sections makes the sections in their order.
func (s *Snapshot) Sections() iter.Seq[blob.Section] {
	return func(yield func(blob.Section) bool) {
		_ = yield(blob.SectionOf(s.encodeTerms())) &&
			yield(s.postings()) &&
			yield(blob.SectionOf(blob.AppendNumbers(nil, s.table()))) &&
			yield(blob.SectionOf(blob.AppendNumbers(nil, s.lengths))) &&
			yield(blob.SectionOf(s.encodeTrigrams()))
	}
}

// encodeTerms writes the terms with the lengths of their lists.
func (s *Snapshot) encodeTerms() []byte {
	var text strings.Builder
	var out []byte
	for id, count := range s.counts {
		if count == 0 {
			continue
		}
		name := s.names.of(id)
		for _, n := range []int{len(name), int(s.sizes[id]), count} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		text.WriteString(name)
	}
	return blob.WithText(&text, out)
}

// postings is the section of the lists, each in the order of its places.
func (s *Snapshot) postings() blob.Section {
	total := 0
	for _, n := range s.counts {
		total += n
	}
	return blob.Section{Length: 4 * total, Write: func(w io.Writer) error {
		var list []posting
		var out []byte
		for id, count := range s.counts {
			if count == 0 {
				continue
			}
			list = list[:0]
			for _, e := range s.lists.of(int32(id)) {
				if place := s.places[e.slot()]; place != noPlace {
					list = append(list, e.at(rank.Slot(place)))
				}
			}
			if !slices.IsSorted(list) { // a document that was edited has later slots
				slices.Sort(list)
			}
			out = blob.AppendNumbers(out[:0], list)
			if _, err := w.Write(out); err != nil {
				return err
			}
		}
		return nil
	}}
}

// table is what finds the terms.
func (s *Snapshot) table() []int32 {
	var t termTable
	for id, count := range s.counts {
		if count > 0 {
			t.names.add(s.names.of(id))
		}
	}
	t.arrange()
	return t.slots
}

func (s *Snapshot) encodeTrigrams() []byte {
	var out []byte
	for g, ids := range s.trigrams {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int32) bool { return s.numbers[id] == noPlace })
		if len(ids) == 0 {
			continue
		}
		for _, r := range g {
			out = binary.AppendUvarint(out, uint64(r))
		}
		out = binary.AppendUvarint(out, uint64(len(ids)))
		for _, id := range ids {
			out = binary.LittleEndian.AppendUint32(out, uint32(s.numbers[id]))
		}
	}
	return out
}
