package lexical

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"

	"vademecum/index/blob"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// written holds the sections of a snapshot in memory.
func written(t testing.TB, s *Snapshot) [][]byte {
	t.Helper()
	var sections [][]byte
	for section := range s.Sections() {
		var out bytes.Buffer
		if err := section.Write(&out); err != nil {
			t.Fatal(err)
		}
		if out.Len() != section.Length {
			t.Errorf("section %d has %d bytes, its length is %d", len(sections), out.Len(), section.Length)
		}
		sections = append(sections, out.Bytes())
	}
	if len(sections) != SnapshotSectionCount {
		t.Errorf("%d sections, want %d", len(sections), SnapshotSectionCount)
	}
	return sections
}

func sizeOf(t testing.TB, s *Snapshot) SnapshotSize {
	t.Helper()
	size, err := s.AssignTermNumbers()
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// held are sections in memory.
type held [][]byte

func (h held) Length(n int) int { return len(h[n]) }

func (h held) Read(n int, content []byte) error {
	copy(content, h[n])
	return nil
}

func loaded(size SnapshotSize, sections [][]byte) (*Index, error) {
	l := NewIndexLoader(size, held(sections))
	for _, step := range l.Steps() {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.Index(), nil
}

// contents returns the contents of an index that does not contradict itself.
func contents(t testing.TB, x *Index) map[rank.Slot]map[string]int {
	t.Helper()
	all, faults := x.Contents()
	for _, fault := range faults {
		t.Error(fault)
	}
	return all
}

// TestSnapshotOfSome: what is loaded has the chunks asked for, in their order, and
// can be joined to others.
func TestSnapshotOfSome(t *testing.T) {
	x := New()
	for s, text := range []string{"alpha beta", "gamma", "alpha alpha 血压", "delta"} {
		put(t, x, rank.Slot(s), analysis.CountTerms(analysis.ChunkNames{}, text))
	}
	x.Delete(3)
	s := x.Snapshot([]rank.Slot{2, 0})
	size := sizeOf(t, s)
	if size.Chunks != 2 || size.Terms != 5 {
		t.Errorf("size %+v", size)
	}
	put(t, x, 4, analysis.CountTerms(analysis.ChunkNames{}, "alpha comes while it is written"))
	sections := written(t, s)
	some, err := loaded(size, sections)
	if err != nil {
		t.Fatal(err)
	}
	for id := range some.terms.numberCount() {
		if list := some.postingsOf(id); some.mixed || !slices.IsSorted(list) {
			t.Errorf("the loaded list %v is not in the order of the slots", list)
		}
	}
	want := map[rank.Slot]map[string]int{0: {"alpha": 2, "血": 1, "压": 1, "血压": 1}, 1: {"alpha": 1, "beta": 1}}
	if got := contents(t, some); !maps.EqualFunc(got, want, maps.Equal) {
		t.Errorf("loaded %v, want %v", got, want)
	}
	other := New()
	put(t, other, 0, analysis.CountTerms(analysis.ChunkNames{}, "beta epsilon"))
	other.Append(some, 3)
	want = map[rank.Slot]map[string]int{0: {"beta": 1, "epsilon": 1}, 3: want[0], 4: want[1]}
	if got := contents(t, other); !maps.EqualFunc(got, want, maps.Equal) || other.Len() != 3 {
		t.Errorf("joined %v, want %v", got, want)
	}
}

// harmFirstList puts other bytes in the place of the first lists.
func harmFirstList(sections [][]byte, b ...byte) {
	for i := firstPostingSection; i < SnapshotSectionCount; i++ {
		if len(sections[i]) > 0 {
			sections[i] = b
			return
		}
	}
}

// TestLoadRefuses sections that do not fit each other.
func TestLoadRefuses(t *testing.T) {
	x := New()
	put(t, x, 0, analysis.CountTerms(analysis.ChunkNames{}, "one alpha"))
	for name, harm := range map[string]func(s *Snapshot, size *SnapshotSize, sections [][]byte){
		"an empty term, of an older version": func(s *Snapshot, size *SnapshotSize, sections [][]byte) {
			s.names.spans[0] = nameSpan{}
			copy(sections, written(t, s))
		},
		"more terms":               func(_ *Snapshot, size *SnapshotSize, _ [][]byte) { size.Terms = 1 << 30 },
		"fewer terms":              func(_ *Snapshot, size *SnapshotSize, _ [][]byte) { size.Terms-- },
		"another number of chunks": func(_ *Snapshot, size *SnapshotSize, _ [][]byte) { size.Chunks++ },
		"no chunks": func(_ *Snapshot, size *SnapshotSize, sections [][]byte) {
			size.Chunks, sections[lengthSection] = 0, nil
		},
		"a chunk without terms":      func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { clear(sections[lengthSection]) },
		"a posting of another chunk": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections, 4) },
		"a posting of no chunk":      func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections, 0) },
		"a posting of no times":      func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections, 3, 0) },
		"a posting without times":    func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections, 3) },
		"a posting too many":         func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections, 2, 2) },
		"no postings":                func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { harmFirstList(sections) },
		"no names":                   func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[nameSection] = nil },
		"a name too few": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			sections[nameLengthSection] = sections[nameLengthSection][1:]
		},
		"half of a length": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[nameLengthSection][0] |= 0x80 },
		"a length too many": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			sections[nameLengthSection] = append(sections[nameLengthSection], 1)
		},
		"a longer name":              func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[nameLengthSection][0]++ },
		"a size too few":             func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[sizeSection] = nil },
		"an empty list":              func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[listLengthSection][0] = 0 },
		"a list that ends behind":    func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[listLengthSection][0] = 100 },
		"a table without free slots": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { clear(sections[tableSection]) },
		"a table of 15 slots": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			sections[tableSection] = sections[tableSection][4:]
		},
		"a table too small": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			sections[tableSection] = []byte{255, 255, 255, 255}
		},
		"a table of another term": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			copy(sections[tableSection], []byte{99, 0, 0, 0})
		},
		"trigrams that are cut off": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[trigramSection] = []byte{1, 2} },
		"a trigram of terms too many": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) {
			sections[trigramSection] = []byte{1, 2, 3, 100}
		},
		"a trigram of another term": func(_ *Snapshot, _ *SnapshotSize, sections [][]byte) { sections[alikeSection][0] = 9 },
	} {
		s := x.Snapshot([]rank.Slot{0})
		size := sizeOf(t, s)
		sections := written(t, s)
		harm(s, &size, sections)
		if _, err := loaded(size, sections); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%s: loaded with %v", name, err)
		}
	}
}

