package lexical

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"vademecum/index/blob"
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
	if len(sections) != SectionCount {
		t.Errorf("%d sections, want %d", len(sections), SectionCount)
	}
	return sections
}

func loaded(size Size, sections [][]byte) (*Index, error) {
	l := Load(size, func(n int) ([]byte, error) { return sections[n], nil })
	for _, step := range l.Steps() {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.Index()
}

// contents are those of an index that does not contradict itself.
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
		put(t, x, rank.Slot(s), Count(text))
	}
	x.Delete(3)
	s := x.Snapshot([]rank.Slot{2, 0})
	size := s.Number()
	if size.Chunks != 2 || size.Terms != 5 {
		t.Errorf("size %+v", size)
	}
	put(t, x, 4, Count("alpha comes while it is written"))
	sections := written(t, s)
	some, err := loaded(size, sections)
	if err != nil {
		t.Fatal(err)
	}
	if some.mixed {
		t.Error("loaded lists are not in the order of the slots")
	}
	alpha := sections[postingSection][:8]
	copy(alpha, slices.Concat(alpha[4:], alpha[:4]))
	if older, err := loaded(size, sections); err != nil || !older.mixed {
		t.Errorf("lists of an older snapshot are taken to be in order: %v", err)
	}
	want := map[rank.Slot]map[string]int{0: {"alpha": 2, "血": 1, "压": 1, "血压": 1}, 1: {"alpha": 1, "beta": 1}}
	if got := contents(t, some); !maps.EqualFunc(got, want, maps.Equal) {
		t.Errorf("loaded %v, want %v", got, want)
	}
	other := New()
	put(t, other, 0, Count("beta epsilon"))
	other.Join(some, 3)
	want = map[rank.Slot]map[string]int{0: {"beta": 1, "epsilon": 1}, 3: want[0], 4: want[1]}
	if got := contents(t, other); !maps.EqualFunc(got, want, maps.Equal) || other.Len() != 3 {
		t.Errorf("joined %v, want %v", got, want)
	}
}

// TestLoadRefuses sections that do not fit each other.
func TestLoadRefuses(t *testing.T) {
	x := New()
	put(t, x, 0, Count("one two"))
	for name, harm := range map[string]func(s *Snapshot, size *Size, sections [][]byte){
		"an empty term, of an older version": func(s *Snapshot, size *Size, sections [][]byte) {
			s.names.spans[0] = nameSpan{}
			copy(sections, written(t, s))
		},
		"more terms":                 func(_ *Snapshot, size *Size, _ [][]byte) { size.Terms = 1 << 30 },
		"fewer terms":                func(_ *Snapshot, size *Size, _ [][]byte) { size.Terms-- },
		"another number of chunks":   func(_ *Snapshot, size *Size, _ [][]byte) { size.Chunks++ },
		"no chunks":                  func(_ *Snapshot, size *Size, sections [][]byte) { size.Chunks, sections[lengthSection] = 0, nil },
		"a chunk without terms":      func(_ *Snapshot, _ *Size, sections [][]byte) { clear(sections[lengthSection]) },
		"a posting of another chunk": func(_ *Snapshot, _ *Size, sections [][]byte) { sections[postingSection][1] = 1 },
		"a posting of no times":      func(_ *Snapshot, _ *Size, sections [][]byte) { sections[postingSection][0] = 0 },
		"no postings":                func(_ *Snapshot, _ *Size, sections [][]byte) { sections[postingSection] = nil },
		"no terms":                   func(_ *Snapshot, _ *Size, sections [][]byte) { sections[termSection] = nil },
		"a table of one term":        func(_ *Snapshot, _ *Size, sections [][]byte) { clear(sections[tableSection]) },
		"trigrams that are cut off":  func(_ *Snapshot, _ *Size, sections [][]byte) { sections[trigramSection] = []byte{1, 2} },
		"a trigram of a term too many": func(_ *Snapshot, _ *Size, sections [][]byte) {
			sections[trigramSection] = []byte{1, 2, 3, 1, 9, 0, 0, 0}
		},
	} {
		s := x.Snapshot([]rank.Slot{0})
		size := s.Number()
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
		put(t, x, 0, Count("alpha beta"))
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
		counts := Count(text)
		if err := counts.each(func(term []byte, n int) {
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
			put(t, x, slots[i], Count(fmt.Sprintf("round%d of%d", i/chunks, i%chunks), text))
		}
		s := x.Snapshot(slots[chunks:])
		again, err := loaded(s.Number(), written(t, s))
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
