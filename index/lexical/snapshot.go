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

// Snapshot is what an index holds of some chunks at a moment. It shares what is
// only ever added to, and so can be written while the index goes on.
type Snapshot struct {
	lengths []uint32 // of the chunks
	places  []int32  // of the chunk at each slot, noPlace for others

	names    savedNames
	sizes    []uint8 // see vocabulary
	lists    postingLists
	trigrams map[trigram][]int32

	counts  []int   // of the postings of each term that have a place
	numbers []int32 // of the terms that have some, noPlace for others
}

const noPlace = -1

// Size says how much is in a snapshot.
type Size struct{ Chunks, Terms, Trigrams int }

// SectionCount is how many sections a snapshot has.
const SectionCount = firstPostingSection + postingSections

// The sections in their order. What follows each other has no lengths: where the
// parts end stands in a section of its own, so that both are used as they are read.
const (
	nameSection    = iota // of the terms
	nameEndSection        // where each of them ends
	sizeSection           // see vocabulary
	listEndSection        // where the list of each term ends
	tableSection
	lengthSection
	trigramSection // with how many terms are alike in each
	alikeSection   // these
	firstPostingSection
)

// Snapshot takes what the index holds of the chunks at some slots. In what is
// loaded of it they are at the slots from 0 on, in this order.
func (x *Index) Snapshot(slots []rank.Slot) *Snapshot {
	s := &Snapshot{
		lengths: make([]uint32, len(slots)), places: make([]int32, len(x.lengths)),
		names: x.terms.names.atThisMoment(), sizes: slices.Clone(x.words.sizes),
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

// NumberTerms numbers the terms that occur in the chunks, before anything is written,
// and returns how much there is to write.
func (s *Snapshot) NumberTerms() Size {
	s.counts, s.numbers = make([]int, s.lists.count()), make([]int32, s.lists.count())
	terms := int32(0)
	for id := range s.counts {
		for _, e := range s.lists.postingsOf(int32(id)) {
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
		text, lengths, sizes := s.encodeTermNames()
		if !yield(blob.SectionOfBytes(text)) || !yield(partEndsSection(lengths)) || !yield(blob.SectionOfBytes(sizes)) {
			return
		}
		ids, counts := s.listLengths()
		if !yield(partEndsSection(counts)) ||
			!yield(blob.SectionOfBytes(blob.AppendNumbers(nil, s.encodeTable()))) ||
			!yield(blob.SectionOfBytes(blob.AppendNumbers(nil, s.lengths))) {
			return
		}
		trigrams, alike := s.encodeTrigrams()
		if !yield(blob.SectionOfBytes(trigrams)) || !yield(blob.SectionOfBytes(alike)) {
			return
		}
		first := postingShares(partEnds(counts))
		var lists []byte // each section is written before the next one is made
		for i := range postingSections {
			lists = s.appendPostings(lists[:0], ids[first[i]:first[i+1]])
			if !yield(blob.SectionOfBytes(lists)) {
				return
			}
		}
	}
}

// encodeTermNames are the names of the terms, how long each is, and its number of trigrams.
func (s *Snapshot) encodeTermNames() (text []byte, lengths []int, sizes []byte) {
	for id, count := range s.counts {
		if count > 0 {
			name := s.names.of(id)
			text, lengths, sizes = append(text, name...), append(lengths, len(name)), append(sizes, s.sizes[id])
		}
	}
	return text, lengths, sizes
}

// listLengths returns the terms that have postings in the snapshot, and how many.
func (s *Snapshot) listLengths() (ids []int32, counts []int) {
	for id, count := range s.counts {
		if count > 0 {
			ids, counts = append(ids, int32(id)), append(counts, count)
		}
	}
	return ids, counts
}

var errTooLarge = errors.New("the index is too large for a snapshot")

// partEndsSection is where parts of some lengths end that follow each other.
func partEndsSection(lengths []int) blob.Section {
	return blob.Section{Length: 4 * len(lengths), Write: func(w io.Writer) error {
		total := 0
		for _, n := range lengths {
			total += n
		}
		if total > math.MaxUint32 {
			return errTooLarge
		}
		_, err := w.Write(blob.AppendNumbers(nil, partEnds(lengths)))
		return err
	}}
}

// partEnds is where parts of some lengths end that follow each other.
func partEnds(lengths []int) []uint32 {
	ends, end := make([]uint32, len(lengths)), uint32(0)
	for i, n := range lengths {
		end += uint32(n)
		ends[i] = end
	}
	return ends
}

// encodeTable is what finds the terms.
func (s *Snapshot) encodeTable() []int32 {
	var t termTable
	for id, count := range s.counts {
		if count > 0 {
			t.names.add(s.names.of(id))
		}
	}
	t.rehash()
	return t.slots
}

// encodeTrigrams writes the trigrams with the number of terms that have each, and
// these terms.
func (s *Snapshot) encodeTrigrams() (trigrams, alike []byte) {
	for g, ids := range s.trigrams {
		before := len(alike)
		for _, id := range ids {
			if n := s.numbers[id]; n != noPlace {
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