// TestContentsNoticesFaults makes one fault after the other by hand.
func TestContentsNoticesFaults(t *testing.T) {
	for name, harm := range map[string]func(x *Index){
		"term lost":     func(x *Index) { x.terms.drop([]int32{0}) },
		"trigram lost":  func(x *Index) { delete(x.words.trigrams, trigram{'a', 'l', 'p'}) },
		"trigram twice": func(x *Index) { x.words.add(0) },
		"posting twice": func(x *Index) { x.lists.add(0, newPosting(0, 1)) },
		"chunk too few": func(x *Index) { x.live++ },
		"term too many": func(x *Index) { x.lengths[0]++ },
		"size":          func(x *Index) { x.words.sizes[0]++ },
	} {
		x := New()
		put(t, x, 0, analysis.CountTerms(analysis.ChunkNames{}, "alpha beta"))
		contents(t, x)
		harm(x)
		if _, faults := x.Contents(); len(faults) == 0 {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// FuzzAnalyse: no term is empty, and the same terms are there after most of the
// chunks have gone and a snapshot was saved and loaded.
func FuzzAnalyse(f *testing.F) {
	for _, text := range []string{"(￣▽￣) haha", `¯\_(ツ)_/¯`, "´quoted´", "5¨", "a_\u0301_b", "\u0345", "高血压 ㋐ﾞ", "❤\ufe0f x\u030c", "_", "\x00\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		counts := analysis.CountTerms(analysis.ChunkNames{}, text)
		if err := counts.Each(func(term []byte, n int) {
			if len(term) == 0 || n < 1 {
				t.Errorf("%q has the term %q %d times", text, term, n)
			}
		}); err != nil {
			t.Fatal(err)
		}
		const chunks = 300
		x, slots, free := New(), make([]rank.Slot, 2*chunks), []rank.Slot(nil)
		for i := range 2 * chunks { // all of the first half are replaced, which compacts
			if i >= chunks {
				x.Delete(slots[i-chunks])
				free = append(free, x.Compact()...)
			}
			if slots[i] = rank.Slot(i); len(free) > 0 {
				slots[i], free = free[0], free[1:]
			}
			put(t, x, slots[i], analysis.CountTerms(analysis.ChunkNames{}, fmt.Sprintf("round%d of%d", i/chunks, i%chunks), text))
		}
		s := x.Snapshot(slots[chunks:])
		again, err := loaded(sizeOf(t, s), written(t, s))
		if err != nil {
			t.Fatal(err)
		}
		got, want := contents(t, again), contents(t, x)
		for place, slot := range slots[chunks:] {
			if !maps.Equal(got[rank.Slot(place)], want[slot]) {
				t.Errorf("loaded %v, want %v", got[rank.Slot(place)], want[slot])
			}
		}
		if len(got) != chunks || len(want) != chunks || slices.Max(slots) >= 2*chunks-1 {
			t.Errorf("%d chunks, loaded %d, up to slot %d", len(want), len(got), slices.Max(slots))
		}
	})
}

// TestLoadBoundsMemory: a list that claims more postings than its bytes can hold is refused
// before there is room for them.
func TestLoadBoundsMemory(t *testing.T) {
	x := New()
	put(t, x, 0, analysis.CountTerms(analysis.ChunkNames{}, "one"))
	s := x.Snapshot([]rank.Slot{0})
	size := sizeOf(t, s)
	sections := written(t, s)
	const claimed = 1 << 28
	sections[listLengthSection] = binary.AppendUvarint(nil, claimed)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := loaded(size, sections)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, blob.ErrDamaged) || taken > claimed {
		t.Errorf("%v, after %d bytes", err, taken)
	}
}
